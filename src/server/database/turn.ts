import { sql, type Transaction } from 'kysely';
import type { Database } from './connect.ts';
import type { DB } from './tables.ts';

/** Any constant will do, as long as every server of ours asks for the same. */
const TURNS = { demo: 7_261_002, superuser: 7_261_003 };
const PICTURES = 7_261_004;

/** Runs something that only one of several servers may do at a time. */
export function inTurn<T>(
  database: Database,
  what: keyof typeof TURNS,
  work: (transaction: Transaction<DB>) => Promise<T>,
): Promise<T> {
  return database.transaction().execute(async (transaction) => {
    await takeTurn(transaction, what);
    return work(transaction);
  });
}

/** Waits within a transaction until it is its turn, which lasts as long as the transaction. */
export async function takeTurn(transaction: Database, what: keyof typeof TURNS): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${TURNS[what]})`.execute(transaction);
}

/**
 * Runs the work on a picture, unless another server holds the lock of the same picture. The lock
 * ends with the work, or with the connection when the server dies.
 */
export async function tryWithPictureLock(
  database: Database,
  imageId: string,
  work: () => Promise<void>,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ locked: boolean }>`
      SELECT pg_try_advisory_xact_lock(${PICTURES}::int, hashtext(${imageId})) AS locked
    `.execute(transaction);
    if (rows[0]?.locked) await work();
  });
}
