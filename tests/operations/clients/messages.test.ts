import { expect, test } from 'vitest';
import { ProofOfWorkRequired, RateLimited } from '#domain/refusal.ts';
import { updateArtist } from '#server/database/artists.ts';
import { createProofOfWorkTask } from '#server/operations/booking/proof_of_work.ts';
import {
  addContactMessage,
  listMessages,
  markMessagesRead,
} from '#server/operations/clients/messages.ts';
import type { Context } from '#server/operations/context.ts';
import { addArtist, listNotices } from '#support/database_rows.ts';
import { solve } from '#support/proof_of_work.ts';
import { openTestContext } from '#support/test_context.ts';

const PAGE = { skip: 0, limit: 100 };
const CALL = { network: '192.0.2.1', now: Date.now() };
const MESSAGE = { name: 'Rosa', email: 'rosa@example.com', message: 'Do you do cover-ups?' };

/** The solution of a proof of work, as the header of a request. */
async function solved(context: Context, artistId: string): Promise<string> {
  const headers = await solve(await createProofOfWorkTask(context, artistId, Date.now()));
  return headers['Proof-Of-Work'];
}

async function setUp(changes: Parameters<typeof openTestContext>[0] = {}) {
  const opened = await openTestContext(changes);
  return { ...opened, artist: await addArtist(opened.context.database) };
}

/** Stores unread messages, each from the network that `networkOf` gives. */
async function addUnread(
  { database }: Context,
  artistId: string,
  count: number,
  networkOf: (nth: number) => string | null = () => null,
): Promise<void> {
  const row = { artist_id: artistId, mailbox: 'hash', ...MESSAGE };
  const rows = Array.from({ length: count }, (_, nth) => ({ ...row, network: networkOf(nth) }));
  await database.insertInto('messages').values(rows).execute();
}

test('a visitor’s message is stored and mailed to the artist', async () => {
  const { context, artist } = await setUp();
  const message = await addContactMessage(context, artist.username.toUpperCase(), MESSAGE, CALL);
  expect(message).toEqual({
    id: message.id,
    created_at: message.created_at,
    read_at: null,
    ...MESSAGE,
  });
  expect(await listMessages(context, artist.id, PAGE)).toEqual({ data: [message], count: 1 });
  expect(await listNotices(context.database, artist.id)).toEqual([
    `contact_message to ${artist.email}`,
  ]);
});

test('messages to an inactive or unknown artist are refused', async () => {
  const { context, artist } = await setUp();
  await updateArtist(context.database, artist.id, { is_active: false });
  for (const username of [artist.username, 'nobody.at.all'])
    await expect(addContactMessage(context, username, MESSAGE, CALL)).rejects.toMatchObject({
      reason: 'not_found',
    });
});

test('messages beyond sixty an hour are stored and shown without a mail', async () => {
  const { context, artist } = await setUp({ hasLimitsPerTime: true });
  for (let n = 0; n < 62; n += 1)
    await addContactMessage(context, artist.username, MESSAGE, {
      ...CALL,
      network: `192.0.2.${n}`,
    });
  expect((await listMessages(context, artist.id, PAGE)).count).toBe(62);
  expect(await listNotices(context.database, artist.id)).toHaveLength(60);
});

test('one network may send an artist thirty messages an hour', async () => {
  const { context, artist } = await setUp({ hasLimitsPerTime: true });
  const send = (network: string) =>
    addContactMessage(context, artist.username, MESSAGE, { ...CALL, network });
  for (let n = 0; n < 30; n += 1) await send('203.0.113.7');
  await expect(send('203.0.113.7')).rejects.toBeInstanceOf(RateLimited);
  await send('203.0.113.8');
  const other = await addArtist(context.database);
  await addContactMessage(context, other.username, MESSAGE, { ...CALL, network: '203.0.113.7' });
});

test('concurrent messages never exceed two thousand unread ones; reading makes room', async () => {
  const { context, artist } = await setUp();
  await addUnread(context, artist.id, 1997);
  const send = async () => {
    const work = await solved(context, artist.id);
    return addContactMessage(context, artist.username, MESSAGE, { ...CALL, proofOfWork: work });
  };
  const settled = await Promise.allSettled(Array.from({ length: 8 }, send));
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  const full = { reason: 'inbox_full' };
  for (const result of settled)
    if (result.status === 'rejected') expect(result.reason).toMatchObject(full);
  const { data, count } = await listMessages(context, artist.id, PAGE);
  expect(count).toBe(2000);
  const stranger = await addArtist(context.database);
  const ids = data.map(({ id }) => id);
  await markMessagesRead(context, stranger.id, ids);
  await expect(send()).rejects.toMatchObject(full);
  await markMessagesRead(context, artist.id, ids.slice(0, 1));
  await send();
  const read = (await listMessages(context, artist.id, { skip: 0, limit: 2100 })).data.filter(
    ({ read_at }) => read_at !== null,
  );
  expect(read.map(({ id }) => id)).toEqual(ids.slice(0, 1));
});

test('one network has at most fifty unread messages in an inbox, also concurrently; others still write', async () => {
  const { context, artist } = await setUp();
  await addUnread(context, artist.id, 47, () => CALL.network);
  const send = (network = CALL.network) =>
    addContactMessage(context, artist.username, MESSAGE, { ...CALL, network });
  const settled = await Promise.allSettled(Array.from({ length: 8 }, () => send()));
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  const full = { reason: 'inbox_full_for_network' };
  for (const result of settled)
    if (result.status === 'rejected') expect(result.reason).toMatchObject(full);
  const { id } = await send('192.0.2.2');
  const other = await addArtist(context.database);
  await addContactMessage(context, other.username, MESSAGE, CALL);
  await markMessagesRead(context, artist.id, [id]);
  await expect(send()).rejects.toMatchObject(full);
  const { data } = await listMessages(context, artist.id, PAGE);
  const oldest = data.slice(-1).map((message) => message.id);
  await markMessagesRead(context, artist.id, oldest);
  await send();
});

test('one /48 of IPv6 cannot fill an inbox, and sends as often as one network', async () => {
  const { context, artist } = await setUp({ hasLimitsPerTime: true });
  const networkOf = (nth: number) => `2001:db8:7:${nth.toString(16)}00::/56`;
  await addUnread(context, artist.id, 100, networkOf);
  const send = (network: string, to = artist) =>
    addContactMessage(context, to.username, MESSAGE, { ...CALL, network });
  await expect(send(networkOf(200))).rejects.toMatchObject({ reason: 'inbox_full_for_network' });
  await send('2001:db8:8:100::/56');
  await send('203.0.113.0/24');
  const other = await addArtist(context.database);
  for (let nth = 0; nth < 30; nth += 1) await send(networkOf(nth), other);
  await expect(send(networkOf(200), other)).rejects.toBeInstanceOf(RateLimited);
});

test('from five hundred unread messages on, one more needs a proof of work', async () => {
  const { context, artist } = await setUp();
  await addUnread(context, artist.id, 500);
  const send = (work?: string) =>
    addContactMessage(context, artist.username, MESSAGE, { ...CALL, proofOfWork: work });
  await expect(send()).rejects.toBeInstanceOf(ProofOfWorkRequired);
  await send(await solved(context, artist.id));
});
