import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { formatBytes } from '#domain/text/format_bytes.ts';
import { errorCode } from '#server/database/error_code.ts';
import { error, type Found, ok, warning } from './finding.ts';
import type { Check } from './parts.ts';

/** One upload or one backup may need this much. */
const LOW_BYTES = 1_000_000_000;
/** PostgreSQL stops when its disk is full. */
const FULL_BYTES = 100_000_000;
const LOW_FILES = 1000;

/** Checks the free space of DATA_DIR, and of BACKUP_DIR if it is set. */
export const checkDisk: Check = async ({ dataDir, variables }) => {
  const backupDir = variables['BACKUP_DIR'];
  const folders = [
    { setting: 'DATA_DIR', folder: dataDir },
    ...(backupDir ? [{ setting: 'BACKUP_DIR', folder: backupDir }] : []),
  ];
  return Promise.all(folders.map(checkFolder));
};

async function checkFolder({
  setting,
  folder,
}: {
  setting: string;
  folder: string;
}): Promise<Found> {
  const advice = `Free space there, or set ${setting} to a folder on another disk.`;
  try {
    const { bsize, bavail, ffree, files } = await readDisk(folder);
    const freeBytes = bsize * bavail;
    const space = `The disk of ${folder} (${setting}) has ${formatBytes(freeBytes)} free`;
    if (freeBytes < FULL_BYTES) return error(`${space}: it is nearly full.`, advice);
    if (freeBytes < LOW_BYTES) return warning(`${space}: uploads may fail.`, advice);
    // Some file systems count no files, and report 0 of 0.
    if (files > 0 && ffree < LOW_FILES)
      return warning(`The disk of ${folder} (${setting}) takes only ${ffree} more files.`, advice);
    return ok(`${space}.`);
  } catch (reason) {
    const code = errorCode(reason) ?? String(reason);
    return error(
      `The disk of ${folder} (${setting}) cannot be read (${code}).`,
      `Correct ${setting}.`,
    );
  }
}

/** Reads the disk of a folder. If the folder does not exist yet, its nearest ancestor that exists is read. */
async function readDisk(folder: string) {
  try {
    return await statfs(folder);
  } catch (reason) {
    const parent = dirname(folder);
    if (errorCode(reason) !== 'ENOENT' || parent === folder) throw reason;
    return readDisk(parent);
  }
}
