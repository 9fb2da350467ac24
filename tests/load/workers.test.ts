import { readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  findWorkers,
  isAlive,
  openDemo,
  type RunningServer,
  type Sandbox,
  waitUntilExited,
  waitUntilGroupExited,
} from '#support/sandbox.ts';
import { call, logIn } from './bookings.ts';
import { openConnection, openSocket, startLogin } from './sockets.ts';

const WORKERS = '2';
const WAIT = { timeout: 60_000, interval: 20 };
/** Ends workers while they start, if a file exists; raises an uncaught error on SIGUSR2. */
const HOOK = `
import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
if (cluster.isWorker && existsSync(process.env.BROKEN)) process.exit(3);
process.on('SIGUSR2', () => setImmediate(() => { throw new Error('nobody catches this'); }));
`;

/** Sends halves of a login on four connections: two for each worker. */
async function startLogins(server: RunningServer) {
  const logins = [];
  for (let times = 0; times < 4; times += 1) logins.push(await startLogin(server));
  return logins;
}

async function finishLogins(logins: Awaited<ReturnType<typeof startLogins>>): Promise<void> {
  for (const { finish } of logins) finish();
  const responses = await Promise.all(logins.map(({ socket }) => text(socket)));
  for (const response of responses)
    expect(response).toMatch(/^HTTP\/1\.1 200.*connection: close.*access_token/is);
}

