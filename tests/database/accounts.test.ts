import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { deleteArtist, lockArtistForDeletion } from '#server/database/accounts.ts';
import { findArtistById } from '#server/database/artists.ts';
import { findStudio, moveStudio } from '#server/database/studio_moves.ts';
import { addAppointment, addArtist, addDesign, addService, NOON } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

const OWNED = [
  'appointments',
  'appointment_times',
  'clients',
  'designs',
  'images',
  'services',
  'schedules',
] as const;

test('deleting an artist deletes all their rows, and none of another artist', async () => {
  const { database } = await openTestApp();
  const countRows = async (artistId: string) => {
    const counts: number[] = [];
    for (const table of OWNED) {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*)::int AS count FROM ${sql.table(table)} WHERE artist_id = ${artistId}
      `.execute(database);
      counts.push(rows[0]?.count ?? 0);
    }
    return counts;
  };
  const [artist, other] = [await addArtist(database), await addArtist(database)];
  for (const one of [artist, other]) {
    const { id: serviceId } = await addService(database, one);
    const { id: designId } = await addDesign(database, one);
    await addAppointment(database, one, { serviceId, designId });
  }
  const otherCounts = await countRows(other.id);
  expect(await countRows(artist.id)).toEqual(otherCounts);
  await deleteArtist(database, artist.id);
  expect(await countRows(artist.id)).toEqual(OWNED.map(() => 0));
  expect(await countRows(other.id)).toEqual(otherCounts);
  expect(await findArtistById(database, artist.id)).toBeUndefined();
});

test('deleting an artist deletes their current and former studios', async () => {
  const { database } = await openTestApp();
  const artist = await addArtist(database);
  await addAppointment(database, artist);
  const address = {
    name: 'Next',
    address_one: '2 Example Street',
    city: 'Albany',
    state: 'NY',
    zip_code: '12207',
    time_zone: 'America/New_York',
  };
  await moveStudio(database, artist.id, artist.studioId, address, NOON + 24 * 3_600_000);
  const next = (await findStudio(database, artist.id))?.id ?? '';
  await deleteArtist(database, artist.id);
  const studios = database
    .selectFrom('studios')
    .select('id')
    .where('id', 'in', [artist.studioId, next]);
  expect(await studios.execute()).toEqual([]);
});

test('an insert during the deletion of its artist waits, and then fails on the foreign key', async () => {
  const { database } = await openTestApp();
  const artist = await addArtist(database);
  let adding: Promise<unknown> = Promise.resolve();
  await database.transaction().execute(async (transaction) => {
    await lockArtistForDeletion(transaction, artist.id);
    adding = addService(database, artist).catch((error: unknown) => error);
    await deleteArtist(transaction, artist.id);
  });
  expect(await adding).toMatchObject({ code: '23503' });
});
