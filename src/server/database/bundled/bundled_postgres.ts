import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  checkBinaries,
  copyBinaries,
  locatePackagedBinaries,
  type PostgresBinaries,
} from './binaries.ts';
import { initializeCluster, readClusterMajor, readPassword } from './cluster.ts';
import { lockDataDirectory, openDataDirectory } from './data_directory.ts';
import {
  acquireLivenessLock,
  createMaintenanceClient,
  DataDirectoryInUseError,
  isLivenessLockHeld,
  type LocalConnection,
} from './liveness_lock.ts';
import { openLogFile } from './log_file.ts';
import {
  findPostgresFolder,
  makeExternalPostgresFolder,
  makePostgresFolder,
  type PostgresFolder,
} from './postgres_folder.ts';
import {
  findPostmaster,
  type Postmaster,
  type PostmasterOptions,
  PostmasterStartError,
  startPostmaster,
  stopOrphan,
} from './postmaster.ts';
import { supervise } from './supervision.ts';
import { canEnter, choosePostgresUser, type RunAs, readUserName } from './system_user.ts';

export { DataDirectoryInUseError as DataDirectoryInUse };

/** A PostgreSQL of our own under DATA_DIR. */
export interface BundledPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

type Log = (line: string) => void;

const DATABASE_NAME = 'linework';

/**
 * Starts it, with an empty database the first time, and keeps it running until told to stop.
 * @param options.signal gives up on a start that is under way
 */
export async function startBundledPostgres(options: {
  dataDir: string;
  log: Log;
  signal?: AbortSignal;
}): Promise<BundledPostgres> {
  const { log, signal = new AbortController().signal } = options;
  await using undo = new AsyncDisposableStack();
  const dataDir = await openDataDirectory(options.dataDir);
  undo.defer(await lockDataDirectory(dataDir));
  const { home, program, runAs } = await prepareCluster(dataDir, log, signal);
  signal.throwIfAborted();
  const logFile = openLogFile(join(dataDir, 'postgres.log'));
  undo.defer(() => logFile.stopTrimming());

  const password = await readPassword(home);
  const launch = { program, clusterPath: home.clusterPath, runAs, logFile, log };
  const { postmaster, port } = await startOnFreePort({ ...launch, signal });
  const supervised = supervise(postmaster, { ...launch, port }, () =>
    ensureClusterStopped(home, dataDir, log),
  );
  undo.defer(() => supervised.stop());
  const liveness = await acquireLivenessLock({ port, password }, log);
  if (liveness === undefined) throw new DataDirectoryInUseError(dataDir);
  undo.defer(() => liveness.release());
  await createDatabaseIfMissing({ port, password });

  const everything = undo.move();
  return {
    url: toConnectionUrl({ port, password }),
    stop: callOnce(() => everything.disposeAsync()),
  };
}

/** The address of the database that a server runs in a data directory; undefined when none does. */
export async function findBundledPostgres(dataDir: string): Promise<string | undefined> {
  const home = await findPostgresFolder(await openDataDirectory(dataDir));
  if (home === undefined) return undefined;
  const { port } = (await findPostmaster(home.clusterPath)) ?? {};
  return port === undefined
    ? undefined
    : toConnectionUrl({ port, password: await readPassword(home) });
}

function toConnectionUrl({ port, password }: LocalConnection): string {
  return `postgresql://postgres:${password}@127.0.0.1:${port}/${DATABASE_NAME}`;
}

