import { expect, test } from 'vitest';
import { deleteArtist, lockArtistForDeletion } from '#server/database/accounts.ts';
import { findStudio, moveStudio } from '#server/database/studio_moves.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addAppointment, addService, NOON } from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { NEW_YORK } from '#support/sample_people.ts';

test('deleting an artist deletes their current and former studios', async () => {
  const { database, artist } = await openArtistContext();
  await addAppointment(database, artist);
  const next = { id: artist.studioId, name: 'Next', ...NEW_YORK };
  await inTransaction(database, moveStudio, artist.id, next, { now: NOON + 24 * 3_600_000 });
  const ids = [artist.studioId, (await findStudio(database, artist.id))?.id ?? ''];
  await inTransaction(database, deleteArtist, artist.id);
  const studios = database.selectFrom('studios').select('id').where('id', 'in', ids);
  expect(await studios.execute()).toEqual([]);
});

test('an insert during the deletion of its artist waits, and then fails on the foreign key', async () => {
  const { database, artist } = await openArtistContext();
  let adding: Promise<unknown> = Promise.resolve();
  await database.transaction().execute(async (transaction) => {
    await lockArtistForDeletion(transaction, artist.id);
    adding = addService(database, artist).catch((error: unknown) => error);
    await deleteArtist(transaction, artist.id);
  });
  expect(await adding).toMatchObject({ code: '23503' });
});
