import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { responseTo } from '#support/response_to.ts';
import {
  isAlive,
  openDemo,
  type RunningServer,
  type Sandbox,
  waitUntilExited,
} from '#support/sandbox.ts';
import { logIn } from './bookings.ts';

const run = promisify(execFile);
const HIGH_LIMIT = '4096';
/** Runs a command as root without permission to open other users' files. */
const WITHOUT_FILE_OVERRIDE = [
  'setpriv',
  '--bounding-set=-dac_override,-dac_read_search',
  '--inh-caps=-dac_override,-dac_read_search',
];
/** Raises an error or a rejection that nothing catches. */
const HOOK = `
const failures = {
  error: () => setImmediate(() => { throw new Error('nobody catches this'); }),
  rejection: () => void Promise.reject(new Error('nobody awaits this')),
};
process.on('SIGUSR2', failures[process.env.FAILURE]);
`;

let sandbox: Sandbox;
/** Serves until the test of the uncaught error. */
let server: RunningServer;
beforeAll(async () => {
  sandbox = await openDemo();
  server = await serveFailing('error');
});
afterAll(() => sandbox[Symbol.asyncDispose]());

/** A server that fails on SIGUSR2. */
function serveFailing(FAILURE: 'error' | 'rejection'): Promise<RunningServer> {
  const hook = `--import=data:text/javascript,${encodeURIComponent(HOOK)}`;
  return sandbox.serve({ env: { FAILURE, NODE_OPTIONS: hook } });
}

/** Sends requests over one keep-alive connection, so that no new descriptor is needed. */
function openConnection(server: RunningServer) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return async (path: string) => {
    const pending = request(`${server.url}${path}`, { agent }).end();
    const response = await responseTo(pending);
    let bytes = 0;
    for await (const chunk of response) bytes += chunk.length;
    return { status: response.statusCode, bytes, retryAfter: response.headers['retry-after'] };
  };
}

/** Sends the head of a request and waits for 100 Continue; the body is still to be sent. */
async function startRequest(
  server: RunningServer,
  method: string,
  path: string,
  length: number,
  token = '',
) {
  const pending = request(`${server.url}/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': length,
      Expect: '100-continue',
    },
  });
  pending.flushHeaders();
  await once(pending, 'continue');
  return pending;
}

async function findPicturePath(server: RunningServer): Promise<string> {
  const page = await (await fetch(`${server.url}/ana`)).text();
  const [path] = /\/media\/[-0-9a-f]+\/\d+\.webp/.exec(page) ?? [];
  if (path === undefined) throw new Error('The demo page shows no picture');
  return path;
}

async function setDescriptorLimit(server: RunningServer, limit: string): Promise<void> {
  await run('prlimit', [`--pid=${server.pid}`, `--nofile=${limit}:${HIGH_LIMIT}`]);
}

test('pictures get 503 while no file descriptor is free, and 200 once one is', async () => {
  const picture = await findPicturePath(server);
  const get = openConnection(server);
  expect((await get(picture)).status).toBe(200);
  // Open descriptors stay usable, but no new one can be opened.
  await setDescriptorLimit(server, '3');
  expect(await get(picture)).toMatchObject({
    status: 503,
    retryAfter: expect.stringMatching(/^\d+$/),
  });
  expect((await get('/healthz')).status).toBe(200);
  expect((await get('/favicon.svg')).status).toBe(200);
  await setDescriptorLimit(server, HIGH_LIMIT);
  expect((await get(picture)).status).toBe(200);
  expect((await fetch(`${server.url}/ana`)).status).toBe(200);
  expect(server.output()).toMatch(/ERROR: Media: Reading an image failed \(answered 503\): EMFILE/);
});

test('a picture file without read permission gets 503, and the server keeps serving', async () => {
  const picture = await findPicturePath(server);
  const { DATA_DIR: _, ...beside } = await sandbox.settingsBeside();
  const isRoot = process.getuid?.() === 0;
  const { url } = isRoot
    ? await sandbox.serve({ wrapper: WITHOUT_FILE_OVERRIDE, env: beside })
    : server;
  const path = join(sandbox.dataDir, picture);
  await chmod(path, 0o000);
  expect((await fetch(url + picture)).status).toBe(503);
  expect((await fetch(`${url}/ana`)).status).toBe(200);
  await chmod(path, 0o644);
  expect((await fetch(url + picture)).status).toBe(200);
});

test('clients that disconnect while posting a form do not stop the server', async () => {
  for (let n = 0; n < 20; n += 1) {
    const pending = request(`${server.url}/ana/contact`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        'Content-Length': 100_000,
        Expect: '100-continue',
      },
    });
    pending.on('error', () => {});
    const closed = new Promise((resolve) => pending.once('close', resolve));
    pending.flushHeaders();
    await once(pending, 'continue');
    pending.write('name=Rosa&');
    pending.destroy();
    await closed;
  }
  expect((await fetch(`${server.url}/ana`)).status).toBe(200);
  expect(server.output()).not.toMatch(/uncaught error/i);
});

test('an uncaught error lets requests in flight finish, stops the database, and exits with code 1', async () => {
  const postmaster = (await sandbox.postmaster()) ?? 0;
  expect(await isAlive(postmaster)).toBe(true);
  const body = JSON.stringify({ about_me: 'Sent while the server stops' });
  const token = await logIn(server, 'ana');
  const pending = await startRequest(server, 'PATCH', '/users/me', body.length, token);
  const response = responseTo(pending);
  process.kill(server.pid, 'SIGUSR2');
  await server.waitForOutput(/Stopping \(uncaught error\)/);
  pending.end(body);
  expect((await response).statusCode).toBe(200);

  const { code, output } = await server.exited;
  expect(code).toBe(1);
  expect(output).toMatch(
    /ERROR: Server: Uncaught error \(the server stops .*\): nobody catches this *\n(?: .*\n)*? +Error: nobody catches this\n +at /,
  );
  await waitUntilExited(postmaster);
});

test('an unhandled rejection stops the server even if a client never sends the rest of its request', async () => {
  server = await serveFailing('rejection');
  const pending = await startRequest(server, 'POST', '/users/signup', 100);
  const disconnected = once(pending, 'error');
  process.kill(server.pid, 'SIGUSR2');
  await disconnected;
  const { code, output } = await server.exited;
  expect(code).toBe(1);
  expect(output).toContain('nobody awaits this');
});
