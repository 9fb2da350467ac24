import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { listJobQueues, loadLastMigration, loadQueueSizes } from '#server/database/queue_sizes.ts';
import { bookSlot, findSlot, openTestApp } from '#support/test_app.ts';

/** An application of its own with one queued mail, that of a hold. */
async function openWithQueuedMail() {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  await bookSlot(app, artist, await findSlot(app, artist));
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
    INSERT INTO mails (address, cause, notice, thread, created_at)
    SELECT address, 'another', notice, thread, now() - interval '1 hour' FROM mails`.execute(
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

test('the last migration is the newest of the database', async () => {
  const { database } = await openTestApp();
  expect(await loadLastMigration(database)).toMatch(/^\d{4}_\w+\.sql$/);
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
