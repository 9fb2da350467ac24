import { expect, test } from 'vitest';
import { refuse } from '#domain/refusal.ts';
import { findMail, insertMails } from '#server/database/mails.ts';
import { createJobHandlers } from '#server/jobs/handlers.ts';
import {
  addAppointment,
  addArtist,
  createAppointmentFacts,
  NOON,
  occupiesTime,
} from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

async function setUp(purgeInJob: (tags: readonly string[]) => Promise<void> = async () => {}) {
  const opened = await openTestContext();
  const { database } = opened.context;
  const artist = await addArtist(database);
  return {
    ...opened,
    database,
    artist,
    handlers: createJobHandlers(opened.context, { purgeInJob }),
  };
}

test('a mail job sends its mail', async () => {
  const { database, artist, handlers, mails } = await setUp();
  const appointment = createAppointmentFacts(artist, await addAppointment(database, artist));
  const mail = { notice: { kind: 'booked', appointment }, address: 'rosa@example.com' } as const;
  const [id = ''] = await insertMails(database, [{ ...mail, artistId: artist.id }]);
  await handlers.run.mail(id);
  expect(mails.map((sent) => sent.id)).toEqual([id]);
  expect((await findMail(database, id))?.status).toBe('sent');
});

test('a failed job is logged with its task, and rejects so that it is retried', async () => {
  const { handlers, logs } = await setUp(() => Promise.reject(new Error('Unreachable')));
  await expect(handlers.run.purge('artist:one')).rejects.toThrow('Unreachable');
  expect(logs).toEqual(['Jobs: purging a CDN failed (trying again): Error: Unreachable']);
});

test('a job that fails with an expected refusal is not logged', async () => {
  const refusal = refuse('billing_unreachable');
  const { handlers, logs } = await setUp(() => Promise.reject(refusal));
  await expect(handlers.run.purge('artist:one')).rejects.toBe(refusal);
  expect(logs).toEqual([]);
});

test('a dead letter is logged with its consequence', async () => {
  const { handlers, logs } = await setUp();
  await handlers.deadLetter.payment('evt_one');
  await handlers.deadLetter.cancel_subscription('cus_one');
  await handlers.deadLetter.purge('artist:one,designs:one');
  expect(logs).toEqual([
    'Jobs: a payment event was given up after two days: evt_one',
    'Jobs: a deleted account may still be charged: cancelling failed for two days: cus_one',
    'Jobs: CDNs may serve old pages until they expire: purging failed for two days: artist:one,designs:one',
  ]);
});

test('the minutely job expires holds that are past their expiry', async () => {
  const { database, artist, handlers } = await setUp();
  const expired = { status: 'held', expiresAt: Date.now() - 1000 } as const;
  const id = await addAppointment(database, artist, expired);
  const unexpired = await addAppointment(database, artist, {
    status: 'held',
    start: NOON + 7_200_000,
    expiresAt: NOON,
  });
  await handlers.everyMinute();
  expect([await occupiesTime(database, id), await occupiesTime(database, unexpired)]).toEqual([
    false,
    true,
  ]);
});

test('without billing the daily job logs no error', async () => {
  const { handlers, logs } = await setUp();
  await handlers.everyDay();
  expect(logs).toEqual([]);
});
