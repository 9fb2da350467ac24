/**
 * The built files of the site (scripts, styles). Our servers may run different builds. So each
 * server stores its files in the database, and any server can send the files of any build. File names
 * contain a hash of the content, so a stored file never changes.
 */
import { sql } from 'kysely';
import { DAY_MS, type Instant } from '#domain/time/time.ts';
import type { Database } from '#server/database/connect.ts';
import { deleteOlderThan } from '#server/database/in_batches.ts';

/** Pages of an old build stay in CDNs for a day, in browser tabs longer, and need its files. */
const RETENTION_MS = 7 * DAY_MS;

/**
 * Stores the scripts and styles of this build in the database, because a cached page may load them
 * from a server with another build. Calls at start and a few times a day mark these files as used.
 * @param assets contents by file name
 */
export async function publishSiteAssets(
  database: Database,
  assets: ReadonlyMap<string, Buffer>,
): Promise<void> {
  if (assets.size === 0) return;
  const stored = await database
    .updateTable('site_assets')
    .set({ last_used_at: sql`now()` })
    .where('name', 'in', (query) =>
      // Ordered locks prevent a deadlock of two servers that start at the same time.
      query
        .selectFrom('site_assets')
        .select('name')
        .where('name', 'in', [...assets.keys()])
        .orderBy('name')
        .forUpdate(),
    )
    .returning('name')
    .execute();
  const storedNames = new Set(stored.map(({ name }) => name));
  const missing = [...assets].filter(([name]) => !storedNames.has(name));
  if (missing.length === 0) return;
  await database
    .insertInto('site_assets')
    // Ordered inserts prevent a deadlock of two servers that start at the same time.
    .values(
      missing.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, bytes]) => ({ name, bytes })),
    )
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

/** Finds the content of a file of any build. */
export async function findSiteAsset(database: Database, name: string): Promise<Buffer | undefined> {
  const row = await database
    .selectFrom('site_assets')
    .select('bytes')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.bytes;
}

/** Deletes the files that no server has marked as in use for a week. */
export function deleteOldSiteAssets(database: Database, now: Instant): Promise<void> {
  return deleteOlderThan(database, 'site_assets', 'last_used_at', now - RETENTION_MS);
}
