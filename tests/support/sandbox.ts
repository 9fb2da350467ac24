import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, vi } from 'vitest';

/** The timeout of a start. A start takes 2 s; on a slow machine it took over 30 s. */
export const START_MS = 90_000;
const STOP_MS = 20_000;
const SYSTEM_DATA_DIR = '/var/lib/linework';

interface ExitResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

export type RunningServer = Awaited<ReturnType<typeof waitUntilReady>>;

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Runs npm with these arguments, such as `['start']`. */
  readonly npmArgs?: readonly string[];
  /** Another copy of the program. */
  readonly programFolder?: string;
  /** A command that runs the rest of its arguments, which start Node. */
  readonly wrapper?: readonly string[];
}

export type Sandbox = Awaited<ReturnType<typeof openSandbox>>;

/** Starts a server with the demo artists for the tests of a file or of a `describe`. */
export function serveDemo(options: StartOptions = {}) {
  let sandbox: Sandbox | undefined;
  let server: RunningServer | undefined;
  beforeAll(async () => {
    sandbox = await openDemo();
    server = await sandbox.serve(options);
  });
  afterAll(() => sandbox?.[Symbol.asyncDispose]());
  const started = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('The server has not started');
    return part;
  };
  return {
    get sandbox() {
      return started(sandbox);
    },
    get server() {
      return started(server);
    },
  };
}

/** Creates a sandbox whose data directory has the demo artists, as after a first start. */
export async function openDemo(): Promise<Sandbox> {
  const sandbox = await openSandbox();
  // Keeps the owner of the database's files, as `cp` of Node does not.
  await promisify(execFile)('cp', ['-a', inject('demoData'), sandbox.dataDir]);
  return sandbox;
}

/**
 * Creates a data directory in the system's temporary folder. Disposing ends the processes on it, and
 * deletes it.
 */
export async function openSandbox() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'linework-load-')));
  // The database's own user must enter it when the tests run as root.
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'data');
  const started: ReturnType<typeof spawnProgram>[] = [];
  let others = 0;
  const launch = (options: StartOptions = {}) => {
    const program = spawnProgram(dataDir, options);
    started.push(program);
    return program;
  };
  return {
    dataDir,
    /** Starts the program without waiting. */
    launch,
    /** Starts the program and waits until it logs that it is ready. */
    serve: (options: StartOptions = {}) => waitUntilReady(launch(options)),
    /** The settings of another server on the same database, with a data directory of its own. */
    async settingsBeside() {
      others += 1;
      return {
        DATA_DIR: join(folder, `data of server ${others + 1}`),
        DATABASE_URL: await databaseUrl(dataDir),
        SECRET_KEY_FILE: join(dataDir, 'secret-key'),
      };
    },
    /** The URL of the bundled database. */
    databaseUrl: () => databaseUrl(dataDir),
    /** The process id of the bundled database; undefined if it does not run. */
    postmaster: () => findPostmaster(dataDir),
    [Symbol.asyncDispose]: async () => {
      for (const { pid } of started) killGroup(pid);
      await Promise.all(started.map(({ exited }) => exited));
      const postmaster = await findPostmaster(dataDir);
      if (postmaster !== undefined) {
        process.kill(postmaster, 'SIGQUIT');
        await waitUntilExited(postmaster);
      }
      const systemFolder = join(
        SYSTEM_DATA_DIR,
        createHash('sha256').update(dataDir).digest('hex'),
      );
      for (const path of [folder, systemFolder])
        await rm(path, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Runs one statement on its own connection and returns the rows. */
export async function queryDatabase(
  url: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({
      text: statement,
      values: [...values],
      rowMode: 'array',
    });
    return rows;
  } finally {
    await client.end();
  }
}

/** Waits until a process has exited. A zombie counts as exited. */
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

/** The process ids of a server's workers, in ascending order. */
export async function findWorkers({ pid }: { readonly pid: number }): Promise<number[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
  const commands = await Promise.all(
    children.map((child) => readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')),
  );
  const workers = children.filter((_, index) => commands[index]?.includes('main.ts')).map(Number);
  return workers.sort((a, b) => a - b);
}

/** Waits until every process of a group has exited: npm, its shell and the server. */
export async function waitUntilGroupExited(group: number): Promise<void> {
  await vi.waitFor(async () => expect(await groupMembers(group)).toEqual([]), {
    timeout: STOP_MS,
    interval: 20,
  });
}

async function groupMembers(group: number): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')),
  );
  // The fields after the name in parentheses are state, parent and process group.
  return stats.filter((stat) => new RegExp(`\\) [^ZX] \\d+ ${group} `).test(stat));
}

/** Starts the program as a separate process. */
function spawnProgram(
  dataDir: string,
  { env = {}, npmArgs, programFolder = inject('program'), wrapper = [] }: StartOptions,
) {
  const node = [join(programFolder, 'node_modules/.bin/node'), 'src/server/main.ts'];
  const [command = '', ...args] = npmArgs ? ['npm', ...npmArgs] : [...wrapper, ...node];
  const child = spawn(command, args, {
    cwd: programFolder,
    // Without the variables of npm and Vitest, which would change the server's behavior.
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      npm_config_update_notifier: 'false',
      // Compiling the sources is most of the start time.
      NODE_COMPILE_CACHE: join(inject('program'), 'compiled'),
      DATA_DIR: dataDir,
      PORT: '0',
      RATE_LIMIT: 'off',
      // Most tests have no proxy that must notice a stop.
      STOP_DELAY_SECONDS: '0',
      ...env,
    },
    // A new process group, as a terminal creates.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const exited = new Promise<ExitResult>((resolve) =>
    // `close` waits for all output, but processes that outlive npm would delay it.
    child.once(npmArgs ? 'exit' : 'close', (code, signal) => resolve({ code, signal, output })),
  );
  let hasClosed = false;
  child.once('close', () => {
    hasClosed = true;
  });
  return {
    process: child,
    pid: child.pid ?? 0,
    exited,
    output: () => output,
    /** Waits until its output matches. */
    async waitForOutput(pattern: RegExp): Promise<RegExpExecArray> {
      const isDone = () => pattern.test(output) || hasClosed;
      await vi.waitUntil(isDone, { timeout: START_MS, interval: 10 }).catch(() => {});
      const match = pattern.exec(output);
      if (match) return match;
      const reason = hasClosed ? 'Exited before its output matched' : 'No output matched';
      throw new Error(`${reason} ${pattern}:\n${output}`);
    },
  };
}

async function waitUntilReady(started: ReturnType<typeof spawnProgram>) {
  // The demo login, if there is one, is logged last.
  const [, url = '', port = ''] = await started.waitForOutput(
    /ready at (http:\S+:(\d+)).*openapi\.json\n/s,
  );
  return {
    ...started,
    url,
    port: Number(port),
    /** Sends SIGTERM and waits for the exit. */
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
  // Another process may have reused the pid of a stale file.
  const cluster = await realpath(join(dataDir, 'postgres/cluster'));
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.includes(cluster) ? pid : undefined;
}

async function readPidFile(dataDir: string): Promise<string[]> {
  const path = join(dataDir, 'postgres/cluster/postmaster.pid');
  return (await readFile(path, 'utf8').catch(() => '')).split('\n');
}

function killGroup(pid: number): void {
  try {
    if (pid > 0) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has exited already.
  }
}
