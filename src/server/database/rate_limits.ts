/** Counts events in the database, so that all processes share their limits. */
import { sql } from 'kysely';
import type { CountedEvent } from '#domain/limits.ts';
import type { Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';
import { hashKey } from './hashed_keys.ts';
import { deleteInBatches } from './in_batches.ts';

/**
 * Counts an event for several limits, with one statement.
 * @param added -1 takes the event back
 * @returns each limit's count, and how long until it begins again
 */
export async function addToCounts(
  database: Database,
  events: readonly CountedEvent[],
  added: 1 | -1 = 1,
): Promise<readonly { counted: string; count: number; msLeft: number }[]> {
  const keys = events.map(({ counted, causer }) => `${counted}:${hashKey(causer)}`);
  const periods = events.map(({ periodMs }) => periodMs);
  const { rows } = await sql<{ counted: string; count: number; msLeft: number }>`
    WITH clock AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now)
    INSERT INTO rate_limits AS known (key, points, expire)
    SELECT event.key, greatest(${added}::int, 0), now + ms
    FROM clock, unnest(${keys}::text[], ${periods}::int[]) AS event (key, ms)
    -- Statements at the same time lock the rows in one order.
    ORDER BY event.key
    ON CONFLICT (key) DO UPDATE SET
      points = CASE WHEN known.expire > (SELECT now FROM clock)
        THEN greatest(known.points + ${added}::int, 0) ELSE excluded.points END,
      expire = CASE WHEN known.expire > (SELECT now FROM clock)
        THEN known.expire ELSE excluded.expire END
    RETURNING split_part(key, ':', 1) AS counted, points AS count,
      (expire - (SELECT now FROM clock))::int AS "msLeft"
  `.execute(database);
  return rows;
}

/** Deletes the counts whose time is over. */
export async function deleteExpiredCounts(database: Database, now: Instant): Promise<void> {
  await deleteInBatches(database, 'rate_limits', 'expire', sql`expire < ${String(now)}`);
}
