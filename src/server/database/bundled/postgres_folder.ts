/**
 * Finds or creates the folder of the bundled PostgreSQL: `postgres` in the data directory, or a
 * folder elsewhere if `postgres` is a symbolic link.
 */

import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, realpath, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';

/** The folder of the bundled PostgreSQL. All paths are absolute. */
export interface PostgresFolder {
  readonly path: string;
  /** The cluster, as PostgreSQL calls the folder with the files of its databases. */
  readonly clusterPath: string;
  readonly passwordFile: string;
}

/** Holds PostgreSQL's folder if its user cannot enter the data directory or run the npm package. */
const EXTERNAL_ROOT = '/var/lib/linework';

/** Returns undefined if the data directory has neither the folder nor the link yet. */
export async function findPostgresFolder(dataDir: string): Promise<PostgresFolder | undefined> {
  const path = join(dataDir, 'postgres');
  if (!(await pathExists(path))) return undefined;
  try {
    return toPostgresFolder(await realpath(path));
  } catch (cause) {
    throw new Error(
      `${path} links to a folder that is not there, so the database cannot be found. Bring that folder back, or delete the link to begin with an empty database.`,
      { cause },
    );
  }
}

/** Creates the folder inside the data directory. */
export async function createPostgresFolder(dataDir: string): Promise<PostgresFolder> {
  const path = join(dataDir, 'postgres');
  await createTraversableFolder(path);
  return toPostgresFolder(path);
}

/**
 * Creates a folder in `EXTERNAL_ROOT`, and links to it from the data directory. The folder's name
 * is a hash of the data directory's path. An existing folder of this name may hold the database of
 * an earlier data directory at the same path, so that folder is renamed, not used.
 * @param ensureStopped called before the renaming: stops a PostgreSQL that runs on that folder
 */
export async function createExternalPostgresFolder(
  dataDir: string,
  log: Logger,
  ensureStopped: (leftoverFolder: PostgresFolder) => Promise<void>,
): Promise<PostgresFolder> {
  await mkdir(EXTERNAL_ROOT, { recursive: true });
  await chmod(EXTERNAL_ROOT, 0o755);
  const name = createHash('sha256').update(dataDir).digest('hex');
  const path = join(await realpath(EXTERNAL_ROOT), name);
  const folder = toPostgresFolder(path);
  if (await pathExists(folder.clusterPath)) {
    await ensureStopped(folder);
    const backup = `${path}.${new Date().toISOString().replaceAll(':', '-')}`;
    await rename(path, backup);
    log.warn({ backup }, 'A database that DATA_DIR no longer links to was set aside');
  }
  await createTraversableFolder(path);
  await symlink(path, join(dataDir, 'postgres'));
  return folder;
}

function toPostgresFolder(path: string): PostgresFolder {
  return { path, clusterPath: join(path, 'cluster'), passwordFile: join(path, 'password') };
}

/** Creates a folder that other users may pass through but not list, whatever the umask. */
async function createTraversableFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await chmod(path, 0o711);
}

/** Whether a file, a folder or a symbolic link exists, even if the link's target is missing. */
async function pathExists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
