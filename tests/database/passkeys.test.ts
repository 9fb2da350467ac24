import { expect, test } from 'vitest';
import * as passkeys from '#server/database/passkeys.ts';
import { openTestApp } from '#support/test_app.ts';

test('of two answers to one challenge only one counts, and none after its time', async () => {
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
});
