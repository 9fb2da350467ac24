import { expect, test } from 'vitest';
import { RateLimited } from '#domain/refusal.ts';
import { queueLinksMail, requestLinks } from '#server/operations/mail/appointment_links.ts';
import { addAppointment, addArtist, listNotices, NOON } from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

const NETWORK = '192.0.2.1';
const ROSA = 'rosa@example.com';

async function setUp() {
  const opened = await openTestContext({ hasLimitsPerTime: true });
  const { database } = opened.context;
  const artist = await addArtist(database);
  await addAppointment(database, artist, { email: ROSA });
  return { ...opened, artist };
}

test('the request does the same work with and without an appointment: it stores a job', async () => {
  const { context, artist, jobs } = await setUp();
  for (const email of [ROSA, 'stranger@example.com'])
    await requestLinks(context, artist.username, email, NETWORK);
  expect(jobs).toEqual(
    [ROSA, 'stranger@example.com'].map((email) => ({
      kind: 'links',
      artistId: artist.id,
      email,
      network: NETWORK,
      occasion: expect.any(String),
    })),
  );
  expect(await listNotices(context.database, artist.id)).toEqual([]);
});

test('a job that runs twice queues one mail, and none for an email without an appointment', async () => {
  const { context, artist } = await setUp();
  const job = { artistId: artist.id, email: ROSA, network: NETWORK, occasion: 'one' };
  for (let run = 0; run < 2; run += 1) await queueLinksMail(context, job, NOON);
  await queueLinksMail(context, { ...job, email: 'stranger@example.com' }, NOON);
  expect(await listNotices(context.database, artist.id)).toEqual([`links to ${ROSA}`]);
});

test('at most two mails a day are for one email of an artist; other spellings, which find nothing, do not count', async () => {
  const { context, artist, jobs } = await setUp();
  const emails = [
    'r.osa@gmail.com',
    'Rosa+ink@gmail.com',
    'rosa@gmail.com',
    'Rosa@gmail.com',
    'rosa@gmail.com',
  ];
  for (const [nth, email] of emails.entries())
    await requestLinks(context, artist.username, email, `198.51.100.${nth}`);
  expect(jobs).toHaveLength(4);
  const other = await addArtist(context.database);
  await requestLinks(context, other.username, 'rosa@gmail.com', NETWORK);
  expect(jobs).toHaveLength(5);
});

test('one network may ask twenty times an hour, of all artists', async () => {
  const { context, artist } = await setUp();
  const other = await addArtist(context.database);
  const network = '203.0.113.9';
  const ask = (n: number, from: string) =>
    requestLinks(context, (n % 2 ? artist : other).username, `n${n}@example.com`, from);
  for (let n = 0; n < 20; n += 1) await ask(n, network);
  await expect(ask(20, network)).rejects.toBeInstanceOf(RateLimited);
  await ask(21, '203.0.113.10');
});
