/** The nightly backup: a new file in a folder, of which the newest are kept. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '#domain/time/time.ts';
import { type FinishedBackup, insertBackup } from '#server/database/backups.ts';
import { type BackupSource, backUp } from './back_up.ts';

const NAME = /^linework-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar$/;
/** A file that a killed process has left. */
const UNFINISHED_NAME = /^linework-.*\.tar\.[0-9a-f-]+\.part$/;
/** Longer than any backup takes. */
const ABANDONED_AFTER_MS = DAY_MS;

/**
 * Makes a backup in the folder, then deletes all but the newest `keep`. A backup that fails deletes nothing.
 * The database notes the backup.
 */
export async function backUpToFolder(
  source: BackupSource,
  folder: string,
  keep: number,
  signal: AbortSignal,
): Promise<FinishedBackup> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Names in order of the alphabet are in order of time.
  const name = `linework-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z.tar`;
  const { backup } = await backUp(source, join(folder, name), signal);
  await insertBackup(source.database, backup);
  await deleteOldBackups(folder, keep);
  return backup;
}

async function deleteOldBackups(folder: string, keep: number): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  const old = names
    .filter((name) => NAME.test(name))
    .toSorted()
    .slice(0, -keep);
  for (const name of old) await rm(join(folder, name), { force: true });
  for (const name of names.filter((name) => UNFINISHED_NAME.test(name))) {
    const unfinished = await stat(join(folder, name)).catch(() => undefined);
    if (unfinished && Date.now() - unfinished.mtimeMs > ABANDONED_AFTER_MS)
      await rm(join(folder, name), { force: true });
  }
}
