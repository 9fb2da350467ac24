import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Job as FetchedJob,
  type JobWithMetadata as FetchedJobWithMetadata,
  fromKysely,
  type JobResult,
  PgBoss,
  type Queue,
} from 'pg-boss';
import type { Logger } from 'pino';
import { SENT_WITH_NEXT } from '#server/database/prepared_statements.ts';
import { JOB_KINDS, type JobKind, type JobRunner } from './jobs.ts';

type QueueOptions = Omit<Queue, 'name'>;

/** Finished jobs are deleted at the next look after this time. */
const DELETE_AFTER_SECONDS = 60;
const RETRIED_JOBS: QueueOptions = {
  // The delay begins at 2 s and doubles up to 15 minutes. All attempts take about two days.
  retryLimit: 200,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 15 * 60,
  // Another server takes over the job of a killed server, whose heartbeat is missing.
  heartbeatSeconds: 10,
  // An attempt that takes longer has failed.
  expireInSeconds: 120,
  // Nothing reads finished jobs: their results are in our own tables.
  deleteAfterSeconds: DELETE_AFTER_SECONDS,
};
const ENCODING_JOBS: QueueOptions = {
  ...RETRIED_JOBS,
  // At most one job of an image (its singleton key) waits or runs.
  policy: 'exclusive',
  // A damaged picture stays damaged. All attempts take about six minutes.
  retryLimit: 7,
  // The largest picture takes seconds, and minutes on a slow and busy machine.
  expireInSeconds: 10 * 60,
};
const EXPORT_JOBS: QueueOptions = {
  ...RETRIED_JOBS,
  // At most one job of an export (its singleton key) waits or runs.
  policy: 'exclusive',
  // The artist waits for it, and can start another. All attempts take about two minutes.
  retryLimit: 5,
  // Thousands of pictures in a slow bucket.
  expireInSeconds: 60 * 60,
};
/** Scheduled jobs are not retried, because the next one comes anyway. */
const SCHEDULED_JOBS: QueueOptions = {
  // At most one job waits and one runs.
  policy: 'stately',
  retryLimit: 0,
  heartbeatSeconds: 10,
  expireInSeconds: 10 * 60,
  deleteAfterSeconds: DELETE_AFTER_SECONDS,
};

/** Scheduled, and repeated after a failure: a night without a backup is bad. */
const BACKUP_JOBS: QueueOptions = {
  ...SCHEDULED_JOBS,
  // The delay begins at a minute and doubles up to an hour. All attempts take about six hours.
  retryLimit: 10,
  retryDelay: 60,
  retryBackoff: true,
  retryDelayMax: 60 * 60,
  // A large bucket takes hours.
  expireInSeconds: 12 * 60 * 60,
};

/** The queues of scheduled jobs, by their handlers. Stored jobs refer to these names, so they must never change. */
const SCHEDULES = [
  { name: 'minute', cron: '* * * * *', options: SCHEDULED_JOBS },
  { name: 'day', cron: '17 4 * * *', options: SCHEDULED_JOBS }, // 04:17 UTC
  // Before the tasks of the day, which delete old data.
  { name: 'backup', cron: '41 3 * * *', options: BACKUP_JOBS },
  { name: 'erasure_log', cron: '* * * * *', options: SCHEDULED_JOBS },
] as const;
/** The kinds whose jobs take much of the CPU, with their options: of each, one process runs one at a time. */
const HEAVY_KINDS: Readonly<Partial<Record<JobKind, QueueOptions>>> = {
  encode_avif: ENCODING_JOBS,
  export: EXPORT_JOBS,
};

/** How one process runs the jobs of a queue. */
interface Batching {
  /** At most this many run at the same time. */
  readonly size: number;
  /** While requests are busy, jobs wait until one of their batch has been due for this long, and go on in a long rush. */
  readonly maxYieldMs: number;
}
const ONE_BY_ONE: Batching = { size: 1, maxYieldMs: 1000 };
const SEVERAL: Batching = { size: 5, maxYieldMs: 1000 };
/** Mails of one batch share their statements. */
const MAILS: Batching = { size: 10, maxYieldMs: 5000 };
/** The size of pg-boss's own pool, a part of `CONNECTIONS_BESIDE_POOL`. */
const MAX_CONNECTIONS = 2;
/** How often each process asks which queues have a due job. */
const POLL_MS = 1000;
const POLL_TIMEOUT_MS = 5000;
/** How often each worker looks by itself, which pg-boss demands. Due jobs wake it before. */
const WORKER_POLL_SECONDS = 10 * 60;
/** How often pg-boss looks for jobs that wait for other jobs. We have none. */
const FLOW_SECONDS = 60 * 60;
/** How often waiting jobs look whether requests are still busy. */
const YIELD_POLL_MS = 50;
/** How often pg-boss deletes finished jobs. It counts all jobs at each look for missing heartbeats. */
const DELETE_EVERY_SECONDS = 5 * 60;
/** How often pg-boss looks for missing heartbeats: each look takes about ten statements. */
const SUPERVISE_SECONDS = 20;
/** How long after `stop` a running job's signal is aborted. */
const INTERRUPT_AFTER_MS = 3000;
/** How long `stop` waits for running jobs. */
const STOP_TIMEOUT_MS = 10_000;

