import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { refuse } from '#domain/refusal.ts';
import { HOUR_MS } from '#domain/time/time.ts';
import { createJobHandlers } from '#server/jobs/handlers.ts';
import { JOB_KINDS } from '#server/jobs/jobs.ts';
import type { ErrorPlace } from '#server/operations/context.ts';
import { findSiteAsset, publishSiteAssets } from '#server/operations/site_assets.ts';
import { openBilledTestApp } from '#support/billed_test_app.ts';
import { addAppointment, addArtist, addImage, occupiesTime } from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

async function setUp(purgeInJob: (tags: readonly string[]) => Promise<void> = async () => {}) {
  const recorded: [unknown, ErrorPlace][] = [];
  const opened = await openTestContext({
    recordError: (error, place) => recorded.push([error, place]),
  });
  const { database } = opened.context;
  const artist = await addArtist(database);
  return {
    ...opened,
    recorded,
    database,
    artist,
    handlers: createJobHandlers(opened.context, opened.context, { purgeInJob }),
  };
}

const SIGNAL = new AbortController().signal;

test('a job whose data has an unknown form is logged without its data, and rejects so that it is retried', async () => {
  const { handlers, logs } = await setUp();
  const data = { address: 'rosa@example.com' };
  for (const kind of JOB_KINDS) {
    await expect(handlers.run(kind, data, SIGNAL)).rejects.toThrow();
    await expect(handlers.giveUp(kind, data)).rejects.toThrow();
  }
  expect(logs).toEqual(
    JOB_KINDS.flatMap((kind) =>
      Array(2).fill(
        `Jobs: The data of a job has an unknown form (trying again, on any server) {"kind":"${kind}"}`,
      ),
    ),
  );
});

test('a failed job is logged with its task and recorded with its queue, and rejects so that it is retried', async () => {
  const failure = new Error('Unreachable');
  const { handlers, logs, recorded } = await setUp(() => Promise.reject(failure));
  const running = handlers.run('purge', { tags: ['artist:one'] }, SIGNAL);
  await expect(running).rejects.toThrow('Unreachable');
  expect(logs).toEqual([
    expect.stringMatching(
      /^Jobs: Purging a CDN failed \(trying again\): Error: Unreachable\n +at /,
    ),
  ]);
  expect(recorded).toEqual([[failure, { queue: 'purge' }]]);
});

test.each([
  ['billing_unreachable', 'expected, is neither logged nor recorded', 0],
  ['busy', 'that comes after deadlocks, is logged and recorded like any failure', 1],
] as const)('the refusal %s of a job, %s', async (reason, _, times) => {
  const refusal = refuse(reason);
  const { handlers, logs, recorded } = await setUp(() => Promise.reject(refusal));
  await expect(handlers.run('purge', { tags: ['artist:one'] }, SIGNAL)).rejects.toBe(refusal);
  expect(logs).toHaveLength(times);
  expect(recorded).toEqual(Array(times).fill([refusal, { queue: 'purge' }]));
});

test('a dead letter is logged with its consequence, and without an email address', async () => {
  const { handlers, logs } = await setUp();
  await handlers.giveUp('payment', { id: 'evt_one' });
  await handlers.giveUp('cancel_subscription', { id: 'cus_one' });
  await handlers.giveUp('purge', { tags: ['artist:one', 'designs:one'] });
  await handlers.giveUp('encode_avif', { imageId: 'img_one' });
  await handlers.giveUp('password_recovery', { email: 'rosa@example.com', occasion: 'first' });
  await handlers.giveUp('links', {
    artistId: 'one',
    email: 'rosa@example.com',
    network: '192.0.2.1',
    occasion: 'first',
  });
  expect(logs).toEqual([
    'Jobs: A payment event was given up after two days {"payment_event_id":"evt_one"}',
    'Jobs: A deleted account may still be charged: cancelling failed for two days {"customer_id":"cus_one"}',
    'Jobs: CDNs may serve old pages until they expire: purging failed for two days {"tags":["artist:one","designs:one"]}',
    'Jobs: A picture is served as WebP only: encoding AVIF failed (tried again tomorrow) {"image_id":"img_one"}',
    'Jobs: A recovery mail was not sent: queueing failed for two days',
    'Jobs: A mail with links was not sent: queueing failed for two days',
  ]);
});

test('the minutely job expires holds that are past their expiry', async () => {
  const { database, artist, handlers } = await setUp();
  const expired = { status: 'held', expiresAt: Date.now() - 1000 } as const;
  const id = await addAppointment(database, artist, expired);
  await handlers.minute(SIGNAL);
  expect(await occupiesTime(database, id)).toBe(false);
});

test('without billing the daily job logs no error', async () => {
  const { handlers, logs } = await setUp();
  await handlers.day(SIGNAL);
  expect(logs).toEqual([]);
});

test('the daily job deletes the files of old builds and enqueues the pictures without AVIF, although comparing subscriptions fails', async () => {
  const { app, payments } = await openBilledTestApp();
  const { database } = app;
  const { context, logs, jobs } = await openTestContext({ database, payments });
  const { id } = await addImage(database, await addArtist(database), { formats: ['webp'] });
  await publishSiteAssets(database, new Map([['old.js', Buffer.from('old')]]));
  const weekAndDayAgo = new Date(Date.now() - 8 * 24 * HOUR_MS);
  await database.updateTable('site_assets').set({ last_used_at: weekAndDayAgo }).execute();
  await sql`ALTER TABLE subscriptions RENAME TO elsewhere`.execute(database);
  await createJobHandlers(context, context, { purgeInJob: async () => {} }).day(SIGNAL);
  await sql`ALTER TABLE elsewhere RENAME TO subscriptions`.execute(database);
  expect(await findSiteAsset(database, 'old.js')).toBeUndefined();
  expect(jobs).toEqual([{ kind: 'encode_avif', imageId: id, priority: 0 }]);
  expect(logs).toEqual([
    expect.stringMatching(
      /^Tasks: Comparing subscriptions failed \(trying again tomorrow\): error: relation/,
    ),
  ]);
});
