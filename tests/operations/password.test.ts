import { expect, test } from 'vitest';
import { findPasswordHash } from '#server/database/artists.ts';
import {
  hashPassword,
  savePasswordAndNotify,
  verifyPassword,
} from '#server/operations/password.ts';
import { addArtist, listNotices } from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

test('a password is hashed with argon2id, 19 MiB and two passes, and a salt of its own', async () => {
  const [one, other] = await Promise.all([
    hashPassword('correct horse'),
    hashPassword('correct horse'),
  ]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(other).not.toBe(one);
});

test('a hash verifies its own password and no other', async () => {
  const hashed = await hashPassword('correct horse');
  expect(await verifyPassword(hashed, 'correct horse')).toBe(true);
  expect(await verifyPassword(hashed, 'Correct horse')).toBe(false);
});

test('a new password ends earlier tokens, and the artist is told', async () => {
  const { context } = await openTestContext();
  const { database } = context;
  const artist = await addArtist(database);
  const version = (await findPasswordHash(database, artist.id))?.token_version ?? 0;
  const save = (ifVersion?: number) =>
    database
      .transaction()
      .execute((transaction) =>
        savePasswordAndNotify(context, transaction, artist.id, 'hash', ifVersion),
      );
  expect(await save(version)).toBe(version + 1);
  expect(await listNotices(database, artist.id)).toEqual([`password_changed to ${artist.email}`]);
});

test('a password that was changed meanwhile stays, and nobody is told', async () => {
  const { context } = await openTestContext();
  const { database } = context;
  const artist = await addArtist(database);
  const saved = database
    .transaction()
    .execute((transaction) => savePasswordAndNotify(context, transaction, artist.id, 'hash', 999));
  expect(await saved).toBeUndefined();
  expect((await findPasswordHash(database, artist.id))?.password_hash).toBe('no hash');
  expect(await listNotices(database, artist.id)).toEqual([]);
});
