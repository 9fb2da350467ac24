import { expect, test } from 'vitest';
import { findPasswordHash } from '#server/database/artists.ts';
import {
  hashPassword,
  savePasswordAndNotify,
  UNKNOWN_PASSWORD_HASH,
  verifyPassword,
} from '#server/operations/password.ts';
import { addArtist, listNotices } from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

test('the hash for unknown emails has the usual parameters, so verifying it takes as long', async () => {
  const [, algorithm, version, parameters] = (await hashPassword('any')).split('$');
  expect(UNKNOWN_PASSWORD_HASH).toContain(`$${algorithm}$${version}$${parameters}$`);
  expect(await verifyPassword(UNKNOWN_PASSWORD_HASH, 'any')).toBe(false);
});

test('a password is hashed with argon2id, 19 MiB, two passes and a random salt', async () => {
  const [one, other] = await Promise.all([
    hashPassword('correct horse'),
    hashPassword('correct horse'),
  ]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(other).not.toBe(one);
});

test('a hash verifies only its own password', async () => {
  const hashed = await hashPassword('correct horse');
  expect(await verifyPassword(hashed, 'correct horse')).toBe(true);
  expect(await verifyPassword(hashed, 'Correct horse')).toBe(false);
});

test('saving a password increments the token version and mails the artist', async () => {
  const { context } = await openTestContext();
  const { database } = context;
  const artist = await addArtist(database);
  const version = (await findPasswordHash(database, artist.id))?.token_version ?? 0;
  const save = (ifVersion?: number) =>
    database.transaction().execute((transaction) =>
      savePasswordAndNotify(context, transaction, artist.id, 'hash', {
        ...(ifVersion !== undefined && { expectedVersion: ifVersion }),
      }),
    );
  expect(await save(version)).toBe(version + 1);
  expect(await listNotices(database, artist.id)).toEqual([`password_changed to ${artist.email}`]);
});

test('a password changed concurrently is not overwritten, and no mail is sent', async () => {
  const { context } = await openTestContext();
  const { database } = context;
  const artist = await addArtist(database);
  const saved = database
    .transaction()
    .execute((transaction) =>
      savePasswordAndNotify(context, transaction, artist.id, 'hash', { expectedVersion: 999 }),
    );
  expect(await saved).toBeUndefined();
  expect((await findPasswordHash(database, artist.id))?.password_hash).toBe('no hash');
  expect(await listNotices(database, artist.id)).toEqual([]);
});
