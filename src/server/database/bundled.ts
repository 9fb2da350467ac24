import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { canEnter, chooseAccount, nameOf, type RunAs } from './bundled/account.ts';
import { clusterMajor, createCluster, readPassword } from './bundled/cluster.ts';
import { lockDataDirectory, openDataDirectory } from './bundled/data-directory.ts';
import { findHome, type Home, makeHomeInside, makeHomeOutside } from './bundled/home.ts';
import {
  DataDirectoryInUse,
  type Entrance,
  isHeld,
  maintenanceClient,
  takeLiveness,
} from './bundled/liveness.ts';
import { openLogFile } from './bundled/log-file.ts';
import {
  findPostmaster,
  type Launch,
  launchPostmaster,
  type Postmaster,
  PostmasterRefused,
  stopOrphan,
} from './bundled/postmaster.ts';
import { copyProgram, type Program, packagedProgram, tryProgram } from './bundled/program.ts';
import { supervise } from './bundled/supervision.ts';

export { DataDirectoryInUse };

/** A PostgreSQL of our own under DATA_DIR. */
export interface BundledPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

type Log = (line: string) => void;

const databaseName = 'linework';

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
  const { home, program, runAs } = await prepare(dataDir, log, signal);
  signal.throwIfAborted();
  const logFile = openLogFile(join(dataDir, 'postgres.log'));
  undo.defer(() => logFile.endTrimming());

  const password = await readPassword(home);
  const launch = { program, cluster: home.cluster, runAs, logFile, log };
  const { postmaster, port } = await launchOnFreePort({ ...launch, signal });
  const supervised = supervise(postmaster, { ...launch, port }, () => settle(home, dataDir, log));
  undo.defer(() => supervised.stop());
  const liveness = await takeLiveness({ port, password }, log);
  if (liveness === undefined) throw new DataDirectoryInUse(dataDir);
  undo.defer(() => liveness.release());
  await ensureDatabase({ port, password });

  const everything = undo.move();
  return {
    url: addressOf({ port, password }),
    stop: once(() => everything.disposeAsync()),
  };
}

/** The address of the database that a server runs in a data directory; undefined when none does. */
export async function findBundledPostgres(dataDir: string): Promise<string | undefined> {
  const home = await findHome(await openDataDirectory(dataDir));
  if (home === undefined) return undefined;
  const { port } = (await findPostmaster(home.cluster)) ?? {};
  return port === undefined ? undefined : addressOf({ port, password: await readPassword(home) });
}

function addressOf({ port, password }: Entrance): string {
  return `postgresql://postgres:${password}@127.0.0.1:${port}/${databaseName}`;
}

/** Settles where the cluster lives, who runs it and with which program; leaves it there, whole and not running. */
async function prepare(
  dataDir: string,
  log: Log,
  signal: AbortSignal,
): Promise<{ home: Home; program: Program; runAs: RunAs }> {
  const existing = await findHome(dataDir);
  const existingMajor = existing && (await clusterMajor(existing));
  const runAs = await chooseAccount(existingMajor === undefined ? undefined : existing?.cluster);
  const packaged = await packagedProgram();
  const attempt = await tryProgram(packaged, runAs);
  const asRoot = runAs.uid !== undefined;
  if (!attempt.runs && !asRoot) throw doesNotRun(packaged, attempt.why);

  let home = existing;
  if (home === undefined) {
    const reachable = attempt.runs && (await canEnter(dataDir, runAs));
    home = reachable
      ? await makeHomeInside(dataDir)
      : await makeHomeOutside(dataDir, log, (stray) => settle(stray, dataDir, log, signal));
  }
  if (asRoot && !(await canEnter(home.folder, runAs))) {
    throw new Error(
      `PostgreSQL does not run as root, and its user "${await nameOf(runAs.uid)}" cannot enter ${home.folder}, where the database is. ` +
        'Let other users pass through the folders on the way (chmod o+x), or move the data directory back to where it was.',
    );
  }
  await settle(home, dataDir, log, signal);

  const program = attempt.runs ? packaged : await copyProgram(packaged, home.folder);
  const tried = attempt.runs ? attempt : await tryProgram(program, runAs);
  if (!tried.runs) throw doesNotRun(program, tried.why);
  if (existingMajor !== undefined && existingMajor !== tried.major) {
    throw new Error(
      `The database in ${home.cluster} was made by PostgreSQL ${existingMajor}, and this Linework brings PostgreSQL ${tried.major}, which cannot read it. ` +
        'Run the Linework that made it, dump the database with pg_dump, move that folder away, and restore the dump into the new one.',
    );
  }
  if (existingMajor === undefined) {
    log(`Making a database in ${home.cluster}`);
    await createCluster(home, program, runAs);
  }
  return { home, program, runAs };
}

/** Sees to it that nothing runs on the cluster: refuses if a live server uses it, stops what a killed one left. */
async function settle(home: Home, dataDir: string, log: Log, signal?: AbortSignal): Promise<void> {
  const began = Date.now();
  while (true) {
    const found = await findPostmaster(home.cluster);
    if (found === undefined) return;
    const password = await readPassword(home);
    const held =
      found.port === undefined
        ? 'it is only starting'
        : await isHeld({ port: found.port, password }).catch((error: unknown) => String(error));
    if (held === false) {
      log('Taking over the database that an earlier server left running.');
      return stopOrphan(home.cluster, found.pid);
    }
    const waited = Date.now() - began;
    // The session of a server killed just now takes a moment to end.
    if (held === true && waited > 2_000) throw new DataDirectoryInUse(dataDir);
    if (held !== true && waited > 30_000) {
      throw new Error(
        `A PostgreSQL (process ${found.pid}) runs on ${home.cluster} but does not let us in: ${held}`,
      );
    }
    await sleep(50, undefined, signal && { signal });
  }
}

/** The first start, which may choose another port, and which waits for what a killed PostgreSQL left dying. */
async function launchOnFreePort(
  launch: Omit<Launch, 'port'>,
): Promise<{ postmaster: Postmaster; port: number }> {
  const began = Date.now();
  while (true) {
    const port = await freePort();
    try {
      return { postmaster: await launchPostmaster({ ...launch, port }), port };
    } catch (error) {
      const passing =
        error instanceof PostmasterRefused &&
        /shared memory block .* in use|could not bind/.test(error.said);
      if (!passing || Date.now() - began > 15_000) throw error;
      await sleep(200);
    }
  }
}

async function ensureDatabase(entrance: Entrance): Promise<void> {
  const client = maintenanceClient(entrance);
  try {
    await client.connect();
    const { rowCount } = await client.query('select from pg_database where datname = $1', [
      databaseName,
    ]);
    if (rowCount === 0) await client.query(`create database ${databaseName}`);
  } finally {
    await client.end();
  }
}

function doesNotRun(program: Program, why: string): Error {
  return new Error(
    `The bundled PostgreSQL (${program.postgres}) does not run here: ${why.trim()} ` +
      'Run the installation again (with its install scripts allowed), or set DATABASE_URL to a PostgreSQL of your own.',
  );
}

function freePort(): Promise<number> {
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

function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= act();
    return done;
  };
}
