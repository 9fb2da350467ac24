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

const execFileAsync = promisify(execFile);

/** A PostgreSQL of its own, migrated, and one that follows it by streaming. */
export interface ReplicatedPostgres extends AsyncDisposable {
  readonly url: string;
  readonly replica: Replica;
}

interface Replica {
  /** Where it answers while it runs. */
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** It hears of what happens and does not do it, until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Once it has done all that has happened by now. */
  waitUntilCaughtUp(): Promise<void>;
}

export async function openReplicatedPostgres(): Promise<ReplicatedPostgres> {
  await using undo = new AsyncDisposableStack();
  const [first, second] = [await createDataFolder(undo), await createDataFolder(undo)];
  // Each is made by the program itself, which knows where on this machine it can run.
  await (await start(second)).stop();
  let primary = await start(first);
  await migrate(primary.url);
  await primary.stop();
  for (const name of ['cluster', 'password']) {
    const copy = join(second, 'postgres', name);
    await rm(copy, { recursive: true });
    await execFileAsync('cp', ['-a', join(first, 'postgres', name), copy]);
  }
  primary = await start(first);
  undo.defer(() => primary.stop());
  const cluster = join(second, 'postgres/cluster');
  const { port: streamed, username, password } = new URL(primary.url);
  await appendFile(
    join(cluster, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${streamed} user=${username} password=${password}'\n`,
  );
  await writeFile(join(cluster, 'standby.signal'), '');

  let running: BundledPostgres | undefined;
  // It takes another port each time it starts.
  const port = await openTcpProxy(undo, () => running && Number(new URL(running.url).port));
  const address = new URL(primary.url);
  address.port = String(port);
  const url = address.href;
  const replica: Replica = {
    url,
    async start() {
      running = await start(second);
    },
    async stop() {
      await running?.stop();
      running = undefined;
    },
    pause: async () => void (await runStatement(url, 'SELECT pg_wal_replay_pause()')),
    resume: async () => void (await runStatement(url, 'SELECT pg_wal_replay_resume()')),
    async waitUntilCaughtUp() {
      const told = "SELECT pg_logical_emit_message(true, 'caught up', '') AS answer";
      const place = await runStatement(primary.url, told);
      while (!(await runStatement(url, `SELECT pg_last_wal_replay_lsn() >= '${place}' AS answer`)));
    },
  };
  undo.defer(() => replica.stop());
  await replica.start();
  const everything = undo.move();
  return {
    url: primary.url,
    replica,
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}

/** A port that leads to another one, as long as there is one. */
async function openTcpProxy(
  space: AsyncDisposableStack,
  leadsTo: () => number | undefined,
): Promise<number> {
  const door = createServer((socket) => {
    const port = leadsTo();
    if (port === undefined) return void socket.destroy();
    const inside = connect(port, '127.0.0.1');
    pipeline(socket, inside, socket, () => {});
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  space.defer(() => void door.close());
  const at = door.address();
  return typeof at === 'object' && at !== null ? at.port : 0;
}

async function createDataFolder(space: AsyncDisposableStack): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'linework-replica-')));
  // So that the database's own user can enter it when the tests run as root.
  await chmod(folder, 0o755);
  space.defer(async () => {
    const home = await realpath(join(folder, 'postgres')).catch(() => folder);
    for (const path of [home, folder]) await rm(path, { recursive: true, force: true });
  });
  return folder;
}

function start(dataDir: string): Promise<BundledPostgres> {
  return startBundledPostgres({ dataDir, log: () => {} });
}

async function runStatement(url: string, question: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ answer: unknown }>(question)).rows[0]?.answer;
  } finally {
    await client.end();
  }
}
