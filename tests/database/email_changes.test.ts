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

test('an artist has one change that waits: a newer one replaces it', async () => {
  const { database, artist, insert } = await setUp();
  const first = await insert('first@example.com');
  const second = await insert('second@example.com');
  expect((await changes.findPendingEmailChange(database, artist.id))?.id).toBe(second);
  expect(await changes.markEmailChangeHeld(database, first, true)).toBe(false);
  expect(await changes.markEmailChangeHeld(database, second, true)).toBe(true);
  expect(await changes.findPendingEmailChange(database, artist.id)).toBeUndefined();
  expect(await changes.findEmailChange(database, second)).toMatchObject({
    artistId: artist.id,
    newEmail: 'second@example.com',
    appliedAt: expect.any(Number),
    undoneAt: null,
  });
});

test('an email is reserved while its change holds and can be undone, but not for its own artist', async () => {
  const { database, artist, insert } = await setUp();
  const stranger = await addArtist(database);
  const isReserved = (artistId: string, since = Date.now() - DAY_MS) =>
    changes.isEmailReserved(database, artist.email.toUpperCase(), artistId, since);
  const id = await insert('new@example.com');
  expect(await isReserved(stranger.id)).toBe(false);
  await changes.markEmailChangeHeld(database, id, true);
  expect(await isReserved(stranger.id)).toBe(true);
  expect(await isReserved(artist.id)).toBe(false);
  expect(await isReserved(stranger.id, Date.now() + 1000)).toBe(false);
  await changes.markEmailChangesUndone(database, { artistId: artist.id, requestedAt: 0 });
  expect(await isReserved(stranger.id)).toBe(false);
});

test('a change whose link is disabled can no longer be undone, and reserves nothing', async () => {
  const { database, artist, insert } = await setUp();
  const stranger = await addArtist(database);
  const id = await insert('new@example.com');
  await changes.markEmailChangeHeld(database, id, true);
  await changes.disableEmailUndos(database, artist.id);
  expect(await changes.findEmailChange(database, id)).toMatchObject({ canBeUndone: false });
  expect(await changes.isEmailReserved(database, artist.email, stranger.id, 0)).toBe(false);
});

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
