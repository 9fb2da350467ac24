import { access, chmod, constants, mkdir, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { errorCode } from '../error_code.ts';
import { DataDirectoryInUseError } from './liveness_lock.ts';

const SQLITE_BUSY = 5;

/** Makes the data directory if needed and answers its real path, or says why it cannot be used. */
export async function openDataDirectory(dataDir: string): Promise<string> {
  try {
    await makeFolders(resolve(dataDir));
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(dataDir);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
    throw new Error(
      `Cannot write to the data directory ${resolve(dataDir)}${code}. Make it a folder this user may write to, or set DATA_DIR to another one.`,
      { cause },
    );
  }
}

/**
 * Makes a folder and those above it. `mkdir` with `recursive` would never end below `/proc`, where
 * a folder cannot be made although the one above it is there.
 */
async function makeFolders(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (await isFolder(path)) return;
    if (errorCode(error) !== 'ENOENT') throw error;
    await makeFolders(dirname(path));
    await mkdir(path).catch(async (again: unknown) => {
      if (!(await isFolder(path))) throw again;
    });
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/**
 * Keeps every other server out of the data directory until released or until this process dies.
 * The lock in the database cannot do so while there is no database: at the first start, or while it is restarted.
 */
export async function lockDataDirectory(dataDir: string): Promise<() => void> {
  const path = join(dataDir, 'postgres.lock');
  await writeFile(path, '', { flag: 'wx', mode: 0o600 }).catch(() => {});
  let file: DatabaseSync | undefined;
  try {
    // Node has no flock. SQLite's exclusive transaction is one: the kernel drops it when the process dies.
    const opened = new DatabaseSync(path, { timeout: 0 });
    file = opened;
    opened.exec('BEGIN EXCLUSIVE');
    return () => {
      if (opened.isOpen) opened.close();
    };
  } catch (cause) {
    if (file?.isOpen) file.close();
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY) {
      throw new DataDirectoryInUseError(dataDir);
    }
    throw new Error(
      `Cannot lock ${path}. If it belongs to another user, start Linework as that user or as root.`,
      { cause },
    );
  }
}

/** A folder of ours that the database's user can pass through, whatever the umask. */
export async function makeTraversableFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o711);
}
