import { sql, type Transaction } from 'kysely';
import type { Database } from './connect.ts';
import type { DB } from './tables.ts';

/** Keys of advisory locks. All servers of one database must use the same. */
const LOCKS = { demo: 7_261_002, superuser: 7_261_003 };
const IMAGE_LOCK = 7_261_004;

/** Runs work in a transaction that only one server may run at a time. */
export function withLock<T>(
  database: Database,
  lock: keyof typeof LOCKS,
  work: (transaction: Transaction<DB>) => Promise<T>,
): Promise<T> {
  return database.transaction().execute(async (transaction) => {
    await takeLock(transaction, lock);
    return work(transaction);
  });
}

/** Waits for the lock, and holds it until the end of the transaction. */
export async function takeLock(transaction: Database, lock: keyof typeof LOCKS): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${LOCKS[lock]})`.execute(transaction);
}

/**
 * Runs work on an image, unless another server is working on it. The lock ends with the work, or
 * with the connection when the server dies.
 */
export async function tryWithImageLock(
  database: Database,
  imageId: string,
  work: () => Promise<void>,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ locked: boolean }>`
      SELECT pg_try_advisory_xact_lock(${IMAGE_LOCK}::int, hashtext(${imageId})) AS locked
    `.execute(transaction);
    if (rows[0]?.locked) await work();
  });
}
