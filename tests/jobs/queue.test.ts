import { once } from 'node:events';
import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Database } from '#server/database/connect.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';
import { openJobRunner, SELECT_DUE_QUEUES } from '#server/jobs/queue.ts';
import { recordLog, silentLog } from '#support/recorded_log.ts';
import { openTestApp } from '#support/test_app.ts';

const TIMEOUT_MS = 90_000;

test('a minutely job of a killed server does not block the next ones', {
  timeout: 2 * TIMEOUT_MS,
}, async () => {
  const { databaseUrl } = await openTestApp({ database: 'own' });
  const killed = new PgBoss({ connectionString: databaseUrl, supervise: false, schedule: false });
  killed.on('error', () => {});
  await killed.start();
  onTestFinished(() => killed.stop({ graceful: false }));
  await killed.send('minute', {});
  expect(await killed.fetch('minute')).toHaveLength(1);
  await killed.send('minute', {});

  const minute = vi.fn(async () => {});
  await startRunner(databaseUrl, { minute });
  await vi.waitFor(() => expect(minute).toHaveBeenCalled(), {
    timeout: TIMEOUT_MS,
    interval: 200,
  });
});

async function startRunner(
  databaseUrl: string,
  { isBusy = () => false, ...handlers }: Partial<JobHandlers> & { isBusy?: () => boolean },
  log = silentLog,
) {
  const runner = await openJobRunner(databaseUrl, log);
  onTestFinished(() => runner.stop());
  const noop = async () => {};
  await runner.start({ run: noop, giveUp: noop, minute: noop, day: noop, ...handlers }, isBusy);
  return runner;
}

