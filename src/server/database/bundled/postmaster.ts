/**
 * Starts, finds and stops a postmaster, as PostgreSQL calls its main process. A postmaster works on
 * one cluster, as PostgreSQL calls the folder with the files of its databases.
 */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readlink, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import { errorCode } from '../error_code.ts';
import { POSTGRES_ENVIRONMENT, type PostgresBinaries } from './binaries.ts';
import type { LogFile } from './log_file.ts';
import type { RunAs } from './system_user.ts';

/** After this signal, PostgreSQL ends all sessions, writes its data and exits. */
const FAST_SHUTDOWN = 'SIGINT';
/** After this signal, PostgreSQL exits without writing its data; the next start recovers it. */
const IMMEDIATE_SHUTDOWN = 'SIGQUIT';
const FAST_SHUTDOWN_TIMEOUT_MS = 60_000;
/** After this time, the log says that a start takes long. */
const SLOW_START_NOTICE_MS = 10_000;
/** How long `startOnFreePort` repeats a start that failed for a temporary reason. */
const START_RETRY_TIMEOUT_MS = 15_000;
const START_RETRY_DELAY_MS = 200;
const POLL_INTERVAL_MS = 20;

/** A postmaster that our process has started. */
export type Postmaster = Awaited<ReturnType<typeof startPostmaster>>;

export interface PostmasterOptions {
  readonly binaries: PostgresBinaries;
  readonly clusterPath: string;
  readonly port: number;
  readonly maxConnections: number;
  readonly runAs: RunAs;
  readonly logFile: LogFile;
  readonly log: Logger;
  /** Aborts the start; later it has no effect. */
  readonly signal?: AbortSignal;
}

/** PostgreSQL ended before it accepted connections. */
class PostmasterStartError extends Error {
  override readonly name = 'PostmasterStartError';
  readonly logOutput: string;

  constructor(reason: string, logOutput: string, logPath: string) {
    super(
      `PostgreSQL did not start (${reason}). Its log, ${logPath}, says: ${logOutput || 'nothing'}`,
    );
    this.logOutput = logOutput;
  }
}

/** Starts PostgreSQL and waits until it accepts connections. */
export async function startPostmaster(options: PostmasterOptions) {
  const { binaries, clusterPath, port, runAs, logFile, log, signal } = options;
  const output = await logFile.openForPostmaster();
  const child = spawn(binaries.postgres, ['-D', clusterPath, ...toArguments(options)], {
    ...runAs,
    cwd: '/',
    env: POSTGRES_ENVIRONMENT,
    // Gives PostgreSQL its own process group: a Ctrl-C must not end it before our server.
    detached: true,
    stdio: ['ignore', output.descriptor, output.descriptor],
  });
  let exitReason: string | undefined;
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, exitSignal) => resolve(exitSignal ?? `exit code ${code}`));
  });
  void exited.then((reason) => {
    exitReason = reason;
  });
  await output.close();

  const slowStartNotice = setTimeout(
    () => log.warn('PostgreSQL is still recovering from an earlier crash; waiting for it.'),
    SLOW_START_NOTICE_MS,
  );
  // An abort ends the postmaster, so the start fails below.
  const stopStarting = () => child.kill(FAST_SHUTDOWN);
  signal?.addEventListener('abort', stopStarting);
  if (signal?.aborted) stopStarting();
  try {
    while (exitReason === undefined && !(await isPostmasterReady(clusterPath, child.pid, port)))
      await sleep(POLL_INTERVAL_MS);
  } finally {
    clearTimeout(slowStartNotice);
    signal?.removeEventListener('abort', stopStarting);
  }
  if (exitReason !== undefined)
    throw new PostmasterStartError(exitReason, await output.readOutput(), logFile.path);

  return {
    /** Resolves when the postmaster has ended, with its signal, exit code or error. */
    exited,
    /** Stops PostgreSQL and waits until the postmaster has ended. */
    stop: async (): Promise<void> => {
      child.kill(FAST_SHUTDOWN);
      const timeout = setTimeout(() => child.kill(IMMEDIATE_SHUTDOWN), FAST_SHUTDOWN_TIMEOUT_MS);
      await exited;
      clearTimeout(timeout);
    },
  };
}

/** Starts PostgreSQL. Retries if the port is taken, or a killed PostgreSQL still has processes. */
export async function startOnFreePort(
  options: Omit<PostmasterOptions, 'port'>,
): Promise<{ postmaster: Postmaster; port: number }> {
  const startedAt = Date.now();
  while (true) {
    const port = await findFreePort();
    try {
      return { postmaster: await startPostmaster({ ...options, port }), port };
    } catch (error) {
      const isTemporary =
        error instanceof PostmasterStartError &&
        /shared memory block .* in use|could not bind/.test(error.logOutput);
      if (!isTemporary || Date.now() - startedAt > START_RETRY_TIMEOUT_MS) throw error;
      await sleep(START_RETRY_DELAY_MS);
    }
  }
}

