import { sql, type Transaction } from 'kysely';
import { refuse } from '#domain/refusal.ts';
import type { Instant } from '#domain/time.ts';
import { type Database, errorCode, wasInTheWay } from './connect.ts';
import type { DB } from './tables.ts';

const EXCLUSION_VIOLATION = '23P01';
const ATTEMPTS = 4;
/** Whoever has waited longer for their turn is told so: the database may be stuck. */
const PATIENCE_MS = 10_000;

/** The last of those who wait for each artist's calendar in this process, for each database. */
const queuesOf = new WeakMap<Database, Map<string, Promise<unknown>>>();

/**
 * Runs everything that changes what an artist's calendar holds: one at a time for each artist,
 * with *now* read from the database once it is this one's turn (design, decision 2). Within this
 * process they wait without a connection, so that a crowd at one artist leaves some to the others.
 * @throws Refusal `time_taken` when the database refuses an overlap, `busy` when the wait or the
 *   retries ran out
 */
export async function inCalendarOf<T>(
  database: Database,
  artistId: string,
  work: (transaction: Transaction<DB>, now: Instant) => Promise<T>,
): Promise<T> {
  const queues = queuesOf.get(database) ?? new Map<string, Promise<unknown>>();
  queuesOf.set(database, queues);
  const before = queues.get(artistId) ?? Promise.resolve();
  const since = performance.now();
  const turn = before.then(() => {
    if (performance.now() - since > PATIENCE_MS) throw refuse('busy');
    return run(database, artistId, work);
  });
  const done = turn.catch(() => {});
  queues.set(artistId, done);
  try {
    return await turn;
  } finally {
    if (queues.get(artistId) === done) queues.delete(artistId);
  }
}

async function run<T>(
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
        const [turn] = rows;
        if (turn === undefined) throw new Error('The database told no time');
        return work(transaction, turn.now.getTime());
      });
    } catch (error) {
      if (errorCode(error) === EXCLUSION_VIOLATION) throw refuse('time_taken');
      if (!wasInTheWay(error)) throw error;
      if (attempt === ATTEMPTS) throw refuse('busy');
    }
  }
}
