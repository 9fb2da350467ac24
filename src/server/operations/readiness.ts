import { sql } from 'kysely';
import type { Parts } from './parts.ts';

/** Whether the database answers. */
export async function isReady({ database }: Parts): Promise<boolean> {
  try {
    await sql`SELECT 1`.execute(database);
    return true;
  } catch {
    return false;
  }
}
