import { HOUR_MS, type Instant } from '#domain/time.ts';
import type { Database } from '#server/database/connect.ts';
import * as siteAssets from '#server/database/site_assets.ts';

/** Pages of an old build stay in CDNs for a day, in browser tabs longer, and need its files. */
const RETENTION_MS = 7 * 24 * HOUR_MS;

/**
 * Stores the scripts and styles of this build in the database, because a cached page may load them
 * from a server with another build. Calls at start and a few times a day mark these files as used.
 * @param assets contents by file name; a name contains a hash of the content
 */
export async function publishSiteAssets(
  database: Database,
  assets: ReadonlyMap<string, Buffer>,
): Promise<void> {
  if (assets.size === 0) return;
  const storedNames = await siteAssets.touchSiteAssets(database, [...assets.keys()]);
  const missing = [...assets].filter(([name]) => !storedNames.has(name));
  if (missing.length > 0) await siteAssets.insertSiteAssets(database, missing);
}

/** Deletes the files that no server has marked as in use for a week. */
export function deleteOldSiteAssets(database: Database, now: Instant): Promise<void> {
  return siteAssets.deleteUnusedSiteAssets(database, now - RETENTION_MS);
}
