import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Context } from './context.ts';

const TIMEOUT_MS = 3000;

/** Whether the database answers a query within the timeout and without an error. */
export async function isReady({ database }: Context): Promise<boolean> {
  const query = sql`SELECT 1`.execute(database).then(
    () => true,
    () => false,
  );
  const valueAfterTimeout = false;
  // `ref: false` lets the process exit before the timeout.
  const timeout = sleep(TIMEOUT_MS, valueAfterTimeout, { ref: false });
  return Promise.race([query, timeout]);
}
