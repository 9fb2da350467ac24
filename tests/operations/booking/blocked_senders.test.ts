import { expect, test } from 'vitest';
import { hashKey } from '#server/database/hashed_keys.ts';
import {
  blockSender,
  listBlockedSenders,
  requireUnblocked,
  unblockSender,
} from '#server/operations/booking/abuse.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addArtist, NOON } from '#support/database_rows.ts';

const ROSA = { email: 'rosa@example.com', networks: ['203.0.113.0/24'] };

test('a sender is blocked by mailbox or by network, for one artist only', async () => {
  const { context, database, artist: ana } = await openArtistContext();
  const bo = await addArtist(database);
  const isBlocked = (artistId: string, sender: Parameters<typeof requireUnblocked>[2]) =>
    requireUnblocked(database, artistId, sender).then(
      () => false,
      (error) => error.reason === 'sender_blocked',
    );
  expect(await isBlocked(ana.id, ROSA)).toBe(false);
  await blockSender(context, ana.id, { email: ROSA.email }, NOON);
  expect(await isBlocked(ana.id, { ...ROSA, networks: ['198.51.100.0/24'] })).toBe(true);
  expect(await isBlocked(ana.id, { ...ROSA, email: 'lena@example.com' })).toBe(false);
  expect(await isBlocked(ana.id, { ...ROSA, email: null })).toBe(false);
  expect(await isBlocked(bo.id, ROSA)).toBe(false);
  const network = { kind: 'network', value: hashKey('203.0.113.0/24'), hint: '203.•••' };
  await database
    .insertInto('blocked_senders')
    .values({ artist_id: ana.id, ...network })
    .execute();
  expect(await isBlocked(ana.id, { ...ROSA, email: 'lena@example.com' })).toBe(true);
});

test('blocking the same sender twice stores it once', async () => {
  const { context, database, artist } = await openArtistContext();
  const first = await blockSender(context, artist.id, { email: ROSA.email }, NOON);
  const second = await blockSender(context, artist.id, { email: ROSA.email }, NOON);
  expect(second.id).toBe(first.id);
  expect((await listBlockedSenders(context, artist.id)).data).toEqual([first]);
  const stranger = await addArtist(database);
  await expect(unblockSender(context, stranger.id, first.id)).rejects.toMatchObject({
    reason: 'not_found',
  });
  await unblockSender(context, artist.id, first.id);
  expect((await listBlockedSenders(context, artist.id)).count).toBe(0);
});
