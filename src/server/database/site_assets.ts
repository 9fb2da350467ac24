/**
 * The built files of the site (scripts, styles). Our servers may run different builds. So each
 * server stores its files here, and any server can send the files of any build. File names contain
 * a hash of the content, so a stored file never changes.
 */
import { sql } from 'kysely';
import type { Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';
import { deleteInBatches } from './in_batches.ts';

/** Sets `last_used_at` of these files to now. Returns only the names whose files are stored. */
export async function touchSiteAssets(
  database: Database,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await database
    .updateTable('site_assets')
    .set({ last_used_at: sql`now()` })
    .where('name', 'in', (query) =>
      // Ordered locks prevent a deadlock of two servers that start at the same time.
      query
        .selectFrom('site_assets')
        .select('name')
        .where('name', 'in', [...names])
        .orderBy('name')
        .forUpdate(),
    )
    .returning('name')
    .execute();
  return new Set(rows.map(({ name }) => name));
}

/** Stores files, except those whose name is already stored. `assets` must not be empty. */
export async function insertSiteAssets(
  database: Database,
  assets: readonly (readonly [name: string, bytes: Buffer])[],
): Promise<void> {
  await database
    .insertInto('site_assets')
    // Ordered inserts prevent a deadlock of two servers that start at the same time.
    .values(
      assets.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, bytes]) => ({ name, bytes })),
    )
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

export async function findSiteAsset(database: Database, name: string): Promise<Buffer | undefined> {
  const row = await database
    .selectFrom('site_assets')
    .select('bytes')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.bytes;
}

/** Deletes the files with a `last_used_at` before `before`. */
export async function deleteUnusedSiteAssets(database: Database, before: Instant): Promise<void> {
  const isUnused = sql`last_used_at < ${new Date(before)}`;
  await deleteInBatches(database, 'site_assets', 'last_used_at', isUnused);
}
