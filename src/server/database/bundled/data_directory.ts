/** Creates, checks and locks DATA_DIR, the folder with all files that our server stores. */
import {
  access,
  chmod,
  constants,
  mkdir,
  open as openFile,
  realpath,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { errorCode } from '../error_code.ts';

/** SQLite's error code when another process has locked the file. */
const SQLITE_BUSY = 5;

/** Another of our servers runs on the data directory. */
export class DataDirectoryInUse extends Error {
  override readonly name = 'DataDirectoryInUse';

  constructor(dataDir: string) {
    super(
      `Another Linework server is already using ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
    );
  }
}

/** The folders in DATA_DIR that only our own user may enter. PostgreSQL's folder has a mode of its own. */
const PRIVATE_FOLDERS = ['media', 'uploads', 'outbox'];
const PRIVATE_MODE = 0o700;
/**
 * For root: the bundled PostgreSQL then runs as another user, who must pass through the data
 * directory to its own folder. Nobody else may list it.
 */
const PASSABLE_MODE = 0o711;

/**
 * Creates the data directory if it is missing, and closes it to other users. Closed folders protect
 * the files in them whatever modes these have, such as those of a copied directory.
 * @returns its absolute path, without symbolic links
 * @throws when we cannot write to the directory; the message says how the operator can fix it
 */
export async function ensureDataDirectory(dataDir: string): Promise<string> {
  try {
    await createFolders(resolve(dataDir));
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    const path = await realpath(dataDir);
    await restrict(path, process.getuid?.() === 0 ? PASSABLE_MODE : PRIVATE_MODE);
    for (const name of PRIVATE_FOLDERS) await restrict(join(path, name), PRIVATE_MODE);
    return path;
  } catch (cause) {
    throw new Error(
      `Cannot write to the data directory ${resolve(dataDir)} (${errorCode(cause)}). Make it a folder this user may write to, or set DATA_DIR to another one.`,
      { cause },
    );
  }
}

/** Takes from a folder all permissions that `mode` does not contain. Adds none. */
async function restrict(path: string, mode: number): Promise<void> {
  try {
    const current = (await stat(path)).mode & 0o777;
    if ((current & ~mode) !== 0) await chmod(path, current & mode);
  } catch (error) {
    // The folder is missing, or belongs to another user, who decides about its mode.
    if (!['ENOENT', 'EPERM'].includes(errorCode(error) ?? '')) throw error;
  }
}

/**
 * Creates a folder and its parents. Node's recursive `mkdir` never ends below `/proc`, where no
 * folder can be created although the parent exists.
 */
async function createFolders(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (await isFolder(path)) return;
    if (errorCode(error) !== 'ENOENT') throw error;
    await createFolders(dirname(path));
    // If this fails, another process may have created the folder in the meantime.
    await mkdir(path).catch(async (retryError: unknown) => {
      if (!(await isFolder(path))) throw retryError;
    });
  }
}

/** Writes the folder's list of names to the disk, so that a renaming in it survives a power failure. */
export async function syncFolder(path: string): Promise<void> {
  await using folder = await openFile(path, 'r');
  await folder.sync();
}

/** Whether a path is a folder, or a link to one. False if it does not exist or cannot be read. */
export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

/**
 * Prevents other servers from using the data directory and from starting PostgreSQL there, until
 * the lock is released or this process dies. The lock in `liveness_lock.ts` is not enough, because
 * it exists only while PostgreSQL runs.
 * @returns a function that releases the lock
 * @throws DataDirectoryInUse when another Linework server has the lock
 */
export async function lockDataDirectory(dataDir: string): Promise<() => void> {
  const path = join(dataDir, 'postgres.lock');
  // Fails when the file exists already, which is fine. SQLite reports other problems below.
  await writeFile(path, '', { flag: 'wx', mode: 0o600 }).catch(() => {});
  // Node cannot lock files, but SQLite can: an open transaction locks the file of its database.
  try {
    using resources = new DisposableStack();
    const lockFile = resources.use(new DatabaseSync(path, { timeout: 0 }));
    lockFile.exec('BEGIN EXCLUSIVE');
    const lock = resources.move();
    return () => lock.dispose();
  } catch (cause) {
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY) {
      throw new DataDirectoryInUse(dataDir);
    }
    throw new Error(
      `Cannot lock ${path}. If it belongs to another user, start Linework as that user or as root.`,
      { cause },
    );
  }
}