/** Starts a runner on an empty database, and enqueues the encoding of so many pictures. */
async function startEncoding(count: number, run: JobHandlers['run']) {
  const { database, databaseUrl } = await openTestApp({ database: 'own' });
  const runner = await startRunner(databaseUrl, { run });
  const jobs = Array.from(
    { length: count },
    (_, index) => ({ kind: 'encode_avif', imageId: `image ${index}` }) as const,
  );
  await database.transaction().execute((transaction) => runner.enqueue(transaction, jobs));
  const countJobs = async (state: string) => {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int FROM pgboss.job WHERE name = 'encode_avif' AND state = ${state}
    `.execute(database);
    return rows[0]?.count;
  };
  return { runner, jobs, countJobs };
}

test('a job of a transaction that is rolled back is not stored', async () => {
  const { database, databaseUrl } = await openTestApp({ database: 'own' });
  const runner = await startRunner(databaseUrl, {});
  const store = (imageId: string, error?: Error) =>
    database.transaction().execute(async (transaction) => {
      await runner.enqueue(transaction, [{ kind: 'encode_avif', imageId }]);
      if (error) throw error;
    });
  await expect(store('first', new Error('rolled back'))).rejects.toThrow('rolled back');
  await store('second');
  const { rows } = await sql<{ image: string }>`
    SELECT data ->> 'imageId' AS image FROM pgboss.job WHERE name = 'encode_avif'
  `.execute(database);
  expect(rows).toEqual([{ image: 'second' }]);
});

test('a job waits while many people wait for answers, but not for long', async () => {
  const { database, databaseUrl } = await openTestApp({ database: 'own' });
  const run = vi.fn(async () => {});
  const isBusy = vi.fn(() => true);
  const runner = await startRunner(databaseUrl, { run, isBusy });
  await database
    .transaction()
    .execute((transaction) => runner.enqueue(transaction, [{ kind: 'mail', id: 'mail' }]));
  await vi.waitFor(() => expect(run).toHaveBeenCalledOnce(), { timeout: TIMEOUT_MS });
  // Before the job ran; it ran although they still wait.
  expect(isBusy.mock.invocationCallOrder[5]).toBeLessThan(run.mock.invocationCallOrder[0] ?? 0);
});

test('a job that has been due for long waits for nobody: in a long rush, mails keep pace', async () => {
  const { database, databaseUrl } = await openTestApp({ database: 'own' });
  const run = vi.fn(async () => {});
  const isBusy = vi.fn(() => true);
  const runner = await startRunner(databaseUrl, { run, isBusy });
  await database.transaction().execute(async (transaction) => {
    await runner.enqueue(transaction, [{ kind: 'mail', id: 'mail' }]);
    await sql`UPDATE pgboss.job SET start_after = now() - interval '11 s' WHERE name = 'mail'`.execute(
      transaction,
    );
  });
  await vi.waitFor(() => expect(run).toHaveBeenCalledOnce(), { timeout: TIMEOUT_MS });
  const asked = isBusy.mock.invocationCallOrder.filter(
    (order) => order < (run.mock.invocationCallOrder[0] ?? 0),
  );
  expect(asked.length).toBeLessThan(2);
});

test('the queues with due jobs are found by an index, also when many are due, and many are done', async () => {
  const { database, databaseUrl } = await openTestApp({ database: 'own' });
  await openJobRunner(databaseUrl, silentLog).then((runner) => runner.stop());
  await sql`INSERT INTO pgboss.job (name, state, policy)
    SELECT 'mail', (CASE WHEN n % 5 = 0 THEN 'created' ELSE 'completed' END)::pgboss.job_state, 'standard'
    FROM generate_series(1, 20000) AS n`.execute(database);
  await sql`ANALYZE pgboss.job_common`.execute(database);
  const { rows } = await database.transaction().execute(async (transaction) => {
    // As on the connections of pg-boss.
    await sql`SET LOCAL enable_seqscan = on`.execute(transaction);
    return sql`EXPLAIN (GENERIC_PLAN) ${sql.raw(SELECT_DUE_QUEUES)}`.execute(transaction);
  });
  expect(JSON.stringify(rows)).toMatch(/Index (Only )?Scan/);
});

test('pictures are encoded one at a time, and the next one does not wait for a poll', async () => {
  const done = new Set<string>();
  let running = 0;
  const { jobs, countJobs } = await startEncoding(40, async (_kind, data) => {
    running += 1;
    await Promise.resolve();
    if (running > 1) throw new Error('Two at once');
    done.add(JSON.stringify(data));
    running -= 1;
  });
  // With a poll (a second) before each, this would take twice as long as the timeout.
  await vi.waitFor(async () => expect(await countJobs('completed')).toBe(40), { timeout: 20_000 });
  // Jobs that were stored at the same instant may run in any order.
  expect(done).toEqual(new Set(jobs.map(({ imageId }) => JSON.stringify({ imageId }))));
});

test('a stopping server interrupts a long encoding, and leaves its job to be retried', async () => {
  let interruption: unknown;
  const started = Promise.withResolvers<void>();
  const { runner, countJobs } = await startEncoding(2, async (_kind, _data, signal) => {
    started.resolve();
    await once(signal, 'abort');
    interruption = signal.reason;
    signal.throwIfAborted();
  });
  await started.promise;
  await runner.stop();
  expect(interruption).toEqual(new Error('the server stops'));
  expect([await countJobs('retry'), await countJobs('created')]).toEqual([1, 1]);
});

test('jobs go on at once after the database has ended the connections of the queue', async () => {
  const { database, databaseUrl } = await openTestApp({ database: 'own' });
  const run = vi.fn(async () => {});
  const runner = await startRunner(databaseUrl, { run });
  const pids = await listPids(database);
  await sql`SELECT pg_terminate_backend(pid) FROM unnest(${pids}::int[]) AS pid`.execute(database);
  await database
    .transaction()
    .execute((transaction) => runner.enqueue(transaction, [{ kind: 'mail', id: 'mail' }]));
  // Much sooner than a worker looks by itself.
  await vi.waitFor(() => expect(run).toHaveBeenCalledOnce(), { timeout: 30_000 });
});

test('a stopping server logs no error when the database ends its connections meanwhile', async () => {
  const { database, databaseUrl } = await openTestApp({ database: 'own' });
  const logged: string[] = [];
  const runner = await startRunner(databaseUrl, {}, recordLog(logged));
  const pids = await listPids(database);
  await Promise.all([
    runner.stop(),
    sql`SELECT pg_terminate_backend(pid) FROM unnest(${pids}::int[]) AS pid`.execute(database),
  ]);
  expect(logged).toEqual([]);
});

/** The processes of PostgreSQL that serve the queue. */
async function listPids(database: Database): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'pgboss'
  `.execute(database);
  expect(rows.length).toBeGreaterThan(0);
  return rows.map(({ pid }) => pid);
}
