import { sql } from 'kysely';
import type { Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';

/** Marks the stored files of these names as in use now, and returns their names. */
export async function touchSiteAssets(
  database: Database,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await database
    .updateTable('site_assets')
    .set({ last_used_at: sql`now()` })
    .where('name', 'in', (query) =>
      // In order, so that two servers that start together do not lock each other out.
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

/**
 * Stores files by their names, of which there is at least one. A file that has its name already stays
 * as it is, for names carry a hash of the content.
 */
export async function insertSiteAssets(
  database: Database,
  assets: readonly (readonly [name: string, bytes: Buffer])[],
): Promise<void> {
  await database
    .insertInto('site_assets')
    // In order, so that two servers that start together do not lock each other out.
    .values(
      assets.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, bytes]) => ({ name, bytes })),
    )
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

/** The content of a stored file; undefined when there is none of that name. */
export async function findSiteAsset(database: Database, name: string): Promise<Buffer | undefined> {
  const row = await database
    .selectFrom('site_assets')
    .select('bytes')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.bytes;
}

/** Deletes the files that no server has used since `before` (exclusive). */
export async function deleteUnusedSiteAssets(database: Database, before: Instant): Promise<void> {
  await database
    .deleteFrom('site_assets')
    .where('name', 'in', (query) =>
      query
        .selectFrom('site_assets')
        .select('name')
        .where('last_used_at', '<', new Date(before))
        .forUpdate()
        .skipLocked(),
    )
    .execute();
}
