import { fromKysely, type JobResult, PgBoss, type Queue } from 'pg-boss';
import type { JobHandlers, JobKind, Workshop } from './jobs.ts';

/** What a job carries. */
interface Payload {
  readonly id: string;
}

const KINDS: readonly JobKind[] = ['mail', 'payment', 'leaver', 'purge'];
const MINUTELY = 'minute';
const DAILY = 'day';

const QUEUE: Omit<Queue, 'name'> = {
  // Two seconds after the first failure, twice that after the next, up to a quarter of an hour;
  // given up after two days.
  retryLimit: 200,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 15 * 60,
  // Work of a server that was killed goes to another one when its pulse is missed.
  heartbeatSeconds: 10,
  expireInSeconds: 120,
  // What came of a job is written down where it belongs.
  deleteAfterSeconds: 60 * 60,
};
/** The next minute, or day, comes anyway; one that died with its server must not hold it up. */
const REGULAR: Omit<Queue, 'name'> = {
  policy: 'stately',
  retryLimit: 0,
  heartbeatSeconds: 10,
  expireInSeconds: 10 * 60,
  deleteAfterSeconds: 60 * 60,
};
/** Jobs of one kind that a server works on at once. */
const AT_ONCE = 5;
const POLL_SECONDS = 1;
const SUPERVISE_SECONDS = 10;
/** How long a server that stops waits for work under way; it is done again otherwise. */
const STOP_MS = 10_000;
/** A database that is away makes every look fail; it is told of once in a while. */
const QUIET_MS = 60_000;

/**
 * Jobs by pg-boss, in the schema `pgboss` of our own database, over a few connections of its own.
 * @param url of the database
 * @throws when the database cannot be reached
 */
export async function openWorkshop(url: string, log: (line: string) => void): Promise<Workshop> {
  const boss = new PgBoss({
    connectionString: url,
    max: 4,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  });
  let toldAt = Number.NEGATIVE_INFINITY;
  boss.on('error', (error) => {
    if (performance.now() - toldAt < QUIET_MS) return;
    toldAt = performance.now();
    log(`Jobs: ${error.message}`);
  });
  await boss.start();
  await createQueues(boss);

  const workOn = (queue: string, run: (id: string) => Promise<void>) =>
    boss.work<Payload>(
      queue,
      {
        batchSize: AT_ONCE,
        perJobResults: true,
        pollingIntervalSeconds: POLL_SECONDS,
        burstWhenBatchFull: true,
      } as const,
      (jobs) => Promise.all(jobs.map(({ id, data }) => settle(id, () => run(data.id)))),
    );
  return {
    async add(transaction, jobs) {
      const db = fromKysely(transaction);
      for (const kind of KINDS) {
        const ofKind = jobs.filter((job) => job.kind === kind);
        if (ofKind.length > 0)
          await boss.insert(
            kind,
            ofKind.map(({ id }) => ({ data: { id } satisfies Payload })),
            { db },
          );
      }
    },
    async work(handlers: JobHandlers) {
      for (const kind of KINDS) {
        await workOn(kind, handlers.run[kind]);
        await workOn(givenUp(kind), handlers.givenUp[kind]);
      }
      await boss.work(MINUTELY, handlers.everyMinute);
      await boss.work(DAILY, handlers.everyDay);
      await boss.schedule(MINUTELY, '* * * * *');
      await boss.schedule(DAILY, '17 4 * * *');
    },
    stop: () => boss.stop({ graceful: true, timeout: STOP_MS }),
  };
}

async function createQueues(boss: PgBoss): Promise<void> {
  const known = new Set((await boss.getQueues()).map(({ name }) => name));
  const create = async (name: string, options: Omit<Queue, 'name'>) => {
    if (!known.has(name)) await boss.createQueue(name, options);
  };
  for (const kind of KINDS) {
    await create(givenUp(kind), QUEUE);
    await create(kind, { ...QUEUE, deadLetter: givenUp(kind) });
  }
  await create(MINUTELY, REGULAR);
  await create(DAILY, REGULAR);
}

/** Where jobs go that were tried as often as they may be. */
function givenUp(kind: JobKind): string {
  return `${kind}_given_up`;
}

async function settle(id: string, run: () => Promise<void>): Promise<JobResult> {
  try {
    await run();
    return { id, status: 'completed' };
  } catch {
    // Why is told by whoever ran it: what is kept here must not tell an address.
    return { id, status: 'failed' };
  }
}
