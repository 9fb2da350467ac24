/** Counts events in the database, so that all processes share their limits. */
import { sql } from 'kysely';
import type { CountedEvent } from '#domain/requests/limits.ts';
import type { Instant } from '#domain/time/time.ts';
import type { Database } from './connect.ts';
import { hashKey } from './hashed_keys.ts';
import { deleteInBatches } from './in_batches.ts';

/** An event's count for one limit, and how long until it begins again. */
interface Count {
  /** The name of the limit. */
  readonly counted: string;
  readonly count: number;
  readonly msLeft: number;
  /** False if the event is beyond a limit, and so counts for none: then only the limits beyond are listed. */
  readonly isCounted: boolean;
}

/**
 * Counts an event for several limits, with one statement. If it is beyond some of them (`reached`), nothing is
 * counted. Concurrent events may exceed a limit.
 */
export async function addToCounts(
  database: Database,
  events: readonly CountedEvent[],
): Promise<readonly Count[]> {
  const { rows } = await sql<Count>`
    WITH clock AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now),
    event AS (SELECT * FROM unnest(${keysOf(events)}::text[], ${events.map(({ periodMs }) => periodMs)}::int[],
      ${events.map(({ most }) => most)}::int[]) AS event (key, ms, most)),
    reached AS (
      SELECT key, points + 1 AS points, expire FROM rate_limits JOIN event USING (key), clock
      WHERE points >= most AND expire > now
    ), added AS (
      INSERT INTO rate_limits AS known (key, points, expire)
      SELECT key, 1, now + ms FROM clock, event WHERE NOT EXISTS (SELECT FROM reached)
      -- All statements lock the rows in one order, so that no two wait for each other.
      ORDER BY key
      ON CONFLICT (key) DO UPDATE SET
        points = CASE WHEN known.expire > (SELECT now FROM clock) THEN known.points + 1 ELSE 1 END,
        expire = CASE WHEN known.expire > (SELECT now FROM clock)
          THEN known.expire ELSE excluded.expire END
      RETURNING key, points, expire
    )
    SELECT split_part(key, ':', 1) AS counted, points AS count, (expire - now)::int AS "msLeft", "isCounted"
    FROM (SELECT *, false AS "isCounted" FROM reached UNION ALL SELECT *, true FROM added) AS counts, clock
  `.execute(database);
  return rows;
}

/** Takes an event back, which was counted for all these limits. */
export async function takeFromCounts(
  database: Database,
  events: readonly CountedEvent[],
): Promise<void> {
  await sql`
    WITH locked AS (SELECT key FROM rate_limits WHERE key = any(${keysOf(events)}::text[]) ORDER BY key FOR UPDATE)
    UPDATE rate_limits SET points = greatest(points - 1, 0) FROM locked WHERE rate_limits.key = locked.key
  `.execute(database);
}

function keysOf(events: readonly CountedEvent[]): readonly string[] {
  return events.map(({ counted, causer }) => `${counted}:${hashKey(causer)}`);
}

/** Deletes the counts whose time is over. */
export async function deleteExpiredCounts(database: Database, now: Instant): Promise<void> {
  await deleteInBatches(database, 'rate_limits', 'expire', sql`expire < ${String(now)}`);
}
