import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  isAlive,
  openDemo,
  type RunningServer,
  type Sandbox,
  waitUntilExited,
} from '#support/sandbox.ts';
import { openConnection, startLogin, startPost } from './sockets.ts';

const run = promisify(execFile);
const HIGH_LIMIT = '4096';
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

async function setDescriptorLimit(server: RunningServer, limit: string): Promise<void> {
  await run('prlimit', [`--pid=${server.pid}`, `--nofile=${limit}:${HIGH_LIMIT}`]);
}

test('pictures get 503 while no file descriptor is free, and 200 once one is', async () => {
  const page = await (await fetch(`${server.url}/ana`)).text();
  const [picture = ''] = /\/media\/[-0-9a-f]+\/\d+\.webp/.exec(page) ?? [];
  const get = openConnection(server);
  expect((await get(picture)).status).toBe(200);
  // Open descriptors stay usable, such as that of the connection, but no new one can be opened.
  await setDescriptorLimit(server, '3');
  expect(await get(picture)).toMatchObject({
    status: 503,
    headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
  });
  expect((await get('/healthz')).status).toBe(200);
  expect((await get('/favicon.svg')).status).toBe(200);
  await setDescriptorLimit(server, HIGH_LIMIT);
  expect((await get(picture)).status).toBe(200);
  expect((await fetch(`${server.url}/ana`)).status).toBe(200);
  expect(server.output()).toMatch(/ERROR: Media: Reading an image failed \(answered 503\): EMFILE/);
});

test('clients that disconnect while posting a form do not stop the server', async () => {
  for (let n = 0; n < 20; n += 1) {
    const { socket } = await startPost(
      server,
      '/ana/contact',
      'name=Rosa&message='.padEnd(100_000),
    );
    socket.destroy();
    await once(socket, 'close');
  }
  expect((await fetch(`${server.url}/ana`)).status).toBe(200);
  expect(server.output()).not.toMatch(/uncaught error/i);
});

test('an uncaught error lets requests in flight finish, stops the database, and exits with code 1', async () => {
  const postmaster = (await sandbox.postmaster()) ?? 0;
  expect(await isAlive(postmaster)).toBe(true);
  const { socket, finish } = await startLogin(server);
  process.kill(server.pid, 'SIGUSR2');
  await server.waitForOutput(/Stopping \(uncaught error\)/);
  finish();
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200.*access_token/s);

  const { code, output } = await server.exited;
  expect(code).toBe(1);
  expect(output).toMatch(
    /ERROR: Server: Uncaught error \(the server stops .*\): nobody catches this *\n(?: .*\n)*? +Error: nobody catches this\n +at /,
  );
  await waitUntilExited(postmaster);
});

test('an unhandled rejection stops the server even if a client never sends the rest of its request', async () => {
  server = await serveFailing('rejection');
  const { socket } = await startLogin(server);
  const disconnected = once(socket, 'close');
  process.kill(server.pid, 'SIGUSR2');
  await disconnected;
  const { code, output } = await server.exited;
  expect(code).toBe(1);
  expect(output).toContain('nobody awaits this');
});
