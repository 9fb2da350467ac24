import { sql, type Transaction } from 'kysely';
import { refuse } from '#domain/refusal.ts';
import type { Instant } from '#domain/time.ts';
import { type Database, isRetryable } from './connect.ts';
import { errorCode } from './error_code.ts';
import type { DB } from './tables.ts';

const EXCLUSION_VIOLATION = '23P01';
const MAX_ATTEMPTS = 4;
/** A change that has waited longer is refused: the database may be stuck. */
const MAX_WAIT_MS = 10_000;

/** The last waiting change of each artist's calendar in this process, by database. */
const queuesByDatabase = new WeakMap<Database, Map<string, Promise<unknown>>>();

/**
 * Runs a change of an artist's calendar in a transaction: one change per artist at a time, with
 * *now* read from the database after the lock is taken (docs/decisions, 0007). Changes of one process
 * wait without a connection, so that a crowd at one artist leaves connections for the others.
 * @throws Refusal `time_taken` when the exclusion constraint refuses an overlap, `busy` when the
 *   wait or the attempts ran out
 */
export async function withCalendarLock<T>(
  database: Database,
  artistId: string,
  work: (transaction: Transaction<DB>, now: Instant) => Promise<T>,
): Promise<T> {
  const queues = queuesByDatabase.get(database) ?? new Map<string, Promise<unknown>>();
  queuesByDatabase.set(database, queues);
  const previous = queues.get(artistId) ?? Promise.resolve();
  const startedAt = performance.now();
  const result = previous.then(() => {
    if (performance.now() - startedAt > MAX_WAIT_MS) throw refuse('busy');
    return runWithRetries(database, artistId, work);
  });
  const done = result.catch(() => {});
  queues.set(artistId, done);
  try {
    return await result;
  } finally {
    if (queues.get(artistId) === done) queues.delete(artistId);
  }
}

async function runWithRetries<T>(
  database: Database,
  artistId: string,
  work: (transaction: Transaction<DB>, now: Instant) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ now: Date }>`
          SELECT pg_advisory_xact_lock(hashtextextended(${artistId}, 0)), clock_timestamp() AS now
        `.execute(transaction);
        const [row] = rows;
        if (row === undefined) throw new Error('Reading the database clock failed');
        return work(transaction, row.now.getTime());
      });
    } catch (error) {
      if (errorCode(error) === EXCLUSION_VIOLATION) throw refuse('time_taken');
      if (!isRetryable(error)) throw error;
      if (attempt === MAX_ATTEMPTS) throw refuse('busy');
    }
  }
}
