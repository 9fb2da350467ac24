import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, vi } from 'vitest';

/** A server that is not ready by then counts as hung. A start takes 2 s; on a slow machine it took over 30. */
export const START_MS = 90_000;
const STOP_MS = 20_000;
const SYSTEM_DATA_DIR = '/var/lib/linework';

/** How a program ended. */
export interface ExitResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

/** The program as a process of its own. */
interface StartedProgram {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly exited: Promise<ExitResult>;
  output(): string;
  /** Waits until it has written that. */
  waitForOutput(what: RegExp): Promise<RegExpExecArray>;
}

/** A program that serves. */
export interface RunningServer extends StartedProgram {
  readonly url: string;
  readonly port: number;
  /** Asks it to stop, and waits until it has. */
  stop(): Promise<ExitResult>;
}

interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Through npm, with these words: `['start']`. */
  readonly npmArgs?: readonly string[];
  /** Another copy of the program. */
  readonly programFolder?: string;
  /** A command that runs Node with the arguments after it. */
  readonly wrapper?: readonly string[];
}

/** A data directory that is still to be made, and all that runs on it; everything ends with it. */
export interface Sandbox extends AsyncDisposable {
  readonly dataDir: string;
  /** Starts the program, whatever becomes of it. */
  launch(how?: StartOptions): StartedProgram;
  /** Starts the program and waits until it says that it is ready. */
  serve(how?: StartOptions): Promise<RunningServer>;
  /** The bundled database's address. */
  databaseUrl(): Promise<string>;
  /** The process of the bundled database; undefined when none runs. */
  postmaster(): Promise<number | undefined>;
}

/** A place of its own in the machine's folder for passing things. */
export async function openSandbox(): Promise<Sandbox> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'linework-load-')));
  // So that the database's own user can enter it when the tests run as root.
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'data');
  const started: StartedProgram[] = [];
  const launch = (how: StartOptions = {}) => {
    const one = spawnProgram(dataDir, how);
    started.push(one);
    return one;
  };
  return {
    dataDir,
    launch,
    serve: (how = {}) => waitUntilReady(launch(how)),
    databaseUrl: () => databaseUrl(dataDir),
    postmaster: () => findPostmaster(dataDir),
    [Symbol.asyncDispose]: async () => {
      for (const one of started) killGroup(one.pid);
      await Promise.all(started.map((one) => one.exited));
      const left = await findPostmaster(dataDir);
      if (left !== undefined) {
        process.kill(left, 'SIGQUIT');
        await waitUntilExited(left);
      }
      const outside = join(SYSTEM_DATA_DIR, createHash('sha256').update(dataDir).digest('hex'));
      for (const path of [folder, outside])
        await rm(path, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Asks one question of a database. */
export async function queryDatabase(
  url: string,
  question: string,
  values: readonly unknown[] = [],
): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({
      text: question,
      values: [...values],
      rowMode: 'array',
    });
    return rows;
  } finally {
    await client.end();
  }
}

/** Waits until a process is gone; one that nobody has waited for yet counts as gone. */
export async function waitUntilExited(pid: number): Promise<void> {
  await vi.waitFor(async () => expect(await isAlive(pid)).toBe(false), {
    timeout: STOP_MS,
    interval: 20,
  });
}

export async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !/\) [ZX] /.test(stat);
}

/** Waits until nothing of a program runs any more, whoever started it: npm, its shell, the server. */
export async function waitUntilGroupExited(group: number): Promise<void> {
  await vi.waitFor(async () => expect(await groupMembers(group)).toEqual([]), {
    timeout: STOP_MS,
    interval: 20,
  });
}

async function groupMembers(group: number): Promise<string[]> {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    numbers.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')),
  );
  // Its name, which may hold anything, is in brackets; then come state, parent and group.
  return stats.filter((stat) => new RegExp(`\\) [^ZX] \\d+ ${group} `).test(stat));
}

function spawnProgram(
  dataDir: string,
  {
    env = {},
    npmArgs: npm,
    programFolder: program = inject('program'),
    wrapper = [],
  }: StartOptions,
): StartedProgram {
  const node = [join(program, 'node_modules/.bin/node'), 'src/server/main.ts'];
  const [command = '', ...words] = npm ? ['npm', ...npm] : [...wrapper, ...node];
  const child = spawn(command, words, {
    cwd: program,
    // Not what runs the tests: it is npm and Vitest, which a server would take for its own.
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      npm_config_update_notifier: 'false',
      // Reading the sources is most of what a start costs.
      NODE_COMPILE_CACHE: join(inject('program'), 'compiled'),
      DATA_DIR: dataDir,
      PORT: '0',
      RATE_LIMIT: 'off',
      ...env,
    },
    // A process group of its own, as a terminal makes.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const heard = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const listener of heard) listener();
    });
  const ended = new Promise<ExitResult>((resolve) =>
    // All is read once the output is closed; what outlives npm holds it open.
    child.once(npm ? 'exit' : 'close', (code, signal) => resolve({ code, signal, output })),
  );
  let closed = false;
  child.once('close', () => {
    closed = true;
    for (const listener of heard) listener();
  });
  return {
    process: child,
    pid: child.pid ?? 0,
    exited: ended,
    output: () => output,
    waitForOutput: (what) =>
      new Promise((resolve, reject) => {
        const finish = (act: () => void) => {
          clearTimeout(patience);
          heard.delete(look);
          act();
        };
        const fail = (why: string) => finish(() => reject(new Error(`${why}:\n${output}`)));
        const look = () => {
          const found = what.exec(output);
          if (found) finish(() => resolve(found));
          else if (closed) fail(`Ended without saying ${what}`);
        };
        const patience = setTimeout(() => fail(`Did not say ${what}`), START_MS);
        heard.add(look);
        look();
      }),
  };
}

async function waitUntilReady(started: StartedProgram): Promise<RunningServer> {
  // The demo login comes last, where there is one.
  const [, url = '', port = ''] = await started.waitForOutput(
    /ready at (http:\S+:(\d+)).*openapi\.json\n/s,
  );
  return {
    ...started,
    url,
    port: Number(port),
    stop: async () => {
      started.process.kill('SIGTERM');
      return started.exited;
    },
  };
}

async function databaseUrl(dataDir: string): Promise<string> {
  const home = join(dataDir, 'postgres');
  const password = (await readFile(join(home, 'password'), 'utf8')).trim();
  const [, , , port] = await readPidFile(dataDir);
  return `postgresql://postgres:${password}@127.0.0.1:${port}/linework`;
}

async function findPostmaster(dataDir: string): Promise<number | undefined> {
  const pid = Number((await readPidFile(dataDir))[0]);
  if (!(pid > 0) || !(await isAlive(pid))) return undefined;
  // The number in a stale file may be anybody's by now.
  const cluster = await realpath(join(dataDir, 'postgres/cluster'));
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.includes(cluster) ? pid : undefined;
}

async function readPidFile(dataDir: string): Promise<string[]> {
  const path = join(dataDir, 'postgres/cluster/postmaster.pid');
  return (await readFile(path, 'utf8').catch(() => '')).split('\n');
}

/** Whatever is left of a program that we started. */
function killGroup(pid: number): void {
  try {
    if (pid > 0) process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}
