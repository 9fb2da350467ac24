import { PgBoss } from 'pg-boss';
import { JOB_KINDS, type JobHandlers, type JobKind } from '#server/jobs/jobs.ts';
import { queueOf } from '#server/jobs/queue.ts';

/** Runs jobs only when a test asks for it. */
export async function openJobDrain(url: string) {
  const boss = new PgBoss({ connectionString: url, max: 1, supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  const runNext = async (run: JobHandlers['run'], kind: JobKind): Promise<boolean> => {
    const queue = queueOf(kind);
    const [job] = await boss.fetch<unknown>(queue);
    if (!job) return false;
    try {
      await run(kind, job.data, new AbortController().signal);
      await boss.complete(queue, job.id);
    } catch {
      await boss.fail(queue, job.id);
    }
    return true;
  };
  return {
    /** Runs all due jobs and the jobs that they enqueue. Failed jobs wait for their retry. */
    async runJobs(run: JobHandlers['run'], kinds: readonly JobKind[] = JOB_KINDS) {
      let more = true;
      while (more) {
        more = false;
        for (const kind of kinds) while (await runNext(run, kind)) more = true;
      }
    },
    stop: () => boss.stop({ graceful: false }),
  };
}
