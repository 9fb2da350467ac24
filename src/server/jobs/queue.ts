import { fromKysely, type JobResult, PgBoss, type Queue } from 'pg-boss';
import type { JobHandlers, JobKind, JobRunner } from './jobs.ts';

interface JobPayload {
  readonly id: string;
}

/** Names of the queues. They are stored: a queue keeps its name when a kind of job is renamed. */
export const QUEUES = {
  mail: 'mail',
  payment: 'payment',
  cancel_subscription: 'leaver',
  purge: 'purge',
} as const satisfies Record<JobKind, string>;
const JOB_KINDS: readonly JobKind[] = ['mail', 'payment', 'cancel_subscription', 'purge'];
const EVERY_MINUTE = 'minute';
const EVERY_DAY = 'day';

const QUEUE_OPTIONS: Omit<Queue, 'name'> = {
  // Two seconds after the first failure, then twice as long each time, at most a quarter of an hour;
  // the attempts run out after two days.
  retryLimit: 200,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 15 * 60,
  // Another server takes over a job when the heartbeat of a server that was killed is missing.
  heartbeatSeconds: 10,
  expireInSeconds: 120,
  // Results are stored with the data that they belong to.
  deleteAfterSeconds: 60 * 60,
};
/** A scheduled job is not retried: the next one comes anyway, and must not wait for a dead one. */
const SCHEDULED: Omit<Queue, 'name'> = {
  policy: 'stately',
  retryLimit: 0,
  heartbeatSeconds: 10,
  expireInSeconds: 10 * 60,
  deleteAfterSeconds: 60 * 60,
};
/** Jobs of one kind that run at the same time in one process. */
const CONCURRENCY = 5;
const MAX_CONNECTIONS = 4;
const POLL_SECONDS = 1;
const SUPERVISE_SECONDS = 10;
/** How long `stop` waits for running jobs; another server runs them again after that. */
const STOP_TIMEOUT_MS = 10_000;
/** When the database is down every poll fails, so errors are logged once per interval. */
const LOG_INTERVAL_MS = 60_000;

/**
 * Jobs by pg-boss, in the schema `pgboss` of our own database, on connections of its own.
 * @param url address of the database
 * @throws when the database cannot be reached
 */
export async function openJobRunner(url: string, log: (line: string) => void): Promise<JobRunner> {
  const boss = new PgBoss({
    connectionString: url,
    max: MAX_CONNECTIONS,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  });
  let loggedAt = Number.NEGATIVE_INFINITY;
  boss.on('error', (error) => {
    if (performance.now() - loggedAt < LOG_INTERVAL_MS) return;
    loggedAt = performance.now();
    log(`Jobs: the queue failed (trying again every ${POLL_SECONDS} s): ${error.message}`);
  });
  await boss.start();
  await createQueues(boss);

  const workOn = (queue: string, run: (id: string) => Promise<void>) =>
    boss.work<JobPayload>(
      queue,
      {
        batchSize: CONCURRENCY,
        perJobResults: true,
        pollingIntervalSeconds: POLL_SECONDS,
        burstWhenBatchFull: true,
      } as const,
      (jobs) => Promise.all(jobs.map(({ id, data }) => resultOf(id, () => run(data.id)))),
    );
  return {
    async enqueue(transaction, jobs) {
      const db = fromKysely(transaction);
      for (const kind of JOB_KINDS) {
        const payloads = jobs
          .filter((job) => job.kind === kind)
          .map(({ id }) => ({ data: { id } satisfies JobPayload }));
        if (payloads.length > 0) await boss.insert(QUEUES[kind], payloads, { db });
      }
    },
    async start(handlers: JobHandlers) {
      for (const kind of JOB_KINDS) {
        await workOn(QUEUES[kind], handlers.run[kind]);
        await workOn(deadLetterQueue(kind), handlers.deadLetter[kind]);
      }
      await boss.work(EVERY_MINUTE, handlers.everyMinute);
      await boss.work(EVERY_DAY, handlers.everyDay);
      await boss.schedule(EVERY_MINUTE, '* * * * *');
      await boss.schedule(EVERY_DAY, '17 4 * * *');
    },
    stop: () => boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS }),
  };
}

async function createQueues(boss: PgBoss): Promise<void> {
  const existing = new Set((await boss.getQueues()).map(({ name }) => name));
  const create = async (name: string, options: Omit<Queue, 'name'>) => {
    if (!existing.has(name)) await boss.createQueue(name, options);
  };
  for (const kind of JOB_KINDS) {
    await create(deadLetterQueue(kind), QUEUE_OPTIONS);
    await create(QUEUES[kind], { ...QUEUE_OPTIONS, deadLetter: deadLetterQueue(kind) });
  }
  await create(EVERY_MINUTE, SCHEDULED);
  await create(EVERY_DAY, SCHEDULED);
}

/** The queue of jobs whose attempts ran out. */
function deadLetterQueue(kind: JobKind): string {
  return `${QUEUES[kind]}_given_up`;
}

async function resultOf(id: string, run: () => Promise<void>): Promise<JobResult> {
  try {
    await run();
    return { id, status: 'completed' };
  } catch {
    // The handler has logged the error. It is not stored here, as it may contain an email address.
    return { id, status: 'failed' };
  }
}
