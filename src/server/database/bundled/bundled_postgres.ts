/**
 * Runs the PostgreSQL that comes with Linework, for our servers without DATABASE_URL.
 * "Our server" means the Node process here; "postmaster" is PostgreSQL's main process.
 */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { checkBinaries, copyBinaries, locatePackagedBinaries } from './binaries.ts';
import { initializeCluster, readClusterVersion, readPassword } from './cluster.ts';
import { DataDirectoryInUse, ensureDataDirectory, lockDataDirectory } from './data_directory.ts';
import {
  acquireLivenessLock,
  createMaintenanceConnection,
  isLivenessLockHeld,
  type LocalConnection,
} from './liveness_lock.ts';
import { openLogFile } from './log_file.ts';
import {
  createExternalPostgresFolder,
  createPostgresFolder,
  findPostgresFolder,
  type PostgresFolder,
} from './postgres_folder.ts';
import { findPostmaster, startOnFreePort, stopLeftoverPostmaster } from './postmaster.ts';
import { supervise } from './supervision.ts';
import { canEnter, choosePostgresUser, readUserName } from './system_user.ts';

export interface BundledPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

const DATABASE_NAME = 'linework';
const DEFAULT_MAX_CONNECTIONS = 200;
/** Generous: creating the database takes long on a slow disk. */
const CREATE_TIMEOUT_MS = 120_000;
/** PostgreSQL releases the liveness lock of a killed server (`liveness_lock.ts`) only after a moment. */
const LOCK_RELEASE_TIMEOUT_MS = 2_000;
/** How long to wait for an answer of a PostgreSQL that runs already. */
const ANSWER_TIMEOUT_MS = 30_000;
const POLL_INTERVAL_MS = 50;

/**
 * Starts PostgreSQL, creates its database at the first start, and restarts it if it crashes.
 * @param options.signal aborts the start
 * @throws DataDirectoryInUse when another of our servers is running on the data directory
 */
export async function startBundledPostgres(options: {
  dataDir: string;
  log: Logger;
  signal?: AbortSignal;
  maxConnections?: number;
}): Promise<BundledPostgres> {
  const { signal = new AbortController().signal, maxConnections = DEFAULT_MAX_CONNECTIONS } =
    options;
  const log = options.log.child({ component: 'Database' });
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await ensureDataDirectory(options.dataDir);
  const unlockDataDirectory = await lockDataDirectory(dataDir);
  cleanup.defer(unlockDataDirectory);
  const { folder, binaries, runAs } = await prepareCluster(dataDir, log, signal);
  signal.throwIfAborted();
  const logFile = openLogFile(join(dataDir, 'postgres.log'));
  cleanup.defer(() => logFile.stopTrimming());

  const password = await readPassword(folder);
  const { clusterPath } = folder;
  const startOptions = { binaries, clusterPath, maxConnections, runAs, logFile, log };
  const { postmaster, port } = await startOnFreePort({ ...startOptions, signal });
  const beforeRestart = () => ensureClusterStopped(folder, dataDir, log);
  const supervisor = supervise(postmaster, { ...startOptions, port }, beforeRestart);
  cleanup.defer(() => supervisor.stop());
  // The lock of the data directory ends with our process, but PostgreSQL may run longer. The
  // liveness lock, inside PostgreSQL, shows other servers whether this PostgreSQL is still in use.
  const releaseLivenessLock = await acquireLivenessLock({ port, password }, log);
  if (releaseLivenessLock === undefined) throw new DataDirectoryInUse(dataDir);
  cleanup.defer(releaseLivenessLock);
  await createDatabaseIfMissing({ port, password });

  // From now on, `stop` cleans up instead of the end of this function.
  const resources = cleanup.move();
  let stopped: Promise<void> | undefined;
  return {
    url: toConnectionUrl({ port, password }),
    stop: () => {
      stopped ??= resources.disposeAsync();
      return stopped;
    },
  };
}

/** Returns the URL of the PostgreSQL that runs on a data directory; undefined if none is ready. */
export async function findBundledPostgres(dataDir: string): Promise<string | undefined> {
  const folder = await findPostgresFolder(await ensureDataDirectory(dataDir));
  if (folder === undefined) return undefined;
  const port = (await findPostmaster(folder.clusterPath))?.port;
  if (port === undefined) return undefined;
  return toConnectionUrl({ port, password: await readPassword(folder) });
}

function toConnectionUrl({ port, password }: LocalConnection): string {
  return `postgresql://postgres:${password}@127.0.0.1:${port}/${DATABASE_NAME}`;
}

/**
 * Chooses the user, the programs and the folder for PostgreSQL. Stops a PostgreSQL that a killed
 * server left running there. Creates the cluster (PostgreSQL's data files) if it is missing.
 */
