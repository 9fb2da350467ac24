import { expect, test } from 'vitest';
import { MINUTE_MS } from '#domain/time.ts';
import {
  consumePasswordRecovery,
  deleteExpiredPasswordRecoveries,
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
