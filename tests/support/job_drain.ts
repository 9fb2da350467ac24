import { PgBoss } from 'pg-boss';
import type { JobHandlers, JobKind } from '#server/jobs/jobs.ts';
import { QUEUES } from '#server/jobs/queue.ts';

const JOB_KINDS = [
  'mail',
  'payment',
  'cancel_subscription',
  'purge',
] as const satisfies readonly JobKind[];

/** Works on jobs in a test's own time. */
export interface JobDrain {
  /** Does everything that is due, and what that brings about; what fails stays for later. */
  runJobs(run: JobHandlers['run']): Promise<void>;
  stop(): Promise<void>;
}

/** Does the jobs of a database without a clock: when it is told to, and then all of them. */
export async function openJobDrain(url: string): Promise<JobDrain> {
  const boss = new PgBoss({ connectionString: url, max: 1, supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  const doOne = async (run: JobHandlers['run'], kind: JobKind): Promise<boolean> => {
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
        for (const kind of JOB_KINDS) while (await doOne(run, kind)) more = true;
      }
    },
    stop: () => boss.stop({ graceful: false }),
  };
}
