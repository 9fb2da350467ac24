/** Runs changes of an artist's calendar one after another, so that no time is booked twice. */
import { sql, type Transaction } from 'kysely';
import { refuse } from '#domain/refusal.ts';
import type { Instant } from '#domain/time.ts';
import { type Database, isRetryable } from './connect.ts';
import { errorCode } from './error_code.ts';
import type { DB } from './tables.ts';

/** PostgreSQL's error code when an exclusion constraint refuses overlapping times. */
const EXCLUSION_VIOLATION = '23P01';
const MAX_ATTEMPTS = 4;
/** A change that waits longer for earlier changes is refused: the database may be stuck. */
const MAX_WAIT_MS = 10_000;

/** `now` is the time of the database's clock after the lock was taken. */
type Work<T> = (transaction: Transaction<DB>, now: Instant) => Promise<T>;

/** By artist id: resolves when the change that this process queued last has succeeded or failed. */
type LastChanges = Map<string, Promise<unknown>>;
const lastChangesByDatabase = new WeakMap<Database, LastChanges>();

/**
 * Runs a change of an artist's calendar in a transaction, one change per artist at a time
 * (docs/decisions, 0007). An advisory lock makes changes of other processes wait. Changes of this
 * process wait for each other before taking a connection, to leave connections for other artists.
 * @param work runs again after a deadlock or serialization failure
 * @throws Refusal `time_taken` when the exclusion constraint refuses an overlap; `busy` after
 *   `MAX_WAIT_MS` or `MAX_ATTEMPTS`
 */
export async function withCalendarLock<T>(database: Database, artistId: string, work: Work<T>) {
  const lastChanges: LastChanges = lastChangesByDatabase.get(database) ?? new Map();
  lastChangesByDatabase.set(database, lastChanges);
  const previousChange = lastChanges.get(artistId) ?? Promise.resolve();
  const waitingSince = performance.now();
  const change = previousChange.then(() => {
    if (performance.now() - waitingSince > MAX_WAIT_MS) throw refuse('busy');
    return runWithRetries(database, artistId, work);
  });
  // The next change must also run when this change fails.
  const whenDone = change.catch(() => {});
  lastChanges.set(artistId, whenDone);
  try {
    return await change;
  } finally {
    if (lastChanges.get(artistId) === whenDone) lastChanges.delete(artistId);
  }
}

async function runWithRetries<T>(database: Database, artistId: string, work: Work<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction().execute(async (transaction) => {
        // PostgreSQL evaluates the columns in this order, so it reads the clock after the wait for
        // the lock. The 0 is the seed of the hash.
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
