import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { responseTo } from '#support/response_to.ts';
import {
  isAlive,
  openSandbox,
  type RunningServer,
  type Sandbox,
  waitUntilExited,
} from '#support/sandbox.ts';
import { logIn } from './bookings.ts';

const run = promisify(execFile);
const MANY = '4096';
/** Lets root be refused like any other user when it opens a file of somebody else. */
const WITHOUT_OVERRIDE = [
  'setpriv',
  '--bounding-set=-dac_override,-dac_read_search',
  '--inh-caps=-dac_override,-dac_read_search',
];
/** Has a server fail in ways that none of its code catches. */
const HOOK = `
const failures = {
  error: () => setImmediate(() => { throw new Error('nobody catches this'); }),
  rejection: () => void Promise.reject(new Error('nobody awaits this')),
};
process.on('SIGUSR2', failures[process.env.FAILURE]);
`;

/** One data directory, on which the tests start one server after the other. */
let place: Sandbox;
let folder: string;
let hook: string;
beforeAll(async () => {
  place = await openSandbox();
  folder = await mkdtemp(join(tmpdir(), 'linework-trouble-'));
  hook = join(folder, 'hook.mjs');
  await writeFile(hook, HOOK);
});
afterAll(async () => {
  await place[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** A server that fails when it gets the signal SIGUSR2. */
function serveFailing(FAILURE: 'error' | 'rejection'): Promise<RunningServer> {
  return place.serve({ env: { FAILURE, NODE_OPTIONS: `--import=${pathToFileURL(hook)}` } });
}

/** Asks over one connection that stays open, so that no further one is needed. */
function openConnection(server: RunningServer) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return async (path: string) => {
    const call = request(`${server.url}${path}`, { agent }).end();
    const answer = await responseTo(call);
    let bytes = 0;
    for await (const chunk of answer) bytes += chunk.length;
    return { status: answer.statusCode, bytes, retryAfter: answer.headers['retry-after'] };
  };
}

/** A call whose body is still to come, once the server has begun to answer it. */
async function beginCall(
  server: RunningServer,
  method: string,
  path: string,
  length: number,
  token = '',
) {
  const call = request(`${server.url}/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': length,
      Expect: '100-continue',
    },
  });
  call.flushHeaders();
  await once(call, 'continue');
  return call;
}

async function aPicturePath(server: RunningServer): Promise<string> {
  const page = await (await fetch(`${server.url}/ana`)).text();
  const [path] = /\/media\/[-0-9a-f]+\/\d+\.webp/.exec(page) ?? [];
  if (path === undefined) throw new Error('The demo page shows no picture');
  return path;
}

async function setDescriptorLimit(server: RunningServer, limit: string): Promise<void> {
  await run('prlimit', [`--pid=${server.pid}`, `--nofile=${limit}:${MANY}`]);
}

test('without a free file descriptor pictures are answered 503, and 200 once there is one', async () => {
  const server = await place.serve();
  const picture = await aPicturePath(server);
  const ask = openConnection(server);
  expect((await ask(picture)).status).toBe(200);
  // Descriptors that are open stay usable; no further one can be opened.
  await setDescriptorLimit(server, '3');
  expect(await ask(picture)).toMatchObject({
    status: 503,
    retryAfter: expect.stringMatching(/^\d+$/),
  });
  expect((await ask('/healthz')).status).toBe(200);
  expect((await ask('/favicon.svg')).status).toBe(200);
  await setDescriptorLimit(server, MANY);
  expect((await ask(picture)).status).toBe(200);
  expect((await fetch(`${server.url}/ana`)).status).toBe(200);
  expect(server.output()).toMatch(/Media: reading .* failed; answered 503: .*EMFILE/);
  expect((await server.stop()).code).toBe(0);
});

test('a picture that belongs to another user is answered 503, and the server goes on', async () => {
  const first = await place.serve();
  const picture = await aPicturePath(first);
  const isRoot = process.getuid?.() === 0;
  const server = isRoot
    ? await place.serve({
        wrapper: WITHOUT_OVERRIDE,
        env: { DATABASE_URL: await place.databaseUrl(), SECRET_KEY: 'a key that both share' },
      })
    : first;
  const path = join(place.dataDir, picture);
  await chmod(path, 0o000);
  expect((await fetch(server.url + picture)).status).toBe(503);
  expect((await fetch(`${server.url}/ana`)).status).toBe(200);
  await chmod(path, 0o644);
  expect((await fetch(server.url + picture)).status).toBe(200);
  if (isRoot) await server.stop();
  expect((await first.stop()).code).toBe(0);
});

test('an uncaught error lets requests in flight end, stops the database, and exits with failure', async () => {
  const server = await serveFailing('error');
  const postmaster = (await place.postmaster()) ?? 0;
  expect(await isAlive(postmaster)).toBe(true);
  const body = JSON.stringify({ about_me: 'Sent while the server stops' });
  const token = await logIn(server, 'ana');
  const call = await beginCall(server, 'PATCH', '/users/me', body.length, token);
  const answered = responseTo(call);
  process.kill(server.pid, 'SIGUSR2');
  await server.waitForOutput(/Stopping \(uncaught error\)/);
  call.end(body);
  expect((await answered).statusCode).toBe(200);

  const { code, output } = await server.exited;
  expect(code).toBe(1);
  expect(output).toMatch(/uncaught error; the server stops .*: Error: nobody catches this\n +at /);
  await waitUntilExited(postmaster);
});

test('clients that hang up while they send a form to a page end nothing', async () => {
  const server = await place.serve();
  for (let n = 0; n < 20; n += 1) {
    const call = request(`${server.url}/ana/contact`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        'Content-Length': 100_000,
        Expect: '100-continue',
      },
    });
    call.on('error', () => {});
    const hungUp = new Promise((resolve) => call.once('close', resolve));
    call.flushHeaders();
    await once(call, 'continue');
    call.write('name=Rosa&');
    call.destroy();
    await hungUp;
  }
  expect((await fetch(`${server.url}/ana`)).status).toBe(200);
  expect(server.output()).not.toContain('uncaught error');
  expect((await server.stop()).code).toBe(0);
});

test('an unhandled rejection ends the server, although a client never sends the rest of its request', async () => {
  const server = await serveFailing('rejection');
  const call = await beginCall(server, 'POST', '/users/signup', 100);
  const cutOff = once(call, 'error');
  process.kill(server.pid, 'SIGUSR2');
  await cutOff;
  const { code, output } = await server.exited;
  expect(code).toBe(1);
  expect(output).toContain('nobody awaits this');
});
