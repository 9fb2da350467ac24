import { sql, type Transaction } from 'kysely';
import { refuse } from '#domain/refusal.ts';
import type { Instant } from '#domain/time.ts';
import { type Database, errorCode } from './connect.ts';
import type { DB } from './tables.ts';

const EXCLUSION_VIOLATION = '23P01';
const DEADLOCK = '40P01';
const SERIALIZATION_FAILURE = '40001';
const ATTEMPTS = 4;

/**
 * Runs everything that changes what an artist's calendar holds: one at a time for each artist,
 * with *now* read from the database once it is this one's turn (design, decision 2).
 * @throws Refusal `time_taken` when the database refuses an overlap, `busy` when retries ran out
 */
export async function inCalendarOf<T>(
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
      const code = errorCode(error);
      if (code === EXCLUSION_VIOLATION) throw refuse('time_taken');
      if (code !== DEADLOCK && code !== SERIALIZATION_FAILURE) throw error;
      if (attempt === ATTEMPTS) throw refuse('busy');
    }
  }
}
