import type { Database } from '#server/database/connect.ts';

/** Runs reads that see the data of one moment, however long they take. */
export function readSnapshot<T>(
  database: Database,
  work: (transaction: Database) => Promise<T>,
): Promise<T> {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(work);
}
