import type { Context, InChange } from './context.ts';

/** Runs reads that see the data of one moment, however long they take. The work gets a context as in `change`. */
export function readSnapshot<C extends Pick<Context, 'database'>, T>(
  context: C,
  work: (context: InChange<C>) => Promise<T>,
): Promise<T> {
  return context.database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((database) => work({ ...context, database }));
}