describe('a server with two workers', () => {
  let sandbox: Sandbox;
  let server: RunningServer;
  /** While this file exists, workers end when they start. */
  let broken: string;
  beforeAll(async () => {
    sandbox = await openDemo();
    broken = join(sandbox.dataDir, 'broken');
    const hook = `--import=data:text/javascript,${encodeURIComponent(HOOK)}`;
    // The policy of the environment is not used, so that the primary hands over each connection.
    const env = { WORKERS, NODE_OPTIONS: hook, BROKEN: broken, NODE_CLUSTER_SCHED_POLICY: 'none' };
    server = await sandbox.serve({ env });
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  test('logs once that it is ready, and both workers answer on its port', async () => {
    expect(server.output().match(/is ready at/g)).toHaveLength(1);
    const connections = await connectToEachWorker(server);
    for (const { get } of connections) expect((await get('/readyz')).status).toBe(200);
    expect(connections.map(({ worker }) => worker).sort()).toEqual(await findWorkers(server));
  });

  test('a change made through one worker invalidates the page in the caches of both', async () => {
    const connections = await connectToEachWorker(server);
    for (const { get } of connections) {
      await get('/ana/about');
      expect((await get('/ana/about')).headers['cache-status']).toContain('hit');
    }
    const token = await logIn(server, 'ana');
    const json = { about_me: 'Now with a cat.' };
    expect((await call(server, 'PATCH /users/me', { token, json })).status).toBe(200);
    for (const { get } of connections)
      await vi.waitFor(
        async () => expect((await get('/ana/about')).body).toContain('Now with a cat.'),
        WAIT,
      );
  });

  test('a killed worker is replaced, the other one answers meanwhile, and no client waits for ever', async () => {
    const [killed, other] = await connectToEachWorker(server);
    // So that it does not take over the connection that it is handed.
    process.kill(killed.worker, 'SIGSTOP');
    const sockets = await Promise.all([openSocket(server), openSocket(server)]);
    for (const socket of sockets)
      socket.write('GET /healthz HTTP/1.1\r\nHost: linework.test\r\nConnection: close\r\n\r\n');
    const ends = sockets.map((socket) => text(socket).catch(() => 'closed'));
    expect(await Promise.race(ends)).toContain('200 OK');
    process.kill(killed.worker, 'SIGKILL');
    for (const end of ends) expect(await end).toMatch(/200 OK|closed/);
    for (let times = 0; times < 20; times += 1) expect((await other.get('/ana')).status).toBe(200);
    await server.waitForOutput(
      new RegExp(`process ${killed.worker} ended \\(SIGKILL\\); another one starts now`),
    );
    const connections = await connectToEachWorker(server);
    const workers = connections.map(({ worker }) => worker);
    expect(workers).toContain(other.worker);
    expect(workers).not.toContain(killed.worker);
  });

  test('a worker that repeatedly ends during its start is replaced after a growing delay', async () => {
    const [killed, other] = await connectToEachWorker(server);
    await writeFile(broken, '');
    process.kill(killed.worker, 'SIGKILL');
    await server.waitForOutput(/\(exit code 3\); another one starts in 0\.2 s/);
    expect((await other.get('/ana')).status).toBe(200);
    await rm(broken);
    await connectToEachWorker(server);
  });

  test('a worker that stops after an uncaught error is replaced', async () => {
    const [failing] = await connectToEachWorker(server);
    process.kill(failing.worker, 'SIGUSR2');
    await server.waitForOutput(
      new RegExp(`process ${failing.worker} ended \\(exit code 1\\); another one starts`),
    );
    expect(server.output()).toContain('nobody catches this');
    await connectToEachWorker(server);
  });

  // Last, because it stops the server.
  test('lets the requests of all workers finish after SIGTERM, and leaves no process', async () => {
    const postmaster = Number(await sandbox.postmaster());
    const logins = await startLogins(server);
    server.process.kill('SIGTERM');
    await server.waitForOutput(/INFO: Stopping \(SIGTERM\) …$/m);
    await vi.waitFor(() => expect(openSocket(server)).rejects.toThrow('ECONNREFUSED'), WAIT);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) server.process.kill(signal);
    expect(await isAlive(postmaster)).toBe(true);
    await finishLogins(logins);
    expect(await server.exited).toMatchObject({ code: 0, signal: null });
    await waitUntilGroupExited(server.pid);
    expect(await isAlive(postmaster)).toBe(false);
  });
});

test('Ctrl-C during npm start of the API alone lets the requests of all workers finish, and leaves no process', async () => {
  await using sandbox = await openDemo();
  const npmArgs = ['start', '--', '--api-only'];
  const server = await sandbox.serve({ npmArgs, env: { WORKERS } });
  const postmaster = Number(await sandbox.postmaster());
  expect((await fetch(`${server.url}/ana`)).status).toBe(404);
  const logins = await startLogins(server);
  process.kill(-server.pid, 'SIGINT');
  await server.waitForOutput(/INFO: Stopping \(SIGINT\) …$/m);
  process.kill(-server.pid, 'SIGINT');
  await finishLogins(logins);
  await waitUntilGroupExited(server.pid);
  await waitUntilExited(postmaster);
  expect(server.output()).not.toContain('another one starts');
  expect(server.output()).toMatch(/INFO: Stopped$/m);
});

describe('on one data directory', () => {
  let sandbox: Sandbox;
  /** The server that took over the database. */
  let next: RunningServer;
  beforeAll(async () => {
    sandbox = await openDemo();
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  test('when the primary process is killed, workers finish their requests and end, and the next start takes over the database', async () => {
    const server = await sandbox.serve({ env: { WORKERS } });
    const logins = await startLogins(server);
    server.process.kill('SIGKILL');
    await server.waitForOutput(/Stopping \(the primary process is gone\) … \{"worker":\d+\}/);
    await finishLogins(logins);
    await waitUntilGroupExited(server.pid);
    next = await sandbox.serve({ env: { WORKERS } });
    expect(next.output()).toContain('Taking over the database');
  });

  test('a worker that is killed while it stops makes the exit code 1', async () => {
    const [killed, other] = await connectToEachWorker(next);
    const logins = await startLogins(next);
    next.process.kill('SIGTERM');
    await next.waitForOutput(new RegExp(`Stopping .* \\{"worker":${killed.worker}\\}`));
    process.kill(killed.worker, 'SIGKILL');
    await next.waitForOutput(new RegExp(`process ${killed.worker} ended \\(SIGKILL\\) before`));
    expect(await isAlive(other.worker)).toBe(true);
    for (const { finish } of logins) finish();
    expect((await next.exited).code).toBe(1);
    expect(await sandbox.postmaster()).toBeUndefined();
  });
});

type Connection = Awaited<ReturnType<typeof connectToWorker>>;

/** Opens connections until each of the two workers has one. Waits for a worker that starts. */
async function connectToEachWorker(server: RunningServer): Promise<[Connection, Connection]> {
  const connections = new Map<number, Connection>();
  return vi.waitFor(async () => {
    const connection = await connectToWorker(server);
    connections.set(connection.worker, connection);
    const [first, second] = connections.values();
    if (!first || !second) throw new Error('Only one worker answers');
    return [first, second] as const;
  }, WAIT);
}

/** A keep-alive connection, and the process id of the worker that has it. */
async function connectToWorker(server: RunningServer) {
  const get = openConnection(server);
  const { localPort } = await get('/healthz');
  return { worker: await findOwner(server, localPort), get };
}

/** Finds the worker that has the server's end of a connection. */
async function findOwner(server: RunningServer, clientPort: number): Promise<number> {
  const toHex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');
  const ends = `:${toHex(server.port)} \\w+:${toHex(clientPort)} `;
  const table = (await readFile('/proc/net/tcp', 'utf8')).split('\n');
  const inode = table
    .find((line) => new RegExp(ends).test(line))
    ?.trim()
    .split(/\s+/)[9];
  for (const worker of await findWorkers(server))
    for (const descriptor of await readdir(`/proc/${worker}/fd`)) {
      const path = `/proc/${worker}/fd/${descriptor}`;
      if ((await readlink(path).catch(() => '')) === `socket:[${inode}]`) return worker;
    }
  throw new Error('No worker has this connection');
}
