import { sql } from 'kysely';
import type { Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';

/** Now, by the one clock that all servers share. */
export async function loadDatabaseTime(database: Database): Promise<Instant> {
  const { rows } = await sql<{ now: Date }>`SELECT clock_timestamp() AS now`.execute(database);
  const [clock] = rows;
  if (clock === undefined) throw new Error('The database told no time');
  return clock.now.getTime();
}