/** Settles where the cluster lives, who runs it and with which program; leaves it there, whole and not running. */
async function prepareCluster(
  dataDir: string,
  log: Log,
  signal: AbortSignal,
): Promise<{ home: PostgresFolder; program: PostgresBinaries; runAs: RunAs }> {
  const existing = await findPostgresFolder(dataDir);
  const existingMajor = existing && (await readClusterMajor(existing));
  const runAs = await choosePostgresUser(
    existingMajor === undefined ? undefined : existing?.clusterPath,
  );
  const packaged = await locatePackagedBinaries();
  const attempt = await checkBinaries(packaged, runAs);
  const asRoot = runAs.uid !== undefined;
  if (!attempt.runs && !asRoot) throw createCannotRunError(packaged, attempt.why);

  let home = existing;
  if (home === undefined) {
    const reachable = attempt.runs && (await canEnter(dataDir, runAs));
    home = reachable
      ? await makePostgresFolder(dataDir)
      : await makeExternalPostgresFolder(dataDir, log, (stray) =>
          ensureClusterStopped(stray, dataDir, log, signal),
        );
  }
  if (asRoot && !(await canEnter(home.path, runAs))) {
    throw new Error(
      `PostgreSQL does not run as root, and its user "${await readUserName(runAs.uid)}" cannot enter ${home.path}, where the database is. ` +
        'Let other users pass through the folders on the way (chmod o+x), or move the data directory back to where it was.',
    );
  }
  await ensureClusterStopped(home, dataDir, log, signal);

  const program = attempt.runs ? packaged : await copyBinaries(packaged, home.path);
  const tried = attempt.runs ? attempt : await checkBinaries(program, runAs);
  if (!tried.runs) throw createCannotRunError(program, tried.why);
  if (existingMajor !== undefined && existingMajor !== tried.major) {
    throw new Error(
      `The database in ${home.clusterPath} was made by PostgreSQL ${existingMajor}, and this Linework brings PostgreSQL ${tried.major}, which cannot read it. ` +
        'Run the Linework that made it, dump the database with pg_dump, move that folder away, and restore the dump into the new one.',
    );
  }
  if (existingMajor === undefined) {
    log(`Making a database in ${home.clusterPath}`);
    await initializeCluster(home, program, runAs);
  }
  return { home, program, runAs };
}

/** Sees to it that nothing runs on the cluster: refuses if a live server uses it, stops what a killed one left. */
async function ensureClusterStopped(
  home: PostgresFolder,
  dataDir: string,
  log: Log,
  signal?: AbortSignal,
): Promise<void> {
  const began = Date.now();
  while (true) {
    const found = await findPostmaster(home.clusterPath);
    if (found === undefined) return;
    const password = await readPassword(home);
    const held =
      found.port === undefined
        ? 'it is only starting'
        : await isLivenessLockHeld({ port: found.port, password }).catch((error: unknown) =>
            String(error),
          );
    if (held === false) {
      log('Taking over the database that an earlier server left running.');
      return stopOrphan(home.clusterPath, found.pid);
    }
    const waited = Date.now() - began;
    // The session of a server killed just now takes a moment to end.
    if (held === true && waited > 2_000) throw new DataDirectoryInUseError(dataDir);
    if (held !== true && waited > 30_000) {
      throw new Error(
        `A PostgreSQL (process ${found.pid}) runs on ${home.clusterPath} but does not let us in: ${held}`,
      );
    }
    await sleep(50, undefined, signal && { signal });
  }
}

/** The first start, which may choose another port, and which waits for what a killed PostgreSQL left dying. */
async function startOnFreePort(
  launch: Omit<PostmasterOptions, 'port'>,
): Promise<{ postmaster: Postmaster; port: number }> {
  const began = Date.now();
  while (true) {
    const port = await findFreePort();
    try {
      return { postmaster: await startPostmaster({ ...launch, port }), port };
    } catch (error) {
      const passing =
        error instanceof PostmasterStartError &&
        /shared memory block .* in use|could not bind/.test(error.logOutput);
      if (!passing || Date.now() - began > 15_000) throw error;
      await sleep(200);
    }
  }
}

async function createDatabaseIfMissing(entrance: LocalConnection): Promise<void> {
  const client = createMaintenanceClient(entrance);
  try {
    await client.connect();
    const { rowCount } = await client.query('select from pg_database where datname = $1', [
      DATABASE_NAME,
    ]);
    if (rowCount === 0) await client.query(`create database ${DATABASE_NAME}`);
  } finally {
    await client.end();
  }
}

function createCannotRunError(program: PostgresBinaries, why: string): Error {
  return new Error(
    `The bundled PostgreSQL (${program.postgres}) does not run here: ${why.trim()} ` +
      'Run the installation again (with its install scripts allowed), or set DATABASE_URL to a PostgreSQL of your own.',
  );
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('No free port on 127.0.0.1'));
      });
    });
  });
}

function callOnce(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= act();
    return done;
  };
}
