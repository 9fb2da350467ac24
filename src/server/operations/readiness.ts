/** Whether the server is ready for requests: answers `/readyz`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Database, isDatabaseUnavailable } from '#server/database/connect.ts';
import type { Context } from './context.ts';

const TIMEOUT_MS = 2000;
/** The database is asked at most this often: health checks in between share an answer. */
const INTERVAL_MS = 1000;

type Answer = 'written' | 'refused' | 'none in time';

/**
 * Returns a function that says whether our server can serve requests: its database takes a write, and
 * does so within two seconds.
 * @param clock returns milliseconds, as `performance.now` does
 */
export function createReadiness(
  { database, log }: Pick<Context, 'database' | 'log'>,
  clock = () => performance.now(),
): () => Promise<boolean> {
  let latest: { readonly startedAt: number; readonly answer: Promise<Answer> } | undefined;
  let isRunning = false;

  async function write(): Promise<Answer> {
    isRunning = true;
    try {
      await writeProbe(database);
      return 'written';
    } catch (error) {
      // Other calls log an outage. Most of them only read, and do not notice that writes are refused.
      if (!isDatabaseUnavailable(error))
        log.error({ err: error, component: 'Health' }, 'A write failed (/readyz answers 503)');
      return 'refused';
    } finally {
      isRunning = false;
    }
  }

  return async () => {
    // While a write waits, another one would only take another connection.
    if (!latest || (!isRunning && clock() - latest.startedAt >= INTERVAL_MS))
      latest = { startedAt: clock(), answer: write() };
    // `ref: false` lets the process exit before the timeout.
    const timeout = sleep(TIMEOUT_MS, 'none in time' as const, { ref: false });
    return (await Promise.race([latest.answer, timeout])) === 'written';
  };
}

/**
 * Writes one row, which a replica, a read-only database and a full disk refuse.
 * @throws the database's error
 */
export async function writeProbe(database: Database): Promise<void> {
  await database
    .insertInto('write_probe')
    .defaultValues()
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ written_at: sql`now()` }))
    .execute();
}
