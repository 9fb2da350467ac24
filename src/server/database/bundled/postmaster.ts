import { execFile, spawn } from 'node:child_process';
import { readFile, readlink, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { RunAs } from './account.ts';
import type { LogFile } from './log-file.ts';
import { type Program, programEnvironment } from './program.ts';

const run = promisify(execFile);

/** The main process of a running PostgreSQL that is our child. */
export interface Postmaster {
  /** Settles when the process is gone, with how it ended. */
  readonly gone: Promise<string>;
  /** Ends its sessions, flushes and stops; waits until the process is gone. */
  stop(): Promise<void>;
}

/** A postmaster found running on a cluster, whoever started it. */
export interface FoundPostmaster {
  readonly pid: number;
  /** Unknown in its first moment. */
  readonly port: number | undefined;
}

/** What a postmaster needs to know. */
export interface Launch {
  readonly program: Program;
  readonly cluster: string;
  readonly port: number;
  readonly runAs: RunAs;
  readonly logFile: LogFile;
  readonly log: (line: string) => void;
  /** Gives up on a start that is under way. */
  readonly signal?: AbortSignal;
}

/** PostgreSQL gave up while starting; `said` is what it wrote about it. */
export class PostmasterRefused extends Error {
  override readonly name = 'PostmasterRefused';
  readonly said: string;

  constructor(how: string, said: string, logPath: string) {
    super(`PostgreSQL did not start (${how}). Its log, ${logPath}, says: ${said || 'nothing'}`);
    this.said = said;
  }
}

/** Starts PostgreSQL and waits until it accepts connections. */
export async function launchPostmaster(options: Launch): Promise<Postmaster> {
  const { program, cluster, port, runAs, logFile, log, signal } = options;
  const part = await logFile.begin();
  const child = spawn(program.postgres, ['-D', cluster, ...settings(port)], {
    ...runAs,
    cwd: '/',
    env: programEnvironment,
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
    while (how === undefined && !(await isReady(cluster, child.pid, port))) await sleep(20);
  } finally {
    clearTimeout(impatient);
    signal?.removeEventListener('abort', giveUp);
  }
  if (how !== undefined) throw new PostmasterRefused(how, await part.said(), logFile.path);

  return {
    gone,
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
export async function findPostmaster(cluster: string): Promise<FoundPostmaster | undefined> {
  const lines = await pidFileLines(cluster);
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined;
  if (await isPostgresOn(cluster, pid)) return { pid, port: Number(lines[3]) || undefined };
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
    if (isAlive(pid)) process.kill(pid, signal);
    const until = Date.now() + patience;
    while (Date.now() < until) {
      if (!isAlive(pid) || !(await isPostgresOn(cluster, pid))) return;
      await sleep(20);
    }
  }
  throw new Error(
    `The database left running by an earlier server (process ${pid}) does not stop. End it, then start Linework again.`,
  );
}

function settings(port: number): string[] {
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

async function isReady(cluster: string, pid: number | undefined, port: number): Promise<boolean> {
  const lines = await pidFileLines(cluster);
  return Number(lines[0]) === pid && Number(lines[3]) === port && lines[7]?.trim() === 'ready';
}

async function pidFileLines(cluster: string): Promise<string[]> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  return text.split('\n');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Not allowed to signal it still means that it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function isPostgresOn(cluster: string, pid: number): Promise<boolean> {
  try {
    if (process.platform === 'linux') return await isPostgresInProc(cluster, pid);
    const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
    return stdout.includes('postgres') && stdout.includes(`-D ${cluster}`);
  } catch {
    return false;
  }
}

/** The working folder follows a cluster that was moved; a container's root may not see it, but may see the command. */
async function isPostgresInProc(cluster: string, pid: number): Promise<boolean> {
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
