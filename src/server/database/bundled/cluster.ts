/** Creates and reads a cluster, as PostgreSQL calls the folder with the files of its databases. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errorCode } from '../error_code.ts';
import { type PostgresBinaries, runProgram } from './binaries.ts';
import { syncFolder } from './data_directory.ts';
import type { PostgresFolder } from './postgres_folder.ts';
import type { RunAs } from './system_user.ts';

/** Reads the major version of the PostgreSQL that made the cluster; undefined without a cluster. */
export async function readClusterVersion(folder: PostgresFolder): Promise<string | undefined> {
  const { clusterPath } = folder;
  const entries = await fs.readdir(clusterPath).catch((cause: unknown) => {
    if (errorCode(cause) === 'ENOENT') return [];
    throw new Error(
      `Cannot read the database in ${clusterPath} (${errorCode(cause)}). Start Linework as its owner or as root.`,
      { cause },
    );
  });
  if (entries.length === 0) return undefined;
  try {
    return (await fs.readFile(join(clusterPath, 'PG_VERSION'), 'utf8')).trim();
  } catch (cause) {
    throw new Error(
      `${clusterPath} is not a whole PostgreSQL database: it has no readable PG_VERSION. Restore it from a backup, or move it away to begin with an empty one.`,
      { cause },
    );
  }
}

/** Reads the password of `postgres`, the superuser of the cluster. Its file has the only copy. */
export async function readPassword(folder: PostgresFolder): Promise<string> {
  try {
    return (await fs.readFile(folder.passwordFile, 'utf8')).trim();
  } catch (cause) {
    throw new Error(
      `The password of the database in ${folder.clusterPath} cannot be read from ${folder.passwordFile} (${errorCode(cause)}). Put that file back, or move ${folder.path} away to begin with an empty database.`,
      { cause },
    );
  }
}

/** Creates an empty cluster under another name and renames it at the end, when it is complete. */
export async function initializeCluster(
  folder: PostgresFolder,
  binaries: PostgresBinaries,
  runAs: RunAs,
): Promise<void> {
  await removeUnfinishedCluster(folder);
  const password = randomBytes(24).toString('base64url');
  const unfinished = `${folder.clusterPath}.new-${randomBytes(6).toString('hex')}`;
  // The user `runAs` may not be allowed to read our password file: `initdb` gets a temporary copy.
  const passwordForInitdb = `${unfinished}.password`;
  try {
    await writePrivateFile(folder.passwordFile, password);
    await writePrivateFile(passwordForInitdb, password);
    await fs.mkdir(unfinished, { mode: 0o700 });
    if (runAs.uid !== undefined) {
      await fs.chown(passwordForInitdb, runAs.uid, runAs.gid);
      await fs.chown(unfinished, runAs.uid, runAs.gid);
    }
    await runProgram(
      binaries.initdb,
      [
        `--pgdata=${unfinished}`,
        '--username=postgres',
        `--pwfile=${passwordForInitdb}`,
        '--auth=scram-sha-256',
        // Without this option the encoding would be SQL_ASCII, because no locale is set.
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
      ],
      runAs,
    );
    await fs.rename(unfinished, folder.clusterPath);
    await syncFolder(folder.path);
  } catch (cause) {
    await removeUnfinishedCluster(folder);
    // A failed program explains itself on its standard error output.
    const reason =
      cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : String(cause);
    throw new Error(`PostgreSQL could not make a database in ${folder.clusterPath}: ${reason}`, {
      cause,
    });
  } finally {
    await fs.rm(passwordForInitdb, { force: true });
  }
}

/** Deletes the files of an interrupted `initializeCluster`, which hold no user data yet. */
async function removeUnfinishedCluster(folder: PostgresFolder): Promise<void> {
  const prefix = `${basename(folder.clusterPath)}.new-`;
  for (const name of await fs.readdir(folder.path)) {
    if (!name.startsWith(prefix)) continue;
    const path = join(folder.path, name);
    // A file that remains does no harm, because each attempt uses a new random name.
    await fs.rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

async function writePrivateFile(path: string, text: string): Promise<void> {
  // An existing file would keep its owner and mode.
  await fs.rm(path, { force: true });
  await fs.writeFile(path, `${text}\n`, { flag: 'wx', mode: 0o600, flush: true });
}