/**
 * Opens or creates the job queues: pg-boss, in the schema `pgboss` of the database at `url`.
 * @throws when the database cannot be reached
 */
export async function openJobRunner(url: string, log: Logger): Promise<JobRunner> {
  const boss = new PgBoss({
    connectionString: url,
    max: MAX_CONNECTIONS,
    flowIntervalSeconds: FLOW_SECONDS,
    // How often each process looks for a queue to check.
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    // No process checks a queue again before this time has passed.
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    maintenanceIntervalSeconds: DELETE_EVERY_SECONDS,
  });
  const stopping = new AbortController();
  const logError = (error: unknown) => {
    // The database may be stopped before pg-boss has closed its last connection.
    if (stopping.signal.aborted) return;
    log.error({ err: error, component: 'Jobs' }, 'The queue failed (trying again)');
  };
  boss.on('error', logError);
  await boss.start();
  await createQueues(boss);
  const interruption = new AbortController();

  return {
    async enqueue(transaction, jobs) {
      const { executeSql } = fromKysely(transaction);
      const db = {
        executeSql: (text: string, values?: unknown[]) =>
          executeSql(`${text}${SENT_WITH_NEXT}`, values),
      };
      for (const kind of JOB_KINDS) {
        const newJobs = jobs
          .filter((job) => job.kind === kind)
          .map(({ kind: _, priority = 0, ...data }) => ({
            data,
            priority,
            ...('imageId' in data && { singletonKey: data.imageId }),
            ...('exportId' in data && { singletonKey: data.exportId }),
          }));
        if (newJobs.length > 0) await boss.insert(queueOf(kind), newJobs, { db });
      }
    },
    async deleteJobsWithEmail(transaction, artistId, emails) {
      // Also in the queues of dead letters. A recovery mail that still waits stays: the account's owner needs it.
      await fromKysely(transaction).executeSql(
        `DELETE FROM pgboss.job
        WHERE lower(data->>'email') = any($1::text[])
          AND ((name IN ($2, $3) AND data->>'artistId' = $4)
            OR (name IN ($5, $6) AND state IN ('completed', 'cancelled', 'failed')))`,
        [
          emails,
          queueOf('links'),
          deadLetterQueue('links'),
          artistId,
          queueOf('password_recovery'),
          deadLetterQueue('password_recovery'),
        ],
      );
    },
    async start(handlers, isBusy) {
      const workers = new Map<string, string>();
      const work = createWorker(boss, workers, isBusy, interruption.signal);
      for (const kind of JOB_KINDS) {
        const batching = batchingOf(kind);
        await work(queueOf(kind), batching, (data, signal) => handlers.run(kind, data, signal));
        await work(deadLetterQueue(kind), batching, (data) => handlers.giveUp(kind, data));
      }
      for (const { name, cron } of SCHEDULES) {
        const run = handlers[name];
        // A server without the settings for backups has no such handler.
        if (!run) continue;
        await work(name, ONE_BY_ONE, (_, signal) => run(signal));
        await boss.schedule(name, cron);
      }
      void wakeWorkers(boss, workers, stopping.signal, logError);
    },
    async stop() {
      stopping.abort();
      const timer = setTimeout(
        () => interruption.abort(new Error('the server stops')),
        INTERRUPT_AFTER_MS,
      );
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
      clearTimeout(timer);
    },
  };
}

/** Creates missing queues. Existing queues keep their options, even if the code's have changed. */
async function createQueues(boss: PgBoss): Promise<void> {
  const existingNames = new Set((await boss.getQueues()).map(({ name }) => name));
  const createIfMissing = async (name: string, options: QueueOptions) => {
    if (!existingNames.has(name)) await boss.createQueue(name, options);
  };
  for (const kind of JOB_KINDS) {
    const options = HEAVY_KINDS[kind] ?? RETRIED_JOBS;
    await createIfMissing(deadLetterQueue(kind), RETRIED_JOBS);
    await createIfMissing(queueOf(kind), { ...options, deadLetter: deadLetterQueue(kind) });
  }
  for (const { name, options } of SCHEDULES) await createIfMissing(name, options);
}

