import { sql } from 'kysely';
import type { Database } from './connect.ts';

/** Servers store this again every ten minutes. */
const LIVE_MINUTES = 30;
/** Rows of servers that have stopped are deleted after this time. */
const FORGOTTEN_DAYS = 7;

/** A place where a server stores pictures. */
interface ServerImageStore {
  /** The same for all servers that share the place. */
  readonly store: string;
  /** The bucket or folder, for people. */
  readonly place: string;
  /** The name of the server's machine. */
  readonly server: string;
}

/** Stores where a server stores pictures, and forgets servers that are long gone. */
export async function saveImageStore(database: Database, row: ServerImageStore): Promise<void> {
  await database
    .insertInto('image_stores')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['store', 'server']).doUpdateSet({ place: row.place, seen_at: sql`now()` }),
    )
    .execute();
  await database
    .deleteFrom('image_stores')
    .where('seen_at', '<', sql<Date>`now() - make_interval(days => ${FORGOTTEN_DAYS})`)
    .execute();
}

/** Lists where the servers that run now store pictures, the last seen first. */
export function listLiveImageStores(database: Database) {
  return database
    .selectFrom('image_stores')
    .select([
      'store',
      'place',
      'server',
      sql<number>`(extract(epoch FROM now() - seen_at) * 1000)::float8`.as('age_ms'),
    ])
    .where('seen_at', '>', sql<Date>`now() - make_interval(mins => ${LIVE_MINUTES})`)
    .orderBy('seen_at', 'desc')
    .execute();
}
