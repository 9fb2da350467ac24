import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#domain/time/time.ts';
import { countTroubles, listJobQueues, loadQueueSizes } from '#server/database/queue_sizes.ts';
import { insertServerErrors } from '#server/database/server_errors.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { bookSlot, findSlot } from '#support/test_app.ts';

/** An application of its own with one queued mail, and its job. */
async function openWithQueuedMail() {
  const { app, artist } = await openArtistApp({ database: 'own' });
  await bookSlot(app, artist, await findSlot(app, artist));
  // The mail of the hold waits for the client, and then gets its job.
  await app.runMinutelyTasks(Date.now() + 3 * MINUTE_MS);
  await sql`UPDATE mails SET waits_until = NULL, woken_at = NULL`.execute(app.database);
  return app;
}

test('queued and failed mails are counted, and sent ones are not', async () => {
  const { database } = await openWithQueuedMail();
  expect((await loadQueueSizes(database)).mails).toMatchObject({ queued: 1, failed: 0 });
  await sql`UPDATE mails SET status = 'sent'`.execute(database);
  expect((await loadQueueSizes(database)).mails).toEqual({
    queued: 0,
    failed: 0,
    oldestSeconds: 0,
  });
  await sql`UPDATE mails SET status = 'failed'`.execute(database);
  expect((await loadQueueSizes(database)).mails).toMatchObject({ queued: 0, failed: 1 });
});

test('a mail is overdue from its creation, or from the end of its wait', async () => {
  const { database } = await openWithQueuedMail();
  await sql`UPDATE mails SET created_at = now() - interval '1 hour'`.execute(database);
  const oldestSeconds = async () => (await loadQueueSizes(database)).mails.oldestSeconds;
  expect(await oldestSeconds()).toBeGreaterThanOrEqual(3600);
  await sql`UPDATE mails SET waits_until = now() - interval '10 minutes'`.execute(database);
  expect(await oldestSeconds()).toBeGreaterThanOrEqual(600);
  expect(await oldestSeconds()).toBeLessThan(3600);
  await sql`UPDATE mails SET waits_until = now() + interval '1 hour'`.execute(database);
  expect(await oldestSeconds()).toBe(0);
});

test('a mail behind one that waits is not overdue', async () => {
  const { database } = await openWithQueuedMail();
  await sql`
    UPDATE mails SET waits_until = now() + interval '1 hour', thread = 'one'`.execute(database);
  await sql`
    INSERT INTO mails (sender_id, address, cause, notice, thread, created_at)
    SELECT sender_id, address, 'another', notice, thread, now() - interval '1 hour' FROM mails`.execute(
    database,
  );
  expect((await loadQueueSizes(database)).mails).toMatchObject({ queued: 2, oldestSeconds: 0 });
});

test('jobs are counted by queue and state, also with 0', async () => {
  const { database } = await openWithQueuedMail();
  const countJobs = async () => (await loadQueueSizes(database)).jobs;
  const inState = (state: string, count: number) => ({ queue: 'mail', state, count });
  expect(await countJobs()).toEqual(
    expect.arrayContaining([inState('created', 1), inState('failed', 0)]),
  );
  await sql`UPDATE pgboss.job SET state = 'failed'`.execute(database);
  expect(await countJobs()).toEqual(
    expect.arrayContaining([inState('created', 0), inState('failed', 1)]),
  );
  expect((await countJobs()).every(({ queue }) => !queue.startsWith('__'))).toBe(true);
});

test('the operator sees of each queue its jobs, and since when the oldest could run', async () => {
  const { database } = await openWithQueuedMail();
  const mailQueue = async () =>
    (await listJobQueues(database)).find(({ queue }) => queue === 'mail');
  const empty = { queue: 'purge', waiting: 0, retrying: 0, running: 0, failed: 0, oldest_at: null };
  expect(await listJobQueues(database)).toContainEqual(empty);
  expect(await mailQueue()).toMatchObject({ waiting: 1, oldest_at: expect.any(Date) });
  await sql`UPDATE pgboss.job SET state = 'retry', start_after = now() + interval '1 minute'`.execute(
    database,
  );
  expect(await mailQueue()).toMatchObject({ waiting: 0, retrying: 1, oldest_at: null });
  await sql`UPDATE pgboss.job SET state = 'completed'`.execute(database);
  expect(await mailQueue()).toMatchObject({ waiting: 0, retrying: 0, running: 0, failed: 0 });
});

test('the operator sees how many mails, jobs and errors need attention', async () => {
  const { database } = await openWithQueuedMail();
  const none = { failed_mails: 0, new_failed_mails: 0, retried_mails: 0, failed_jobs: 0 };
  expect(await countTroubles(database)).toEqual({ ...none, errors: 0, new_errors: 0 });
  await sql`UPDATE mails SET failure = 'Try later'`.execute(database);
  expect(await countTroubles(database)).toMatchObject({ ...none, retried_mails: 1 });
  await sql`UPDATE mails SET status = 'failed', settled_at = now()`.execute(database);
  expect(await countTroubles(database)).toMatchObject({
    ...none,
    failed_mails: 1,
    new_failed_mails: 1,
  });
  await sql`UPDATE mails SET settled_at = now() - interval '25 hours'`.execute(database);
  await sql`UPDATE pgboss.job SET state = 'failed'`.execute(database);
  expect(await countTroubles(database)).toMatchObject({
    ...none,
    failed_mails: 1,
    failed_jobs: 1,
  });
  const error = { requestId: null, route: 'GET /', status: 500, name: 'Error', code: null };
  const hoursAgo = (hours: number) => Date.now() - hours * HOUR_MS;
  await insertServerErrors(
    database,
    [1, 23, 25].map((hours) => ({
      ...{ ...error, happenedAt: hoursAgo(hours), message: '', stack: '' },
    })),
  );
  expect(await countTroubles(database)).toMatchObject({ errors: 3, new_errors: 2 });
});

test('a failed mail that was sent again needs no attention any more', async () => {
  const { database } = await openWithQueuedMail();
  await sql`UPDATE mails SET status = 'failed', settled_at = now()`.execute(database);
  await sql`INSERT INTO mails (sender_id, notice, address, artist_id, source, thread, cause)
    SELECT sender_id, notice, address, artist_id, source, thread, 'sent again' FROM mails`.execute(
    database,
  );
  expect(await countTroubles(database)).toMatchObject({ failed_mails: 0, new_failed_mails: 0 });
  await sql`UPDATE mails SET status = 'failed', settled_at = now()`.execute(database);
  expect(await countTroubles(database)).toMatchObject({ failed_mails: 1, new_failed_mails: 1 });
});