function batchingOf(kind: JobKind): Batching {
  if (kind === 'mail') return MAILS;
  return kind in HEAVY_KINDS ? ONE_BY_ONE : SEVERAL;
}

/** The stored name of the queue of a kind. Stored jobs refer to it, so it must never change. */
export function queueOf(kind: JobKind): string {
  // The name that this kind had when the first jobs were stored.
  return kind === 'cancel_subscription' ? 'leaver' : kind;
}

/** The stored name of the queue for jobs whose attempts have all failed. */
export function deadLetterQueue(kind: JobKind): string {
  return `${queueOf(kind)}_given_up`;
}

type RunJob = (data: unknown, signal: AbortSignal) => Promise<void>;

/**
 * The names among `$1` of the queues with a due job. The LIMIT keeps PostgreSQL from reading the due jobs of all, and
 * the order, that of pg-boss's index, from looking for one in the whole table.
 */
export const SELECT_DUE_QUEUES = `
  SELECT queue.name FROM unnest($1::text[]) AS queue (name), LATERAL (
    SELECT FROM pgboss.job
    WHERE job.name = queue.name AND state < 'active' AND NOT blocked AND start_after <= now()
    ORDER BY priority DESC, created_on LIMIT 1) AS due`;

/**
 * Wakes the workers whose queues have due jobs, until the signal is aborted. Workers that look by themselves would
 * send a statement for each queue.
 * @param workers their ids by their queues
 */
async function wakeWorkers(
  boss: PgBoss,
  workers: ReadonlyMap<string, string>,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  const queues = [...workers.keys()];
  while (!signal.aborted) {
    try {
      const asking = boss.getDb().executeSql(SELECT_DUE_QUEUES, [queues]);
      const { rows } = await Promise.race([asking, rejectLate()]);
      for (const { name } of rows) boss.notifyWorker(workers.get(name) ?? '');
    } catch (error) {
      onError(error);
      // Each looks by itself, on another connection.
      for (const id of workers.values()) boss.notifyWorker(id);
    }
    // `sleep` rejects when the signal is aborted, and the loop ends then.
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
  }
}

/** A connection that is lost without a sign would not answer for many minutes. */
async function rejectLate(): Promise<never> {
  await sleep(POLL_TIMEOUT_MS, undefined, { ref: false });
  throw new Error('PostgreSQL did not say in time which jobs are due');
}

/**
 * Returns a function that takes the jobs of a queue.
 * @param workers receives the ids of the workers by their queues
 * @param isBusy whether people wait for answers, who go first (docs/decisions, 0075)
 * @param interruption aborted when a running job must end
 */
function createWorker(
  boss: PgBoss,
  workers: Map<string, string>,
  isBusy: () => boolean,
  interruption: AbortSignal,
) {
  return async (queue: string, { size, maxYieldMs }: Batching, run: RunJob) => {
    const workerId = await boss.work(
      queue,
      {
        batchSize: size,
        pollingIntervalSeconds: WORKER_POLL_SECONDS,
        // One failed job does not fail the others fetched with it.
        perJobResults: true,
        // For `dueMs`.
        includeMetadata: true,
      },
      async (batch: FetchedJobWithMetadata<unknown>[]) => {
        const yieldEnd = performance.now() + maxYieldMs - Math.max(...batch.map(dueMs));
        while (isBusy() && performance.now() < yieldEnd) await sleep(YIELD_POLL_MS);
        const results = await Promise.all(batch.map((job) => runJob(job, run, interruption)));
        // The next poll follows at once, so that a waiting job does not wait for it.
        boss.notifyWorker(workerId);
        return results;
      },
    );
    workers.set(queue, workerId);
  };
}

/** How long a job had been due when it was fetched, by the database's clock. */
function dueMs({ startAfter, startedOn }: FetchedJobWithMetadata<unknown>): number {
  return startedOn.getTime() - startAfter.getTime();
}

async function runJob(
  { id, data, signal }: FetchedJob<unknown>,
  run: RunJob,
  interruption: AbortSignal,
): Promise<JobResult> {
  try {
    await run(data, AbortSignal.any([signal, interruption]));
    return { id, status: 'completed' };
  } catch {
    // The handler has logged the error. pg-boss must not store it: it may contain an email address.
    return { id, status: 'failed' };
  }
}
