import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { promisify } from 'node:util';
import pg from 'pg';
import {
  type BundledPostgres,
  startBundledPostgres,
} from '#server/database/bundled/bundled_postgres.ts';
import { migrate } from '#server/database/migrate.ts';
import { silentLog } from './recorded_log.ts';

const execFileAsync = promisify(execFile);

/** A migrated PostgreSQL and a streaming replica of it. */
export interface ReplicatedPostgres extends AsyncDisposable {
  readonly url: string;
  readonly replica: Replica;
}

interface Replica {
  /** Stays the same over `stop` and `start`. */
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Receives changes without replaying them, until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Waits until the replica has replayed all changes so far. */
  waitUntilCaughtUp(): Promise<void>;
}

export async function openReplicatedPostgres(): Promise<ReplicatedPostgres> {
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
  const replica: Replica = {
    url,
    async start() {
      running = await start(replicaFolder);
    },
    async stop() {
      await running?.stop();
      running = undefined;
    },
    pause: async () => void (await runStatement(url, 'SELECT pg_wal_replay_pause()')),
    resume: async () => void (await runStatement(url, 'SELECT pg_wal_replay_resume()')),
    async waitUntilCaughtUp() {
      const emitMessage = "SELECT pg_logical_emit_message(true, 'caught up', '') AS answer";
      const lsn = await runStatement(primary.url, emitMessage);
      while (!(await runStatement(url, `SELECT pg_last_wal_replay_lsn() >= '${lsn}' AS answer`)));
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
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ answer: unknown }>(statement)).rows[0]?.answer;
  } finally {
    await client.end();
  }
}
