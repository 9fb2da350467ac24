import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** No upload takes as long as this. */
const ABANDONED_AFTER_MS = 60 * 60_000;

/**
 * The folder that files are in while their call is judged, without what a process left that was
 * killed over it.
 * @param alone whether no other server may be using the data directory; else what is young stays
 */
export async function openUploadFolder(
  dataDir: string,
  alone: boolean,
  now: number,
): Promise<string> {
  const folder = join(dataDir, 'uploads');
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const touched = alone
      ? 0
      : await stat(path).then(
          ({ mtimeMs }) => mtimeMs,
          () => now,
        );
    if (now - touched > ABANDONED_AFTER_MS) await rm(path, { recursive: true, force: true });
  }
  return folder;
}
