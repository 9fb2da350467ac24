import { Transaction as KyselyTransaction } from 'kysely';
import type { Database, Transaction } from '#server/database/connect.ts';

/** Calls a function that needs a transaction: in one of its own, or in that of `database`. */
export function inTransaction<Rest extends readonly unknown[], T>(
  database: Database,
  run: (transaction: Transaction, ...rest: Rest) => Promise<T>,
  ...rest: Rest
): Promise<T> {
  if (database instanceof KyselyTransaction) return run(database, ...rest);
  return database.transaction().execute((transaction) => run(transaction, ...rest));
}
