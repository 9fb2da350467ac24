/** For the operator: counts of the work that waits and of what has failed, and the newest migration. */
import { sql } from 'kysely';
import { requireFound } from '#domain/refusal.ts';
import type { Database } from './connect.ts';
import { HAS_NEWER_MAIL } from './mail_lists.ts';

/** For metrics: counts mails and jobs that are not done. Each queue and state of jobs is listed, also with 0. */
export async function loadQueueSizes(database: Database) {
  const [mails, queues] = await Promise.all([countMails(database), listJobQueues(database)]);
  const jobs = queues.flatMap(({ queue, waiting, retrying, running, failed }) => [
    { queue, state: 'active', count: running },
    { queue, state: 'created', count: waiting },
    { queue, state: 'failed', count: failed },
    { queue, state: 'retry', count: retrying },
  ]);
  return { mails, jobs };
}

async function countMails(database: Database) {
  const { rows } = await sql<{ queued: number; failed: number; oldestSeconds: number }>`
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
      ) AS "oldestSeconds"
  `.execute(database);
  return requireFound(rows[0]);
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
    -- Without the queues of pg-boss itself.
    WHERE queue.name NOT LIKE '\\_\\_pgboss%'
    GROUP BY queue.name
    ORDER BY queue.name
  `.execute(database);
  return rows;
}

/**
 * Counts the rows that need the operator's attention; `new_…` within the last 24 hours. Failed jobs are those of
 * the last hour: then they are deleted.
 */
export async function countTroubles(database: Database) {
  const { rows } = await sql<{
    failed_mails: number;
    new_failed_mails: number;
    retried_mails: number;
    failed_jobs: number;
    errors: number;
    new_errors: number;
  }>`
    SELECT
      failed_mails, new_failed_mails, retried_mails, errors, new_errors,
      (SELECT count(*)::int FROM pgboss.job
        WHERE state = 'failed' AND name NOT LIKE '\\_\\_pgboss%') AS failed_jobs
    FROM (
      SELECT
        (count(*) FILTER (WHERE status = 'failed'))::int AS failed_mails,
        (count(*) FILTER (WHERE status = 'failed' AND settled_at > now() - interval '24 hours'))::int
          AS new_failed_mails,
        (count(*) FILTER (WHERE status = 'queued'))::int AS retried_mails
      FROM mails
      -- The condition of the index mails_in_trouble, so that PostgreSQL uses it.
      WHERE (status = 'failed' OR (status = 'queued' AND failure IS NOT NULL))
        -- Without those that were sent again.
        AND NOT (status = 'failed' AND ${HAS_NEWER_MAIL})
    ) AS mails
    CROSS JOIN (
      SELECT count(*)::int AS errors,
        (count(*) FILTER (WHERE happened_at > now() - interval '24 hours'))::int AS new_errors
      FROM server_errors
    ) AS errors
  `.execute(database);
  return requireFound(rows[0]);
}

/** The name of the newest migration of the database. */
export async function loadLastMigration(database: Database): Promise<string> {
  const { rows } = await sql<{ name: string | null }>`
    SELECT max(name) AS name FROM migrations
  `.execute(database);
  return rows[0]?.name ?? '';
}
