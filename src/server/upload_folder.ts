import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Instant } from '#domain/time/time.ts';

/** Longer than any upload takes: the process that was receiving an older one has been killed. */
const ABANDONED_AFTER_MS = 60 * 60_000;

/**
 * Creates the folder for uploads in progress if it is missing, and deletes the uploads that killed
 * processes left there. Each upload has its own subfolder.
 * @param options `ownsDataDirectory`: whether no other server uses the data directory. If so, all
 *   uploads are leftovers; otherwise only old uploads are deleted.
 * @returns the path of the folder
 */
export async function prepareUploadFolder(
  dataDir: string,
  { ownsDataDirectory, now }: { readonly ownsDataDirectory: boolean; readonly now: Instant },
): Promise<string> {
  const folder = join(dataDir, 'uploads');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (ownsDataDirectory || (await isAbandoned(path, now)))
      await rm(path, { recursive: true, force: true });
  }
  return folder;
}

async function isAbandoned(path: string, now: Instant): Promise<boolean> {
  // Undefined when another server has deleted the upload meanwhile.
  const upload = await stat(path).catch(() => undefined);
  return upload !== undefined && now - upload.mtimeMs > ABANDONED_AFTER_MS;
}
