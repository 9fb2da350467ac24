import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { MINUTE_MS } from '#domain/time.ts';
import { updateArtist } from '#server/database/artists.ts';
import {
  consumePasswordRecovery,
  deleteExpiredPasswordRecoveries,
  deletePasswordRecoveries,
  findRecoverableArtist,
  insertPasswordRecovery,
} from '#server/database/password_recoveries.ts';
import { addArtist } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

const newHash = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32)));

const used = ({ id, email }: { id: string; email: string }) => ({ artistId: id, email });

async function openRecovery() {
  const { database } = await openTestApp();
  const artist = await addArtist(database);
  const hash = newHash();
  await insertPasswordRecovery(database, artist.id, hash, artist.email);
  return { database, artist, hash };
}

test('an active artist is found by email, ignoring case', async () => {
  const { database, artist } = await openRecovery();
  expect((await findRecoverableArtist(database, artist.email.toUpperCase()))?.id).toBe(artist.id);
  expect(await findRecoverableArtist(database, `x${artist.email}`)).toBeUndefined();
  await updateArtist(database, artist.id, { is_active: false });
  expect(await findRecoverableArtist(database, artist.email)).toBeUndefined();
});

test('a recovery token works once', async () => {
  const { database, artist, hash } = await openRecovery();
  expect(await consumePasswordRecovery(database, hash)).toEqual(used(artist));
  expect(await consumePasswordRecovery(database, hash)).toBeUndefined();
});

test('of two concurrent uses of an artist’s recovery tokens, one succeeds', async () => {
  const { database, artist, hash } = await openRecovery();
  const other = newHash();
  await insertPasswordRecovery(database, artist.id, other, artist.email);
  const results = await Promise.all(
    [hash, other, hash].map((token) =>
      database.transaction().execute((tx) => consumePasswordRecovery(tx, token)),
    ),
  );
  expect(results.filter((result) => result?.artistId === artist.id)).toHaveLength(1);
});

test('recovery tokens of an artist are valid side by side until one is used', async () => {
  const { database, artist, hash } = await openRecovery();
  const later = newHash();
  await insertPasswordRecovery(database, artist.id, later, artist.email);
  expect(await consumePasswordRecovery(database, hash)).toEqual(used(artist));
  expect(await consumePasswordRecovery(database, later)).toBeUndefined();
});

test('expired recovery tokens are deleted, and others are not', async () => {
  const { database, artist, hash } = await openRecovery();
  const count = async () =>
    (
      await database
        .selectFrom('password_recoveries')
        .select('artist_id')
        .where('artist_id', '=', artist.id)
        .execute()
    ).length;
  await deleteExpiredPasswordRecoveries(database, Date.now() + 59 * MINUTE_MS);
  expect(await count()).toBe(1);
  expect(await consumePasswordRecovery(database, hash)).toEqual(used(artist));
  await insertPasswordRecovery(database, artist.id, hash, artist.email);
  await deleteExpiredPasswordRecoveries(database, Date.now() + 61 * MINUTE_MS);
  expect(await count()).toBe(0);
});

test('a recovery token lasts an hour', async () => {
  const { database, artist, hash } = await openRecovery();
  const { minutes } = await database
    .selectFrom('password_recoveries')
    .select(sql<number>`round(extract(epoch FROM expires_at - now()) / 60)::int`.as('minutes'))
    .where('artist_id', '=', artist.id)
    .executeTakeFirstOrThrow();
  expect(minutes).toBe(60);
  await database
    .updateTable('password_recoveries')
    .set({ expires_at: sql<Date>`now()` })
    .where('artist_id', '=', artist.id)
    .execute();
  expect(await consumePasswordRecovery(database, hash)).toBeUndefined();
});

test('a recovery token of an inactive artist, or a deleted one, is refused', async () => {
  const { database, artist, hash } = await openRecovery();
  await updateArtist(database, artist.id, { is_active: false });
  expect(await consumePasswordRecovery(database, hash)).toBeUndefined();
  await updateArtist(database, artist.id, { is_active: true });
  await deletePasswordRecoveries(database, artist.id);
  expect(await consumePasswordRecovery(database, hash)).toBeUndefined();
});