/**
 * Finds the postmaster of a cluster, even if another process started it. Deletes `postmaster.pid`
 * if its process id now belongs to another program.
 * @returns undefined if no postmaster runs; `port` is undefined while PostgreSQL starts
 */
export async function findPostmaster(
  clusterPath: string,
): Promise<{ pid: number; port: number | undefined } | undefined> {
  const { pid, port } = await readPidFile(clusterPath);
  if (!Number.isInteger(pid) || pid <= 0 || !isProcessAlive(pid)) return undefined;
  if (await isPostgresProcessOf(clusterPath, pid)) return { pid, port };
  // The old file would prevent PostgreSQL's start.
  // Deleting the file is safe: PostgreSQL checks by other means that no old session is alive.
  await rm(join(clusterPath, 'postmaster.pid'), { force: true });
  return undefined;
}

/** Stops a postmaster that a killed server of ours left running, and waits until it has ended. */
export async function stopLeftoverPostmaster(clusterPath: string, pid: number): Promise<void> {
  for (const [signal, timeoutMs] of [
    [FAST_SHUTDOWN, 30_000],
    [IMMEDIATE_SHUTDOWN, 10_000],
  ] as const) {
    if (isProcessAlive(pid)) process.kill(pid, signal);
    const deadline = Date.now() + timeoutMs;
    while (Date.now() < deadline) {
      if (!isProcessAlive(pid) || !(await isPostgresProcessOf(clusterPath, pid))) return;
      await sleep(POLL_INTERVAL_MS);
    }
  }
  throw new Error(
    `The database left running by an earlier server (process ${pid}) does not stop. End it, then start Linework again.`,
  );
}

/** Arguments that override the settings in the cluster's `postgresql.conf`. */
function toArguments({ port, maxConnections }: PostmasterOptions): string[] {
  return Object.entries({
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: maxConnections,
    fsync: 'on',
    full_page_writes: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_checkpoints: 'off',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function isPostmasterReady(clusterPath: string, pid: number | undefined, port: number) {
  const pidFile = await readPidFile(clusterPath);
  return pidFile.pid === pid && pidFile.port === port && pidFile.isReady;
}

/** `postmaster.pid` has the process id in line 1, the port in line 4 and the state in line 8. */
async function readPidFile(clusterPath: string) {
  const text = await readFile(join(clusterPath, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  return {
    pid: Number(lines[0]),
    // The line is missing or 0 while PostgreSQL starts.
    port: Number(lines[3]) || undefined,
    isReady: lines[7]?.trim() === 'ready',
  };
}

function isProcessAlive(pid: number): boolean {
  try {
    // Signal 0 is not sent: it only checks that the process exists.
    return process.kill(pid, 0);
  } catch (error) {
    // With this code, the process exists, but belongs to another user.
    return errorCode(error) === 'EPERM';
  }
}

async function isPostgresProcessOf(clusterPath: string, pid: number): Promise<boolean> {
  try {
    if (process.platform === 'linux') return await isPostgresProcessInProc(clusterPath, pid);
    const args = ['-ww', '-o', 'command=', '-p', String(pid)];
    const { stdout: command } = await promisify(execFile)('ps', args);
    return command.includes('postgres') && command.includes(`-D ${clusterPath}`);
  } catch {
    // The process has ended meanwhile.
    return false;
  }
}

/**
 * Compares the working folder: a postmaster changes into its cluster, and stays there even when the
 * cluster is moved. If a container hides the working folder, compares the command line.
 */
async function isPostgresProcessInProc(clusterPath: string, pid: number): Promise<boolean> {
  const links = [readlink(`/proc/${pid}/cwd`), readlink(`/proc/${pid}/exe`)];
  const [workingFolder, program = ''] = await Promise.all(links).catch(() => []);
  // Linux adds ' (deleted)' to the name of a program whose file was deleted.
  if (workingFolder !== undefined)
    return workingFolder === clusterPath && basename(program).startsWith('postgres');
  const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
  return (
    basename(command[0] ?? '') === 'postgres' && command[command.indexOf('-D') + 1] === clusterPath
  );
}

async function findFreePort(): Promise<number> {
  await using listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address !== null && typeof address === 'object') return address.port;
  throw new Error('No free port on 127.0.0.1');
}
