import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { freePort, listenOn } from '#support/free_port.ts';
import { responseTo } from '#support/response_to.ts';
import {
  isAlive,
  openSandbox,
  type RunningServer,
  type Sandbox,
  waitUntilExited,
  waitUntilGroupExited,
} from '#support/sandbox.ts';
import { call, logIn } from './bookings.ts';
import { openSocket, startLogin } from './sockets.ts';

const WORKERS = '2';
const WAIT = { timeout: 60_000, interval: 20 };
/** Ends workers while they start, if a file exists; raises an uncaught error on SIGUSR2. */
const HOOK = `
import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
if (cluster.isWorker && existsSync(process.env.BROKEN)) process.exit(3);
process.on('SIGUSR2', () => setImmediate(() => { throw new Error('nobody catches this'); }));
`;

let folder: string;
/** The environment that loads the hook. */
let hook: { NODE_OPTIONS: string; BROKEN: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linework-workers-'));
  const path = join(folder, 'hook.mjs');
  await writeFile(path, HOOK);
  hook = { NODE_OPTIONS: `--import=${pathToFileURL(path)}`, BROKEN: join(folder, 'broken') };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a server with two workers', () => {
  let sandbox: Sandbox;
  let server: RunningServer;
  beforeAll(async () => {
    sandbox = await openSandbox();
    server = await sandbox.serve({ env: { WORKERS, ...hook } });
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
      expect((await get('/ana/about')).cacheStatus).toContain('hit');
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

  test('a killed worker is replaced, and the other one answers meanwhile', async () => {
    const [killed, other] = await connectToEachWorker(server);
    process.kill(killed.worker, 'SIGKILL');
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
    await writeFile(hook.BROKEN, '');
    process.kill(killed.worker, 'SIGKILL');
    await server.waitForOutput(/\(exit code 3\); another one starts in 0\.2 s/);
    expect((await other.get('/ana')).status).toBe(200);
    await rm(hook.BROKEN);
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
});

describe('stopping a server with workers', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox();
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  /** Starts a login on each of four connections: two for each worker. */
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

  test('SIGTERM lets the requests of all workers finish, and leaves no process', async () => {
    const server = await sandbox.serve({ env: { WORKERS } });
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

  test('Ctrl-C during npm start does the same, also for the API alone', async () => {
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
  });

  test('the workers and the database end when npm is killed', async () => {
    const server = await sandbox.serve({ npmArgs: ['start'], env: { WORKERS } });
    const postmaster = Number(await sandbox.postmaster());
    server.process.kill('SIGKILL');
    await waitUntilGroupExited(server.pid);
    expect(server.output()).toMatch(/INFO: Stopping \(npm is gone\) …$/m);
    expect(await isAlive(postmaster)).toBe(false);
  });

  test('an uncaught error in the primary process lets requests finish, and it exits with code 1', async () => {
    const server = await sandbox.serve({ env: { WORKERS, ...hook } });
    const logins = await startLogins(server);
    process.kill(server.pid, 'SIGUSR2');
    await server.waitForOutput(/INFO: Stopping \(uncaught error\) …$/m);
    await finishLogins(logins);
    expect((await server.exited).code).toBe(1);
    expect(await sandbox.postmaster()).toBeUndefined();
  });

  test('a worker that is killed while it stops makes the exit code 1', async () => {
    const server = await sandbox.serve({ env: { WORKERS } });
    const [killed, other] = await connectToEachWorker(server);
    const logins = await startLogins(server);
    server.process.kill('SIGTERM');
    await server.waitForOutput(new RegExp(`Stopping .* \\{"worker":${killed.worker}\\}`));
    process.kill(killed.worker, 'SIGKILL');
    await server.waitForOutput(new RegExp(`process ${killed.worker} ended \\(SIGKILL\\) before`));
    expect(await isAlive(other.worker)).toBe(true);
    for (const { finish } of logins) finish();
    expect((await server.exited).code).toBe(1);
    expect(await sandbox.postmaster()).toBeUndefined();
  });

  test('when the primary process is killed, workers finish their requests and end, and the next start takes over the database', async () => {
    const server = await sandbox.serve({ env: { WORKERS } });
    const logins = await startLogins(server);
    server.process.kill('SIGKILL');
    await server.waitForOutput(/Stopping \(the primary process is gone\) … \{"worker":\d+\}/);
    await finishLogins(logins);
    await waitUntilGroupExited(server.pid);
    const next = await sandbox.serve({ env: { WORKERS } });
    expect(next.output()).toContain('Taking over the database');
    expect((await next.stop()).code).toBe(0);
  });
});

describe('a start with workers that fails says so once, exits with code 1 and leaves no process', () => {
  async function expectOneMessage(env: Record<string, string>, message: string): Promise<void> {
    await using sandbox = await openSandbox();
    const failing = sandbox.launch({ env: { WORKERS, DEMO: '0', ...env } });
    const { code, output } = await failing.exited;
    expect(code).toBe(1);
    expect(output.split(message)).toHaveLength(2);
    expect(output).not.toMatch(/^\s+at /m);
    expect(output).not.toContain('ready at');
    await waitUntilGroupExited(failing.pid);
    expect(await sandbox.postmaster()).toBeUndefined();
  }

  test('if the port is taken', async () => {
    await using server = createServer();
    const port = await listenOn(server, await freePort());
    await expectOneMessage({ PORT: String(port) }, `Port ${port} is taken`);
  });

  test('if nothing listens at DATABASE_URL', async () => {
    const DATABASE_URL = 'postgres://me:hushhush@127.0.0.1:1/linework';
    const env = { DATABASE_URL, SECRET_KEY: 'a key for a server on a database' };
    await expectOneMessage(env, 'ECONNREFUSED');
  });

  test('if a setting is invalid', async () => {
    await expectOneMessage({ WORKERS: 'all' }, 'WORKERS must be a whole number from 1 to 256, or');
  });
});

test('a start with workers that is stopped leaves no process', async () => {
  await using sandbox = await openSandbox();
  const starting = sandbox.launch({ env: { WORKERS, DEMO: '0' } });
  await starting.waitForOutput(/Creating a database/);
  await vi.waitFor(async () => expect(await findWorkers(starting)).toHaveLength(1), WAIT);
  starting.process.kill('SIGTERM');
  const { code, output } = await starting.exited;
  expect(code).toBe(0);
  expect(output).not.toContain('ready at');
  await waitUntilGroupExited(starting.pid);
  expect(await sandbox.postmaster()).toBeUndefined();
});

/** A keep-alive connection. */
interface Connection {
  /** The process id of the worker that has the connection. */
  readonly worker: number;
  get(path: string): Promise<{ status: number | undefined; cacheStatus: string; body: string }>;
}

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

async function connectToWorker(server: RunningServer): Promise<Connection> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const get = async (path: string) => {
    const pending = request(`${server.url}${path}`, { agent }).end();
    const response = await responseTo(pending);
    const { localPort = 0 } = response.socket;
    return {
      status: response.statusCode,
      cacheStatus: String(response.headers['cache-status']),
      body: await text(response),
      localPort,
    };
  };
  const { localPort } = await get('/healthz');
  return { worker: await findOwner(server, localPort), get };
}

/** The process ids of the workers, in ascending order. */
async function findWorkers({ pid }: { readonly pid: number }): Promise<number[]> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const children = await Promise.all(
    processes.map(async (name) => {
      const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
      const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
      return new RegExp(`\\) [^ZX] ${pid} `).test(stat) && command.includes('main.ts');
    }),
  );
  return processes
    .filter((_name, index) => children[index])
    .map(Number)
    .sort((a, b) => a - b);
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
