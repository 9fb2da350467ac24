import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { RunAs } from './account.ts';
import type { Home } from './home.ts';
import { type Program, programEnvironment } from './program.ts';

const run = promisify(execFile);

/** The PostgreSQL major version a home's cluster was made by; undefined when it has no cluster yet. */
export async function clusterMajor(home: Home): Promise<string | undefined> {
  const content = await readdir(home.cluster).catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT') return [];
    throw new Error(
      `Cannot read the database in ${home.cluster} (${codeOf(cause)}). Start Linework as its owner or as root.`,
      { cause },
    );
  });
  if (content.length === 0) return undefined;
  const version = await readFile(join(home.cluster, 'PG_VERSION'), 'utf8').catch(
    (cause: unknown) => {
      throw new Error(
        `${home.cluster} is not a whole PostgreSQL database: it has no readable PG_VERSION. Restore it from a backup, or move it away to begin with an empty one.`,
        { cause },
      );
    },
  );
  return version.trim();
}

/** The superuser's password, which only this folder knows. */
export async function readPassword(home: Home): Promise<string> {
  const password = await readFile(home.passwordFile, 'utf8').catch((cause: unknown) => {
    throw new Error(
      `The password of the database in ${home.cluster} cannot be read from ${home.passwordFile} (${codeOf(cause)}). Put that file back, or move ${home.folder} away to begin with an empty database.`,
      { cause },
    );
  });
  return password.trim();
}

/** Makes an empty cluster. It appears in its place whole or not at all. */
export async function createCluster(home: Home, program: Program, runAs: RunAs): Promise<void> {
  await removeUnfinished(home);
  const password = randomBytes(24).toString('base64url');
  const unfinished = `${home.cluster}.new-${randomBytes(6).toString('hex')}`;
  const passwordForInitdb = `${unfinished}.password`;
  try {
    await writePrivately(home.passwordFile, password);
    await writePrivately(passwordForInitdb, password);
    await mkdir(unfinished, { mode: 0o700 });
    if (runAs.uid !== undefined) {
      await chown(passwordForInitdb, runAs.uid, runAs.gid);
      await chown(unfinished, runAs.uid, runAs.gid);
    }
    await run(
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
      { ...runAs, cwd: '/', env: programEnvironment },
    );
    await rename(unfinished, home.cluster);
    await flushFolder(home.folder);
  } catch (cause) {
    await removeUnfinished(home);
    const said =
      cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : String(cause);
    throw new Error(`PostgreSQL could not make a database in ${home.cluster}: ${said}`, { cause });
  } finally {
    await rm(passwordForInitdb, { force: true });
  }
}

/** What an interrupted start left behind. It never became a cluster, so it holds nothing of anyone's. */
async function removeUnfinished(home: Home): Promise<void> {
  const prefix = `${basename(home.cluster)}.new-`;
  for (const name of await readdir(home.folder)) {
    if (name.startsWith(prefix)) {
      await rm(join(home.folder, name), { recursive: true, force: true, maxRetries: 3 }).catch(
        () => {},
      );
    }
  }
}

async function writePrivately(path: string, text: string): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, `${text}\n`, { flag: 'wx', mode: 0o600, flush: true });
}

async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

/** The system's code of an error, such as `ENOENT`. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
