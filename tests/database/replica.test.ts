import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { call } from '#client/call.ts';
import type { Design } from '#contract/design.ts';
import { changeDesign } from '#contract/endpoints.ts';
import {
  type BundledPostgres,
  startBundledPostgres,
} from '#server/database/bundled/bundled_postgres.ts';
import { migrate } from '#server/database/migrate.ts';
import { addDesignRow } from '#support/app_rows.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { silentLog } from '#support/recorded_log.ts';
import { queryDatabase } from '#support/sandbox.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

const execFileAsync = promisify(execFile);

/** Long enough for a busy machine. */
const WAIT = { timeout: 20_000 };

let postgres: Awaited<ReturnType<typeof openReplicatedPostgres>>;
beforeAll(async () => {
  postgres = await openReplicatedPostgres();
}, 120_000);
afterAll(() => postgres[Symbol.asyncDispose]());
beforeEach(() => postgres.replica.resume());

/** An app that reads from the replica, and a design. */
async function openWithReplica(readUrl = postgres.replica.url) {
  const app = await openTestApp({ database: new URL(postgres.url), readUrl });
  const site = await app.serve();
  const artist = await app.newArtist();
  const { id } = await addDesignRow(app, artist, { name: 'Swallow' });
  return { app, site, artist, id };
}

async function loadName(app: TestApp, id: string): Promise<string> {
  return (await expectOk(app.call<Design>(`GET /designs/${id}`))).name;
}

async function rename(app: TestApp, { token }: TestArtist, id: string, name: string) {
  await call(app.http(token), changeDesign, { path: { design_id: id }, body: { name } });
}

/** Renames without invalidation: while replay is paused, only the replica has the old name. */
async function renameInDatabase({ database }: TestApp, id: string, name: string) {
  await database.updateTable('designs').set({ name }).where('id', '=', id).execute();
}

/** Waits until the server reads from the replica, and leaves replay paused. */
async function waitForReplicaReads(app: TestApp, id: string): Promise<void> {
  await vi.waitFor(async () => {
    await postgres.replica.resume();
    await renameInDatabase(app, id, 'Before');
    await postgres.replica.waitUntilCaughtUp();
    await postgres.replica.pause();
    await renameInDatabase(app, id, 'After');
    expect(await loadName(app, id)).toBe('Before');
  }, WAIT);
}

test('public reads use a replica that is caught up, and reads with a token use the primary', async () => {
  const { app, artist, id } = await openWithReplica();
  await waitForReplicaReads(app, id);
  // Reads with a token are never stale.
  const own = await expectOk(app.call<Design>(`GET /designs/${id}`, { token: artist.token }));
  expect(own.name).toBe('After');
  expect(app.logged).toEqual([]);
});

test('an edit is visible at once on its server, and soon on others, while the replica lags', async () => {
  const { app, site, artist, id } = await openWithReplica();
  const other = await app.openSecondServer();
  const otherSite = await other.serve();
  await waitForReplicaReads(other, id);
  await waitForReplicaReads(app, id);
  const fetchName = async (address: URL): Promise<string> => {
    const response = await fetch(new URL(`/api/v1/designs/${id}`, address));
    const { name }: Design = await response.json();
    return name;
  };
  expect([await fetchName(site), await fetchName(otherSite)]).toEqual(['Before', 'Before']);
  await Promise.all([
    rename(app, artist, id, 'Heron'),
    // Requests during the change must not leave the old name in a cache.
    ...Array.from({ length: 50 }, () => fetchName(site)),
  ]);
  expect(await fetchName(site)).toBe('Heron');
  await vi.waitFor(async () => expect(await fetchName(otherSite)).toBe('Heron'), WAIT);
  await rename(other, artist, id, 'Egret');
  expect(await fetchName(otherSite)).toBe('Egret');
  await vi.waitFor(async () => expect(await fetchName(site)).toBe('Egret'), WAIT);
  await waitForReplicaReads(app, id);
  await waitForReplicaReads(other, id);
});

