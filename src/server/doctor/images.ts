import { randomUUID } from 'node:crypto';
import { access, constants, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isFolder } from '#server/database/bundled/data_directory.ts';
import { readUserName } from '#server/database/bundled/system_user.ts';
import { errorCode } from '#server/database/error_code.ts';
import { describeBucketError } from '#server/images/bucket_failure.ts';
import { createDiskStore } from '#server/images/disk_store.ts';
import type { ImageStore } from '#server/images/image_store.ts';
import type { Bucket } from '#server/images/s3_store.ts';
import { fetchOrReason } from './fetch_or_reason.ts';
import { error, type Found, ok, warning } from './finding.ts';
import type { Check } from './parts.ts';

/** Enough to notice folders of another user, and few enough for a folder with 100,000 pictures. */
const MAX_SAMPLES = 200;

/** Writes, reads and deletes a small file in the store of pictures. */
export const checkImages: Check = async ({ config, dataDir }) =>
  config.bucket ? checkBucket(config.bucket) : checkFolder(join(dataDir, 'media'));

async function checkBucket(bucket: Bucket): Promise<Found> {
  // Imported only here, because the S3 client package is large and few servers use it.
  const { createS3Store } = await import('#server/images/s3_store.ts');
  const place = `The bucket ${bucket.name}`;
  try {
    const store = createS3Store(bucket, 1);
    const finding = await probe(store, (url) => checkPublicUrl(url, place));
    return finding ?? ok(`${place} takes, returns and deletes files.`);
  } catch (reason) {
    const failure = describeBucketError(reason, bucket);
    return error(`${place} cannot be used: ${failure.reason}.`, failure.advice);
  }
}

async function checkFolder(folder: string): Promise<Found> {
  if (!(await isFolder(folder))) return ok(`${folder} is missing; the first start creates it.`);
  try {
    await probe(createDiskStore(folder, ''), async () => undefined);
  } catch (reason) {
    return error(
      `Pictures cannot be stored in ${folder} (${errorCode(reason) ?? reason}).`,
      'Give the folder to the user of the server (chown), or free space on its disk.',
    );
  }
  const unreadable = await findUnreadable(folder);
  if (unreadable !== undefined)
    return error(
      `This user may not read the pictures in ${unreadable.path}, which belongs to ${unreadable.owner}.`,
      `Give all of ${folder} to the user of the server: chown -R.`,
    );
  return ok(`${folder} takes, returns and deletes files.`);
}

/** @param whileStored called with the URL of the file for browsers, while it is there */
async function probe(
  store: ImageStore,
  whileStored: (url: string) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const imageId = `doctor-${randomUUID()}`;
  const file = { imageId, width: 1, format: 'webp' } as const;
  const bytes = new TextEncoder().encode(imageId);
  try {
    await store.put(file, bytes);
    const stored = await store.read(file);
    if (Buffer.compare(stored, bytes) !== 0) throw new Error('It returned another file');
    return await whileStored(store.urlOf(file));
  } finally {
    await store.remove(imageId).catch(() => {});
  }
}

/** Browsers read pictures from the bucket, or from a CDN in front of it. */
async function checkPublicUrl(url: string, place: string): Promise<Found | undefined> {
  const { origin } = new URL(url);
  const response = await fetchOrReason(url);
  if (typeof response === 'string')
    return warning(
      `${place} works, but ${origin} cannot be reached from here (${response}).`,
      'Correct S3_PUBLIC_URL, unless only this machine cannot reach it.',
    );
  if (response.status === 200) return undefined;
  return error(
    `${place} works, but browsers get no picture from ${origin} (status ${response.status}).`,
    'Let everyone read objects by their address, or correct S3_PUBLIC_URL.',
  );
}

async function findUnreadable(folder: string) {
  const names = (await readdir(folder)).slice(0, MAX_SAMPLES);
  for (const name of names) {
    const path = join(folder, name);
    try {
      const entry = await stat(path);
      await access(path, constants.R_OK | (entry.isDirectory() ? constants.X_OK : 0));
    } catch (reason) {
      if (errorCode(reason) !== 'EACCES') continue;
      const { uid } = await stat(path);
      return { path, owner: await readUserName(uid) };
    }
  }
  return undefined;
}
