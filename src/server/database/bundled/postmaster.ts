import { execFile, spawn } from 'node:child_process';
import { readFile, readlink, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { POSTGRES_ENVIRONMENT, type PostgresBinaries } from './binaries.ts';
import type { LogFile } from './log_file.ts';
import type { RunAs } from './system_user.ts';

const execFileAsync = promisify(execFile);

/** The main process of a running PostgreSQL that is our child. */
export interface Postmaster {
  /** Settles when the process is gone, with how it ended. */
  readonly exited: Promise<string>;
  /** Ends its sessions, flushes and stops; waits until the process is gone. */
  stop(): Promise<void>;
}

/** A postmaster found running on a cluster, whoever started it. */
export interface RunningPostmaster {
  readonly pid: number;
  /** Unknown in its first moment. */
  readonly port: number | undefined;
}

/** What a postmaster needs to know. */
export interface PostmasterOptions {
  readonly program: PostgresBinaries;
  readonly clusterPath: string;
  readonly port: number;
  readonly runAs: RunAs;
  readonly logFile: LogFile;
  readonly log: (line: string) => void;
  /** Gives up on a start that is under way. */
  readonly signal?: AbortSignal;
}

/** PostgreSQL gave up while starting; `said` is what it wrote about it. */
export class PostmasterStartError extends Error {
  override readonly name = 'PostmasterRefused';
  readonly logOutput: string;

  constructor(how: string, said: string, logPath: string) {
    super(`PostgreSQL did not start (${how}). Its log, ${logPath}, says: ${said || 'nothing'}`);
    this.logOutput = said;
  }
}

/** Starts PostgreSQL and waits until it accepts connections. */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { program, clusterPath: cluster, port, runAs, logFile, log, signal } = options;
  const part = await logFile.openForPostmaster();
  const child = spawn(program.postgres, ['-D', cluster, ...postgresSettings(port)], {
    ...runAs,
    cwd: '/',
    env: POSTGRES_ENVIRONMENT,
    // A group of its own: Ctrl-C in a terminal must not stop the database before the server has drained.
    detached: true,
    stdio: ['ignore', part.descriptor, part.descriptor],
  });
  const gone = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  let how: string | undefined;
  void gone.then((ended) => {
    how = ended;
  });
  await part.close();

  const impatient = setTimeout(
    () => log('PostgreSQL is still recovering from an earlier crash; waiting for it.'),
    10_000,
  );
  const giveUp = () => child.kill('SIGINT');
  signal?.addEventListener('abort', giveUp);
  if (signal?.aborted) giveUp();
  try {
    while (how === undefined && !(await isPostmasterReady(cluster, child.pid, port)))
      await sleep(20);
  } finally {
    clearTimeout(impatient);
    signal?.removeEventListener('abort', giveUp);
  }
  if (how !== undefined) throw new PostmasterStartError(how, await part.said(), logFile.path);

  return {
    exited: gone,
    stop: async () => {
      child.kill('SIGINT');
      // Crash recovery makes even the impatient way safe; hanging forever would be worse.
      const impatience = setTimeout(() => child.kill('SIGQUIT'), 60_000);
      await gone;
      clearTimeout(impatience);
    },
  };
}

/** The postmaster that runs on this cluster, if one does. */
export async function findPostmaster(cluster: string): Promise<RunningPostmaster | undefined> {
  const lines = await readPidFile(cluster);
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !isProcessAlive(pid)) return undefined;
  if (await isPostgresProcessOf(cluster, pid)) return { pid, port: Number(lines[3]) || undefined };
  // The number belongs to some other process by now, but PostgreSQL would believe the file and refuse.
  // Backends that outlived their postmaster are not missed by this: they still hold the shared memory.
  await rm(join(cluster, 'postmaster.pid'), { force: true });
  return undefined;
}

/** Stops a postmaster that is not our child and waits until it is gone. */
export async function stopOrphan(cluster: string, pid: number): Promise<void> {
  for (const [signal, patience] of [
    ['SIGINT', 30_000],
    ['SIGQUIT', 10_000],
  ] as const) {
    if (isProcessAlive(pid)) process.kill(pid, signal);
    const until = Date.now() + patience;
    while (Date.now() < until) {
      if (!isProcessAlive(pid) || !(await isPostgresProcessOf(cluster, pid))) return;
      await sleep(20);
    }
  }
  throw new Error(
    `The database left running by an earlier server (process ${pid}) does not stop. End it, then start Linework again.`,
  );
}

function postgresSettings(port: number): string[] {
  return Object.entries({
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
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

async function isPostmasterReady(
  cluster: string,
  pid: number | undefined,
  port: number,
): Promise<boolean> {
  const lines = await readPidFile(cluster);
  return Number(lines[0]) === pid && Number(lines[3]) === port && lines[7]?.trim() === 'ready';
}

async function readPidFile(cluster: string): Promise<string[]> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  return text.split('\n');
}

function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Not allowed to signal it still means that it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function isPostgresProcessOf(cluster: string, pid: number): Promise<boolean> {
  try {
    if (process.platform === 'linux') return await isPostgresProcessInProc(cluster, pid);
    const { stdout } = await execFileAsync('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
    return stdout.includes('postgres') && stdout.includes(`-D ${cluster}`);
  } catch {
    return false;
  }
}

/** The working folder follows a cluster that was moved; a container's root may not see it, but may see the command. */
async function isPostgresProcessInProc(cluster: string, pid: number): Promise<boolean> {
  const seen = await Promise.all([
    readlink(`/proc/${pid}/cwd`),
    readlink(`/proc/${pid}/exe`),
  ]).catch(() => undefined);
  const [folder, program = ''] = seen ?? [];
  if (folder !== undefined) return folder === cluster && basename(program).startsWith('postgres');
  const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
  return (
    basename(command[0] ?? '') === 'postgres' && command[command.indexOf('-D') + 1] === cluster
  );
}
