/**
 * Which folder or bucket each server stores pictures in. The doctor compares them, because servers that
 * share a database must share the pictures.
 */
import { sql } from 'kysely';
import type { Database } from './connect.ts';

/** A running server stores its row again every ten minutes. Rows that are older belong to stopped servers. */
const LIVE_MINUTES = 30;
/** After so many days without a running server, a row is deleted. */
const FORGOTTEN_DAYS = 7;

/** A folder or bucket in which a server stores pictures. */
interface ServerImageStore {
  /** The id of the folder or bucket (`identifyStore`), equal for all servers that share it. */
  readonly store: string;
  /** The bucket or folder, for people. */
  readonly place: string;
  /** The name of the server's machine. */
  readonly server: string;
}

/** Records the folder or bucket of a server, and deletes the rows of servers that are long gone. */
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

/** Lists the folders or buckets of the servers that run now, the last seen first. */
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
