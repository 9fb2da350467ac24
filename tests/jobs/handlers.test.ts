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

async function open(purgeAgain: (tags: readonly string[]) => Promise<void> = async () => {}) {
  const opened = await openTestContext();
  const { database } = opened.context;
  const artist = await addArtist(database);
  return {
    ...opened,
    database,
    artist,
    handlers: createJobHandlers(opened.context, { purgeAgain }),
  };
}

test('a mail job sends its mail', async () => {
  const { database, artist, handlers, mails } = await open();
  const appointment = createAppointmentFacts(artist, await addAppointment(database, artist));
  const mail = { notice: { kind: 'booked', appointment }, address: 'rosa@example.com' } as const;
  const [id = ''] = await insertMails(database, [{ ...mail, artistId: artist.id }]);
  await handlers.run.mail(id);
  expect(mails.map((sent) => sent.id)).toEqual([id]);
  expect((await findMail(database, id))?.status).toBe('sent');
});

test('a job that fails is logged by what it was to do, and tried again', async () => {
  const { handlers, logs: logged } = await open(() => Promise.reject(new Error('Unreachable')));
  await expect(handlers.run.purge('artist:one')).rejects.toThrow('Unreachable');
  expect(logged).toEqual(['Jobs: purging a CDN failed (trying again): Error: Unreachable']);
});

test('an expected refusal is not logged again', async () => {
  const refusal = refuse('billing_unreachable');
  const { handlers, logs: logged } = await open(() => Promise.reject(refusal));
  await expect(handlers.run.purge('artist:one')).rejects.toBe(refusal);
  expect(logged).toEqual([]);
});

test('a job that is given up is logged with what is left undone', async () => {
  const { handlers, logs: logged } = await open();
  await handlers.deadLetter.payment('evt_one');
  await handlers.deadLetter.cancel_subscription('cus_one');
  await handlers.deadLetter.purge('artist:one,designs:one');
  expect(logged).toEqual([
    'Jobs: a payment event was given up after two days: evt_one',
    'Jobs: a deleted account may still be charged: cancelling failed for two days: cus_one',
    'Jobs: CDNs may serve old pages until they expire: purging failed for two days: artist:one,designs:one',
  ]);
});

test('every minute lapsed holds are released by the database’s clock', async () => {
  const { database, artist, handlers } = await open();
  const lapsed = { status: 'held', expiresAt: Date.now() - 1000 } as const;
  const id = await addAppointment(database, artist, lapsed);
  const lasting = await addAppointment(database, artist, {
    status: 'held',
    start: NOON + 7_200_000,
    expiresAt: NOON,
  });
  await handlers.everyMinute();
  expect([await occupiesTime(database, id), await occupiesTime(database, lasting)]).toEqual([
    false,
    true,
  ]);
});

test('without billing the daily job asks no card provider, and fails at nothing', async () => {
  const { handlers, logs: logged } = await open();
  await handlers.everyDay();
  expect(logged).toEqual([]);
});
