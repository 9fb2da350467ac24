import { hostname } from 'node:os';
import { join } from 'node:path';
import { pluralize } from '#domain/time/duration.ts';
import { MINUTE_MS } from '#domain/time/time.ts';
import { listLiveImageStores } from '#server/database/image_stores.ts';
import { identifyBucket, readFolderId } from '#server/images/store_identity.ts';
import { error, ok } from './finding.ts';
import { type DatabaseCheck, hasTable } from './parts.ts';

/** Checks that all servers on this database store pictures in the same place. */
export const checkImageSharing: DatabaseCheck = async ({ database, config, dataDir }) => {
  const folder = join(dataDir, 'media');
  const own = config.bucket ? identifyBucket(config.bucket) : await readFolderId(folder);
  const place = config.bucket ? `the bucket ${config.bucket.name}` : folder;
  // Before the first start, no server uses the database.
  const isStarted = await hasTable(database, 'image_stores');
  const stores = isStarted ? await listLiveImageStores(database) : [];
  const others = stores.filter(({ store }) => store !== own);
  if (others.length === 0)
    return ok(`Every server on this database uses ${place} (${Math.max(stores.length, 1)} seen).`);
  return others.map((other) =>
    error(
      `${hostname()} stores pictures in ${place}, and ${other.server} in ${other.place} (seen ${pluralize(Math.round(other.age_ms / MINUTE_MS), 'minute')} ago): each lacks the pictures of the other.`,
      'Set the same S3_BUCKET on all servers, or let the folder media of all be one shared folder.',
    ),
  );
};
