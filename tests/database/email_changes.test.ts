import { expect, test } from 'vitest';
import { DAY_MS } from '#domain/time.ts';
import * as changes from '#server/database/email_changes.ts';
import { addArtist } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

async function setUp() {
  const { database } = await openTestApp();
  const artist = await addArtist(database);
  const insert = (newEmail: string) =>
    changes.insertEmailChange(database, {
      artistId: artist.id,
      oldEmail: artist.email,
      newEmail,
      canBeUndone: true,
    });
  return { database, artist, insert };
}

test('old changes are deleted, also those that still wait', async () => {
  const { database, artist, insert } = await setUp();
  const id = await insert('new@example.com');
  await changes.deleteOldEmailChanges(database, Date.now() - DAY_MS);
  expect(await changes.findEmailChange(database, id)).toBeDefined();
  await database
    .updateTable('email_changes')
    .set({ requested_at: new Date(Date.now() - 2 * DAY_MS) })
    .where('artist_id', '=', artist.id)
    .execute();
  await changes.deleteOldEmailChanges(database, Date.now() - DAY_MS);
  expect(await changes.findEmailChange(database, id)).toBeUndefined();
});
