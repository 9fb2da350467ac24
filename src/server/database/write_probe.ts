import { sql } from 'kysely';
import type { Database } from './connect.ts';

/**
 * Writes one row, which a replica, a read-only database and a full disk refuse.
 * @throws the database's error
 */
export async function writeProbe(database: Database): Promise<void> {
  await database
    .insertInto('write_probe')
    .defaultValues()
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ written_at: sql`now()` }))
    .execute();
}
