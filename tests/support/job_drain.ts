import { PgBoss } from 'pg-boss';
import type { JobHandlers, JobKind } from '#server/jobs/jobs.ts';
import { QUEUES } from '#server/jobs/queue.ts';

const JOB_KINDS = [
  'mail',
  'payment',
  'cancel_subscription',
  'purge',
] as const satisfies readonly JobKind[];

/** Runs jobs only when a test asks for it. */
export interface JobDrain {
  /** Runs all due jobs and the jobs that they enqueue. Failed jobs wait for their retry. */
  runJobs(run: JobHandlers['run']): Promise<void>;
  stop(): Promise<void>;
}

export async function openJobDrain(url: string): Promise<JobDrain> {
  const boss = new PgBoss({ connectionString: url, max: 1, supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  const runNext = async (run: JobHandlers['run'], kind: JobKind): Promise<boolean> => {
    const [job] = await boss.fetch<{ id: string }>(QUEUES[kind]);
    if (!job) return false;
    try {
      await run[kind](job.data.id);
      await boss.complete(QUEUES[kind], job.id);
    } catch {
      await boss.fail(QUEUES[kind], job.id);
    }
    return true;
  };
  return {
    async runJobs(run) {
      let more = true;
      while (more) {
        more = false;
        for (const kind of JOB_KINDS) while (await runNext(run, kind)) more = true;
      }
    },
    stop: () => boss.stop({ graceful: false }),
  };
}
