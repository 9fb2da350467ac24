import { expect, test } from 'vitest';
import * as stops from '#server/database/stopped_mailboxes.ts';
import { openTestApp } from '#support/test_app.ts';

test('mail is stopped from one artist or from everyone, and stopping twice is harmless', async () => {
  const { database } = await openTestApp();
  const [hash, ana, bo] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  const scopes = async () => [
    await stops.findStoppedScope(database, hash, ana),
    await stops.findStoppedScope(database, hash, bo),
    await stops.findStoppedScope(database, hash, null),
  ];
  expect(await scopes()).toEqual([null, null, null]);
  for (let n = 0; n < 2; n += 1) await stops.insertStoppedMailbox(database, hash, ana);
  expect(await scopes()).toEqual(['artist', null, null]);
  for (let n = 0; n < 2; n += 1) await stops.insertStoppedMailbox(database, hash, null);
  expect(await scopes()).toEqual(['everyone', 'everyone', 'everyone']);
  await stops.deleteStoppedMailbox(database, hash, bo);
  expect(await scopes()).toEqual(['artist', null, null]);
});
