import { sql } from 'kysely';
import type { Database } from './connect.ts';

/**
 * Arbitrary keys of PostgreSQL's advisory locks (locks on numbers), the same in all our servers.
 * `demo` guards the insertion of demo data, and `superuser` changes of who is a superuser.
 */
const LOCKS = { demo: 7_261_002, superuser: 7_261_003 };
/** The first keys of the locks of an artist's and of a mailbox's budget; the second are hashes. */
const ARTIST_BUDGET_LOCK = 7_261_006;
const MAILBOX_BUDGET_LOCK = 7_261_007;
/** The first key of the lock of a mail thread; the second is a hash of the thread. */
const MAIL_THREAD_LOCK = 7_261_008;
/** The first of the two keys of an image's lock; the second is a hash of the image's id. */
const IMAGE_LOCK = 7_261_004;

/** Waits for the lock and takes it. PostgreSQL releases the lock at the end of the transaction. */
export async function takeLock(transaction: Database, lock: keyof typeof LOCKS): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${LOCKS[lock]})`.execute(transaction);
}

/**
 * Waits until no other transaction counts mails of this artist or mailbox. All transactions take the
 * artist's lock first, so none of them waits in a circle.
 */
export async function lockMailBudgets(
  transaction: Database,
  artistId: string | null,
  mailbox: string,
): Promise<void> {
  if (artistId !== null)
    await sql`SELECT pg_advisory_xact_lock(${ARTIST_BUDGET_LOCK}::int, hashtext(${artistId}))`.execute(
      transaction,
    );
  await sql`SELECT pg_advisory_xact_lock(${MAILBOX_BUDGET_LOCK}::int, hashtext(${mailbox}))`.execute(
    transaction,
  );
}

/**
 * Waits until no other transaction decides which mail of this thread is sent next. Take it before the
 * locks of `lockMailBudgets`.
 */
export async function lockMailThread(transaction: Database, thread: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${MAIL_THREAD_LOCK}::int, hashtext(${thread}))`.execute(
    transaction,
  );
}

/**
 * Takes the lock of `lockMailThread` without waiting, so that transactions that need several threads
 * never wait in a circle.
 * @returns false when another transaction has it
 */
export async function tryLockMailThread(transaction: Database, thread: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    SELECT pg_try_advisory_xact_lock(${MAIL_THREAD_LOCK}::int, hashtext(${thread})) AS locked
  `.execute(transaction);
  return rows[0]?.locked === true;
}

/**
 * Runs work on an image under the image's lock. PostgreSQL releases the lock after the work, or when
 * the connection is lost.
 * @returns false when another transaction holds the lock: then the work was not run
 */
export function tryWithImageLock(
  database: Database,
  imageId: string,
  work: () => Promise<void>,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ locked: boolean }>`
      SELECT pg_try_advisory_xact_lock(${IMAGE_LOCK}::int, hashtext(${imageId})) AS locked
    `.execute(transaction);
    if (!rows[0]?.locked) return false;
    await work();
    return true;
  });
}