async function prepareCluster(dataDir: string, log: Logger, signal: AbortSignal) {
  const existingFolder = await findPostgresFolder(dataDir);
  const clusterVersion = existingFolder && (await readClusterVersion(existingFolder));
  // A folder without a cluster has no database yet, so its owner does not matter.
  const runAs = await choosePostgresUser(
    clusterVersion === undefined ? undefined : existingFolder?.clusterPath,
  );
  const packaged = await locatePackagedBinaries();
  const packagedCheck = await checkBinaries(packaged, runAs);
  // `runAs` names a user only when we are root, because PostgreSQL refuses to run as root.
  const usesOtherUser = runAs.uid !== undefined;
  // Another user may only lack access to the npm package: then the copy, which is made below, may run.
  if (!packagedCheck.runs && !usesOtherUser)
    throw createCannotRunError(packaged.postgres, packagedCheck.reason);

  let folder = existingFolder;
  if (folder === undefined) {
    // If PostgreSQL's user lacks access to the package or to `dataDir`, the folder is elsewhere.
    const fitsInDataDir = packagedCheck.runs && (await canEnter(dataDir, runAs));
    folder = fitsInDataDir
      ? await createPostgresFolder(dataDir)
      : await createExternalPostgresFolder(dataDir, log, (leftoverFolder) =>
          ensureClusterStopped(leftoverFolder, dataDir, log, signal),
        );
  }
  if (usesOtherUser && !(await canEnter(folder.path, runAs))) {
    throw new Error(
      `PostgreSQL does not run as root, and its user "${await readUserName(runAs.uid)}" cannot enter ${folder.path}, where the database is. ` +
        'Let other users pass through the folders on the way (chmod o+x), or move the data directory back to where it was.',
    );
  }
  await ensureClusterStopped(folder, dataDir, log, signal);

  const binaries = packagedCheck.runs ? packaged : await copyBinaries(packaged, folder.path);
  const finalCheck = packagedCheck.runs ? packagedCheck : await checkBinaries(binaries, runAs);
  if (!finalCheck.runs) throw createCannotRunError(binaries.postgres, finalCheck.reason);
  if (clusterVersion !== undefined && clusterVersion !== finalCheck.majorVersion) {
    throw new Error(
      `The database in ${folder.clusterPath} was made by PostgreSQL ${clusterVersion}, and this Linework brings PostgreSQL ${finalCheck.majorVersion}, which cannot read it. ` +
        'Run `npm run backup -- FILE` with the Linework that made it, move the data directory away, and run `npm run restore -- FILE` with this one.',
    );
  }
  if (clusterVersion === undefined) {
    log.info(`Creating a database in ${folder.clusterPath}`);
    await initializeCluster(folder, binaries, runAs);
  }
  return { folder, binaries, runAs };
}

/**
 * Stops a PostgreSQL that a killed server of ours left running on the cluster.
 * @throws DataDirectoryInUse when a live server of ours uses that PostgreSQL
 */
async function ensureClusterStopped(
  folder: PostgresFolder,
  dataDir: string,
  log: Logger,
  signal?: AbortSignal,
): Promise<void> {
  const startedAt = Date.now();
  while (true) {
    const postmaster = await findPostmaster(folder.clusterPath);
    if (postmaster === undefined) return;
    const { pid, port } = postmaster;
    const password = await readPassword(folder);
    let use: 'used by a server' | 'left running' | 'unknown' = 'unknown';
    // While PostgreSQL starts, its port is unknown.
    let reason = 'it is only starting';
    try {
      if (port !== undefined)
        use = (await isLivenessLockHeld({ port, password })) ? 'used by a server' : 'left running';
    } catch (error) {
      reason = String(error);
    }
    if (use === 'left running') {
      log.info('Taking over the database that an earlier server left running.');
      return stopLeftoverPostmaster(folder.clusterPath, pid);
    }
    const waitedMs = Date.now() - startedAt;
    if (use === 'used by a server' && waitedMs > LOCK_RELEASE_TIMEOUT_MS)
      throw new DataDirectoryInUse(dataDir);
    if (use === 'unknown' && waitedMs > ANSWER_TIMEOUT_MS) {
      throw new Error(
        `A PostgreSQL (process ${pid}) runs on ${folder.clusterPath} but does not let us in: ${reason}`,
      );
    }
    await sleep(POLL_INTERVAL_MS, undefined, signal && { signal });
  }
}

async function createDatabaseIfMissing(local: LocalConnection): Promise<void> {
  await using connection = createMaintenanceConnection(local, CREATE_TIMEOUT_MS);
  const { client } = connection;
  await client.connect();
  const { rows } = await client.query('select 1 from pg_database where datname = $1', [
    DATABASE_NAME,
  ]);
  if (rows.length === 0) await client.query(`create database ${DATABASE_NAME}`);
}

function createCannotRunError(program: string, reason: string): Error {
  return new Error(
    `The bundled PostgreSQL (${program}) does not run here: ${reason.trim()} ` +
      'Run the installation again (with its install scripts allowed), or set DATABASE_URL to a PostgreSQL of your own.',
  );
}
