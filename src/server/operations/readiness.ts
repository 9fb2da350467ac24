import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Context } from './context.ts';

/** A database that takes longer to say anything is as good as down. */
const TIMEOUT_MS = 3000;

/** Whether the database answers. */
export async function isReady({ database }: Context): Promise<boolean> {
  const answered = sql`SELECT 1`.execute(database).then(
    () => true,
    () => false,
  );
  return Promise.race([answered, wait(TIMEOUT_MS, false, { ref: false })]);
}
