import { expect, test } from 'vitest';
import * as senders from '#server/database/blocked_senders.ts';
import { hashKey, hashMailbox } from '#server/database/hashed_keys.ts';
import { addArtist } from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

const ROSA = { email: 'rosa@example.com', network: '203.0.113.0/24' };
const ROSAS_MAILBOX = {
  kind: 'email',
  hash: hashMailbox(ROSA.email),
  hint: 'r•••@example.com',
} as const;

test('a sender is blocked by mailbox or by network, for one artist only', async () => {
  const { database } = (await openTestContext()).context;
  const [ana, bo] = [await addArtist(database), await addArtist(database)];
  const isBlocked = (artistId: string, sender: senders.Sender) =>
    senders.isSenderBlocked(database, artistId, sender);
  expect(await isBlocked(ana.id, ROSA)).toBe(false);
  await senders.insertBlockedSender(database, ana.id, ROSAS_MAILBOX);
  expect(await isBlocked(ana.id, { ...ROSA, network: '198.51.100.0/24' })).toBe(true);
  expect(await isBlocked(ana.id, { ...ROSA, email: 'lena@example.com' })).toBe(false);
  expect(await isBlocked(bo.id, ROSA)).toBe(false);
  await senders.insertBlockedSender(database, ana.id, {
    ...{ kind: 'network', hash: hashKey(ROSA.network), hint: '203.•••' },
  });
  expect(await isBlocked(ana.id, { ...ROSA, email: 'lena@example.com' })).toBe(true);
});

test('blocking the same sender twice stores it once', async () => {
  const { database } = (await openTestContext()).context;
  const ana = await addArtist(database);
  const first = await senders.insertBlockedSender(database, ana.id, ROSAS_MAILBOX);
  const second = await senders.insertBlockedSender(database, ana.id, ROSAS_MAILBOX);
  expect(second.id).toBe(first.id);
  expect(await senders.listBlockedSenders(database, ana.id)).toHaveLength(1);
  const stranger = await addArtist(database);
  expect(await senders.deleteBlockedSender(database, stranger.id, first.id)).toBe(false);
  expect(await senders.deleteBlockedSender(database, ana.id, first.id)).toBe(true);
});