test('after a lost LISTEN connection, reads are not stale, and return to the replica', async () => {
  const { app, id } = await openWithReplica();
  await waitForReplicaReads(app, id);
  await sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'linework listener'
  `.execute(app.database);
  await vi.waitFor(() => expect(app.logged.join()).toContain('LISTEN connection lost'), WAIT);
  expect(await loadName(app, id)).toBe('After');
  await vi.waitFor(() => expect(app.logged.join()).toContain('LISTEN connection restored'), WAIT);
  expect(await loadName(app, id)).toBe('After');
  await waitForReplicaReads(app, id);
});

test('while the replica is down, all reads succeed on the primary', async () => {
  const { app, id } = await openWithReplica();
  await waitForReplicaReads(app, id);
  let isStopped = false;
  const reading = (async () => {
    const names = new Set<string>();
    while (!isStopped) names.add(await loadName(app, id));
    return names;
  })();
  await postgres.replica.stop();
  isStopped = true;
  for (const name of await reading) expect(['Before', 'After']).toContain(name);
  expect(await loadName(app, id)).toBe('After');
  await postgres.replica.start();
  await waitForReplicaReads(app, id);
  expect(app.logged).toEqual([
    expect.stringContaining('Database: Replica at DATABASE_READ_URL not used'),
    'Database: Replica at DATABASE_READ_URL used again',
  ]);
});

test('a database that is not a replica of the primary is not read from', async () => {
  const { app, id } = await openWithReplica(inject('cluster'));
  await vi.waitFor(() => expect(app.logged.join()).toContain('the server is not a replica'), WAIT);
  expect(await loadName(app, id)).toBe('Swallow');
  const same = await openWithReplica(postgres.url);
  await vi.waitFor(
    () => expect(same.app.logged.join()).toContain('the server is not a replica'),
    WAIT,
  );
  expect(await loadName(same.app, same.id)).toBe('Swallow');
});

/** Opens a migrated PostgreSQL and a streaming replica of it. */
async function openReplicatedPostgres() {
  await using undo = new AsyncDisposableStack();
  const [primaryFolder, replicaFolder] = [
    await createDataFolder(undo),
    await createDataFolder(undo),
  ];
  // The program itself creates both clusters, because it knows where PostgreSQL can run.
  await (await start(replicaFolder)).stop();
  let primary = await start(primaryFolder);
  await migrate(primary.url);
  await primary.stop();
  for (const name of ['cluster', 'password']) {
    const copy = join(replicaFolder, 'postgres', name);
    await rm(copy, { recursive: true });
    await execFileAsync('cp', ['-a', join(primaryFolder, 'postgres', name), copy]);
  }
  primary = await start(primaryFolder);
  undo.defer(() => primary.stop());
  const cluster = join(replicaFolder, 'postgres/cluster');
  const { port: primaryPort, username, password } = new URL(primary.url);
  await appendFile(
    join(cluster, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${primaryPort} user=${username} password=${password}'\n`,
  );
  await writeFile(join(cluster, 'standby.signal'), '');

  let running: BundledPostgres | undefined;
  // The replica gets a new port at each start.
  const port = await openTcpProxy(undo, () => running && Number(new URL(running.url).port));
  const proxyUrl = new URL(primary.url);
  proxyUrl.port = String(port);
  const url = proxyUrl.href;
  const replica = {
    /** Stays the same over `stop` and `start`. */
    url,
    async start() {
      running = await start(replicaFolder);
    },
    async stop() {
      await running?.stop();
      running = undefined;
    },
    /** Receives changes without replaying them, until `resume`. */
    pause: async () => void (await runStatement(url, 'SELECT pg_wal_replay_pause()')),
    resume: async () => void (await runStatement(url, 'SELECT pg_wal_replay_resume()')),
    /** Waits until the replica has replayed all changes so far. */
    async waitUntilCaughtUp() {
      const emitMessage = "SELECT pg_logical_emit_message(true, 'caught up', '')";
      const lsn = await runStatement(primary.url, emitMessage);
      while (!(await runStatement(url, `SELECT pg_last_wal_replay_lsn() >= '${lsn}'`)));
    },
  };
  undo.defer(() => replica.stop());
  await replica.start();
  const resources = undo.move();
  return {
    url: primary.url,
    replica,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** A port that forwards to another one, or closes connections while there is none. */
async function openTcpProxy(
  undo: AsyncDisposableStack,
  targetPort: () => number | undefined,
): Promise<number> {
  const proxy = createServer((socket) => {
    const port = targetPort();
    if (port === undefined) return void socket.destroy();
    const upstream = connect(port, '127.0.0.1');
    pipeline(socket, upstream, socket, () => {});
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  undo.defer(() => void proxy.close());
  const address = proxy.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function createDataFolder(undo: AsyncDisposableStack): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'linework-replica-')));
  // The database's own user must enter it when the tests run as root.
  await chmod(folder, 0o755);
  undo.defer(async () => {
    const home = await realpath(join(folder, 'postgres')).catch(() => folder);
    for (const path of [home, folder]) await rm(path, { recursive: true, force: true });
  });
  return folder;
}

function start(dataDir: string): Promise<BundledPostgres> {
  return startBundledPostgres({ dataDir, log: silentLog });
}

async function runStatement(url: string, statement: string): Promise<unknown> {
  const [row] = await queryDatabase(url, statement);
  return row?.[0];
}
