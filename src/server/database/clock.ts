import { sql } from 'kysely';
import type { Instant } from '#domain/time/time.ts';
import type { Database } from './connect.ts';

/** Reads the database's clock, because the clocks of our servers may differ. */
export async function loadDatabaseTime(database: Database): Promise<Instant> {
  const { rows } = await sql<{ now: Date }>`SELECT clock_timestamp() AS now`.execute(database);
  const [row] = rows;
  if (row === undefined) throw new Error('Reading the database clock failed');
  return row.now.getTime();
}
