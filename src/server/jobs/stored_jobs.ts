/**
 * Jobs in a backup. Their tables belong to pg-boss, whose schema depends on its version, so only data of
 * our code is copied: the kind, the data and the priority. A restore enqueues them anew.
 */
import type pg from 'pg';
import * as z from 'zod/mini';
import { JOB_KINDS, type Job, type JobKind, parseJobData } from './jobs.ts';
import { deadLetterQueue, queueOf } from './queue.ts';

export const StoredJob = z.object({
  kind: z.enum(JOB_KINDS),
  data: z.unknown(),
  priority: z.int(),
});
export type StoredJob = z.output<typeof StoredJob>;

/** The kinds of jobs that no backup has: the exports to which they belong are in no backup either. */
const KINDS_LEFT_OUT: readonly JobKind[] = ['export'];

/** How many jobs are read at a time. */
const BATCH = 1000;

/**
 * Reads the jobs that wait or run, in batches, in the caller's transaction. A job whose attempts have all
 * failed, and that waits for its end to be handled, is read as a job of its kind: it is tried again.
 */
export async function* readStoredJobs(client: pg.Client): AsyncGenerator<StoredJob[]> {
  const { rows: tables } = await client.query("SELECT to_regclass('pgboss.job') AS job");
  // No server has opened the queues of this database yet.
  if (tables[0]?.job === null) return;
  const kinds = new Map<string, JobKind>();
  for (const kind of JOB_KINDS) {
    if (KINDS_LEFT_OUT.includes(kind)) continue;
    kinds.set(queueOf(kind), kind);
    kinds.set(deadLetterQueue(kind), kind);
  }
  await client.query(
    `DECLARE stored_jobs NO SCROLL CURSOR FOR SELECT name, data, priority FROM pgboss.job
    WHERE state IN ('created', 'retry', 'active') AND name = any($1)
    ORDER BY created_on, id`,
    [[...kinds.keys()]],
  );
  for (;;) {
    const { rows } = await client.query<{ name: string; data: unknown; priority: number }>(
      `FETCH ${BATCH} FROM stored_jobs`,
    );
    if (rows.length === 0) break;
    yield rows.flatMap(({ name, data, priority }) => {
      const kind = kinds.get(name);
      return kind ? [{ kind, data, priority }] : [];
    });
  }
  await client.query('CLOSE stored_jobs');
}

/** The job to enqueue; undefined if its data has a form that this version does not know. */
export function toJob({ kind, data, priority }: StoredJob): Job | undefined {
  const result = parseJobData(kind, data);
  return result.success ? { ...result.data, priority } : undefined;
}
