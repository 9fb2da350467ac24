import { expect, test } from 'vitest';
import * as passkeys from '#server/database/passkeys.ts';
import { addArtist } from '#support/database_rows.ts';
import { addPasskeyRow } from '#support/passkey_device.ts';
import { openTestApp } from '#support/test_app.ts';

test('passkeys are found by their credential, deleted only by their artist, and all together', async () => {
  const { database } = await openTestApp();
  const [artist, stranger] = [await addArtist(database), await addArtist(database)];
  const { id } = await addPasskeyRow(database, artist.id);
  await addPasskeyRow(database, artist.id);
  const [listed] = await passkeys.listPasskeys(database, artist.id);
  const found = await passkeys.findPasskey(database, listed?.credential_id ?? '');
  expect(found).toMatchObject({ passkey_id: listed?.id, id: artist.id });
  expect(await passkeys.deletePasskey(database, stranger.id, id)).toBe(false);
  expect(await passkeys.deletePasskey(database, artist.id, id)).toBe(true);
  await passkeys.deletePasskeys(database, artist.id);
  expect(await passkeys.listPasskeys(database, artist.id)).toEqual([]);
});

test('of two answers to one challenge only one counts; an expired one is deleted', async () => {
  const { database } = await openTestApp();
  const now = Date.now();
  const challenge = crypto.randomUUID();
  await passkeys.insertPasskeyChallenge(database, challenge, null, now + 1000);
  const answers = await Promise.all(
    [1, 2].map(() => passkeys.consumePasskeyChallenge(database, challenge, null, now)),
  );
  expect(answers.toSorted()).toEqual([false, true]);
  await passkeys.insertPasskeyChallenge(database, challenge, null, now - 1000);
  expect(await passkeys.consumePasskeyChallenge(database, challenge, null, now)).toBe(false);
  await passkeys.deleteExpiredPasskeyChallenges(database, now);
  await passkeys.insertPasskeyChallenge(database, challenge, null, now + 1000);
});
