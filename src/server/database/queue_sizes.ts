/** Counts the work that waits, for the operator. */
import { sql } from 'kysely';
import type { Database } from './connect.ts';

/** Counts mails and jobs that are not done. Jobs are listed for each queue and state, also with 0. */
export async function loadQueueSizes(database: Database) {
  const { rows } = await sql<{
    queued: number;
    failed: number;
    oldest_seconds: number;
    jobs: { queue: string; state: string; count: number }[];
  }>`
    SELECT
      (SELECT count(*)::int FROM mails WHERE status = 'queued') AS queued,
      (SELECT count(*)::int FROM mails WHERE status = 'failed') AS failed,
      (SELECT coalesce(extract(epoch FROM clock_timestamp()
          - min(coalesce(waits_until, created_at)))::float, 0)
        FROM mails
        WHERE status = 'queued' AND merged_into IS NULL
          AND (waits_until IS NULL OR waits_until <= clock_timestamp())
          -- A mail behind one that waits is not overdue.
          AND NOT EXISTS (SELECT FROM mails AS older
            WHERE older.thread = mails.thread AND older.position < mails.position
              AND older.status = 'queued' AND older.waits_until > clock_timestamp())
      ) AS oldest_seconds,
      (SELECT coalesce(json_agg(sizes), '[]') FROM (
        SELECT queue.name AS queue, state.name AS state, coalesce(counted.count, 0) AS count
        FROM pgboss.queue
        CROSS JOIN unnest(ARRAY['created', 'retry', 'active', 'failed']) AS state (name)
        LEFT JOIN (
          SELECT name, state::text, count(*) FROM pgboss.job
          WHERE state <> 'completed' GROUP BY name, state
        ) AS counted ON counted.name = queue.name AND counted.state = state.name
        -- Of pg-boss itself.
        WHERE queue.name NOT LIKE '\\_\\_pgboss%'
        ORDER BY queue.name, state.name
      ) AS sizes) AS jobs
  `.execute(database);
  const [row] = rows;
  if (row === undefined) throw new Error('Counting the queues returned no row');
  const { queued, failed, oldest_seconds: oldestSeconds, jobs } = row;
  return { mails: { queued, failed, oldestSeconds }, jobs };
}

/**
 * Counts the jobs of each queue that are not done, for the operator. `oldest_at`: since when the oldest job
 * waits that could run now.
 */
export async function listJobQueues(database: Database) {
  const { rows } = await sql<{
    queue: string;
    waiting: number;
    retrying: number;
    running: number;
    failed: number;
    oldest_at: Date | null;
  }>`
    SELECT queue.name AS queue,
      (count(*) FILTER (WHERE state = 'created'))::int AS waiting,
      (count(*) FILTER (WHERE state = 'retry'))::int AS retrying,
      (count(*) FILTER (WHERE state = 'active'))::int AS running,
      (count(*) FILTER (WHERE state = 'failed'))::int AS failed,
      min(greatest(job.created_on, job.start_after))
        FILTER (WHERE state IN ('created', 'retry') AND job.start_after <= clock_timestamp()) AS oldest_at
    FROM pgboss.queue
    LEFT JOIN pgboss.job ON job.name = queue.name AND state NOT IN ('completed', 'cancelled')
    -- Of pg-boss itself.
    WHERE queue.name NOT LIKE '\\_\\_pgboss%'
    GROUP BY queue.name
    ORDER BY queue.name
  `.execute(database);
  return rows;
}

/** The name of the newest migration of the database. */
export async function loadLastMigration(database: Database): Promise<string> {
  const { rows } = await sql<{
    name: string | null;
  }>`SELECT max(name) AS name FROM migrations`.execute(database);
  return rows[0]?.name ?? '';
}
