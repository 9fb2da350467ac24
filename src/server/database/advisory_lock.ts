/**
 * PostgreSQL's advisory locks (locks on numbers). Their keys are arbitrary, and the same in all our servers.
 * PostgreSQL releases them at the end of the transaction.
 */
import { sql } from 'kysely';
import type { Database, Transaction } from './connect.ts';

/** `demo` guards the insertion of demo data, and `superuser` changes of who is a superuser. */
const LOCKS = { demo: 7_261_002, superuser: 7_261_003 };

/** The first keys of locks on one of many things; the second key is a hash of its id. */
const LOCKS_ON_ONE = {
  image: 7_261_004,
  artistBudget: 7_261_006,
  mailboxBudget: 7_261_007,
  /** Held while a process decides which mail of a thread is sent next. Taken before those of the budgets. */
  mailThread: 7_261_008,
};

/** Waits for the lock and takes it. */
export async function takeLock(transaction: Transaction, lock: keyof typeof LOCKS): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${LOCKS[lock]})`.execute(transaction);
}

/** The lock on one of many things. */
interface LockOnOne {
  readonly lock: keyof typeof LOCKS_ON_ONE;
  readonly id: string;
}

/**
 * Waits for these locks and takes them, in one order, so that no two transactions wait for each other. Read the rows
 * that a lock protects with a later statement: this one sees them as they were before the wait.
 */
export async function takeLocksOn(
  transaction: Transaction,
  locks: readonly LockOnOne[],
): Promise<void> {
  if (locks.length === 0) return;
  const keys = locks.map(({ lock }) => LOCKS_ON_ONE[lock]);
  const ids = locks.map(({ id }) => id);
  await sql`
    SELECT pg_advisory_xact_lock(key, hash) FROM (
      SELECT DISTINCT key, hashtext(id) AS hash FROM unnest(${keys}::int[], ${ids}::text[]) AS one (key, id)
      ORDER BY key, hash
    ) AS ordered
  `.execute(transaction);
}

/**
 * Takes the lock on one of many without waiting, so that transactions that need several never wait in a circle.
 * @returns false when another transaction has the lock
 */
export async function tryLockOn(
  transaction: Transaction,
  lock: keyof typeof LOCKS_ON_ONE,
  id: string,
): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    SELECT pg_try_advisory_xact_lock(${LOCKS_ON_ONE[lock]}::int, hashtext(${id})) AS locked
  `.execute(transaction);
  return rows[0]?.locked === true;
}

/**
 * Runs work on an image under the image's lock.
 * @returns false when another transaction holds the lock: then the work was not run
 */
export function tryWithImageLock(
  database: Database,
  imageId: string,
  work: () => Promise<void>,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const isLocked = await tryLockOn(transaction, 'image', imageId);
    if (isLocked) await work();
    return isLocked;
  });
}
