import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chown,
  mkdir,
  open as openFile,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { POSTGRES_ENVIRONMENT, type PostgresBinaries } from './binaries.ts';
import type { PostgresFolder } from './postgres_folder.ts';
import type { RunAs } from './system_user.ts';

const execFileAsync = promisify(execFile);

/** The PostgreSQL major version a home's cluster was made by; undefined when it has no cluster yet. */
export async function readClusterMajor(home: PostgresFolder): Promise<string | undefined> {
  const content = await readdir(home.clusterPath).catch((cause: unknown) => {
    if (systemErrorCode(cause) === 'ENOENT') return [];
    throw new Error(
      `Cannot read the database in ${home.clusterPath} (${systemErrorCode(cause)}). Start Linework as its owner or as root.`,
      { cause },
    );
  });
  if (content.length === 0) return undefined;
  const version = await readFile(join(home.clusterPath, 'PG_VERSION'), 'utf8').catch(
    (cause: unknown) => {
      throw new Error(
        `${home.clusterPath} is not a whole PostgreSQL database: it has no readable PG_VERSION. Restore it from a backup, or move it away to begin with an empty one.`,
        { cause },
      );
    },
  );
  return version.trim();
}

/** The superuser's password, which only this folder knows. */
export async function readPassword(home: PostgresFolder): Promise<string> {
  const password = await readFile(home.passwordFile, 'utf8').catch((cause: unknown) => {
    throw new Error(
      `The password of the database in ${home.clusterPath} cannot be read from ${home.passwordFile} (${systemErrorCode(cause)}). Put that file back, or move ${home.path} away to begin with an empty database.`,
      { cause },
    );
  });
  return password.trim();
}

/** Makes an empty cluster. It appears in its place whole or not at all. */
export async function initializeCluster(
  home: PostgresFolder,
  program: PostgresBinaries,
  runAs: RunAs,
): Promise<void> {
  await removeUnfinishedCluster(home);
  const password = randomBytes(24).toString('base64url');
  const unfinished = `${home.clusterPath}.new-${randomBytes(6).toString('hex')}`;
  const passwordForInitdb = `${unfinished}.password`;
  try {
    await writePrivateFile(home.passwordFile, password);
    await writePrivateFile(passwordForInitdb, password);
    await mkdir(unfinished, { mode: 0o700 });
    if (runAs.uid !== undefined) {
      await chown(passwordForInitdb, runAs.uid, runAs.gid);
      await chown(unfinished, runAs.uid, runAs.gid);
    }
    await execFileAsync(
      program.initdb,
      [
        `--pgdata=${unfinished}`,
        '--username=postgres',
        `--pwfile=${passwordForInitdb}`,
        '--auth=scram-sha-256',
        // Left to the environment, the encoding would be SQL_ASCII where no locale is set.
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
      ],
      { ...runAs, cwd: '/', env: POSTGRES_ENVIRONMENT },
    );
    await rename(unfinished, home.clusterPath);
    await syncFolder(home.path);
  } catch (cause) {
    await removeUnfinishedCluster(home);
    const said =
      cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : String(cause);
    throw new Error(`PostgreSQL could not make a database in ${home.clusterPath}: ${said}`, {
      cause,
    });
  } finally {
    await rm(passwordForInitdb, { force: true });
  }
}

/** What an interrupted start left behind. It never became a cluster, so it holds nothing of anyone's. */
async function removeUnfinishedCluster(home: PostgresFolder): Promise<void> {
  const prefix = `${basename(home.clusterPath)}.new-`;
  for (const name of await readdir(home.path)) {
    if (name.startsWith(prefix)) {
      await rm(join(home.path, name), { recursive: true, force: true, maxRetries: 3 }).catch(
        () => {},
      );
    }
  }
}

async function writePrivateFile(path: string, text: string): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, `${text}\n`, { flag: 'wx', mode: 0o600, flush: true });
}

async function syncFolder(path: string): Promise<void> {
  const folder = await openFile(path, 'r');
  await folder.sync().finally(() => folder.close());
}

/** The system's code of an error, such as `ENOENT`. */
function systemErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
