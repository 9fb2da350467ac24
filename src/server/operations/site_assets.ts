import type { Instant } from '#domain/time.ts';
import type { Database } from '#server/database/connect.ts';
import {
  deleteUnusedSiteAssets,
  insertSiteAssets,
  touchSiteAssets,
} from '#server/database/site_assets.ts';

/**
 * How long the files of a build stay after the last server that used them. Caches may keep a page for
 * a day (`deploy/varnish`), browsers keep tabs open for longer.
 */
const RETENTION_MS = 7 * 24 * 60 * 60_000;

/**
 * Stores a build's files for every server and for pages that outlive the build. Call it at start and
 * a few times a day, so that `deleteOldSiteAssets` knows that they are in use.
 */
export async function publishSiteAssets(
  database: Database,
  assets: ReadonlyMap<string, Buffer>,
): Promise<void> {
  if (assets.size === 0) return;
  const stored = await touchSiteAssets(database, [...assets.keys()]);
  const missing = [...assets].filter(([name]) => !stored.has(name));
  if (missing.length > 0) await insertSiteAssets(database, missing);
}

/** Deletes the files of builds that no server has used for a week. */
export function deleteOldSiteAssets(database: Database, now: Instant): Promise<void> {
  return deleteUnusedSiteAssets(database, now - RETENTION_MS);
}
