/** Checks whether two servers store pictures in the same place. */
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bucket } from './s3_store.ts';

/** In the folder of pictures: its random id, so that a shared folder is recognised under any path. */
export const STORE_ID_FILE = '.store-id';

/** The id of a bucket: the same on all servers that use it. */
export function identifyBucket({ endpoint, name }: Pick<Bucket, 'endpoint' | 'name'>): string {
  return `${endpoint}/${name}`;
}

/** Reads the id of a folder of pictures; undefined if it has none yet. */
export async function readFolderId(folder: string): Promise<string | undefined> {
  const id = await readFile(join(folder, STORE_ID_FILE), 'utf8').catch(() => undefined);
  return id?.trim() || undefined;
}

/**
 * Identifies the place where a server stores pictures. Gives a folder its id if it has none.
 * @returns `store`, the same for all servers that share the place, and `place`, a text for people
 */
export async function identifyStore(
  bucket: Bucket | undefined,
  folder: string,
): Promise<{ readonly store: string; readonly place: string }> {
  if (bucket) return { store: identifyBucket(bucket), place: `the bucket ${bucket.name}` };
  const known = await readFolderId(folder);
  if (known !== undefined) return { store: known, place: folder };
  // Fails if another process has just written it; then its id counts.
  await writeFile(join(folder, STORE_ID_FILE), `${randomUUID()}\n`, {
    flag: 'wx',
    mode: 0o600,
  }).catch(() => {});
  return { store: (await readFolderId(folder)) ?? folder, place: folder };
}
