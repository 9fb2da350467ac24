import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { responseTo } from '#support/response_to.ts';
import { isAlive, openPlace, type Server, untilGone } from '#support/server.ts';
import { logIn } from './bookings.ts';

const run = promisify(execFile);
const MANY = '4096';
/** Lets root be refused like any other user when it opens a file of somebody else. */
const WITHOUT_OVERRIDE = [
  'setpriv',
  '--bounding-set=-dac_override,-dac_read_search',
  '--inh-caps=-dac_override,-dac_read_search',
];

/** Asks over one connection that stays open, so that no further one is needed. */
function openConnection(server: Server) {
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

async function aPicturePath(server: Server): Promise<string> {
  const page = await (await fetch(`${server.url}/ana`)).text();
  const [path] = /\/media\/[-0-9a-f]+\/\d+\.webp/.exec(page) ?? [];
  if (path === undefined) throw new Error('The demo page shows no picture');
  return path;
}

async function setDescriptorLimit(server: Server, limit: string): Promise<void> {
  await run('prlimit', [`--pid=${server.pid}`, `--nofile=${limit}:${MANY}`]);
}

describe.concurrent('a server in trouble', () => {
  test('without a free file descriptor pictures are answered 503, and 200 once there is one', async () => {
    await using place = await openPlace();
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
    await using place = await openPlace();
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
  });

  test('an uncaught error is logged, ends requests in flight within 5 s and the database, and the exit code says failure', async () => {
    await using place = await openPlace();
    const folder = await mkdtemp(join(tmpdir(), 'linework-uncaught-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const hook = join(folder, 'hook.mjs');
    await writeFile(
      hook,
      `process.on('SIGUSR2', () => setImmediate(() => { throw new Error('nobody catches this'); }));`,
    );
    const server = await place.serve({ env: { NODE_OPTIONS: `--import=${pathToFileURL(hook)}` } });
    const postmaster = (await place.postmaster()) ?? 0;
    expect(await isAlive(postmaster)).toBe(true);
    const token = await logIn(server, 'ana');

    const body = JSON.stringify({ about_me: 'Sent while the server stops' });
    const call = request(`${server.url}/api/v1/users/me`, {
      method: 'PATCH',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Content-Length': body.length,
        Expect: '100-continue',
      },
    });
    const answered = responseTo(call);
    call.flushHeaders();
    await once(call, 'continue');
    call.write(body.slice(0, 10));
    process.kill(server.pid, 'SIGUSR2');
    await server.said(/Stopping \(uncaught error\)/);
    call.end(body.slice(10));
    const answer = await answered;
    expect(answer.statusCode).toBe(200);

    const { code, output } = await server.ended;
    expect(code).toBe(1);
    expect(output).toContain(
      'uncaught error; the server stops after the requests in flight: Error: nobody catches this',
    );
    await untilGone(postmaster);
  });

  test('an uncaught error ends the server within seconds, although a client never finishes its request', async () => {
    await using place = await openPlace();
    const folder = await mkdtemp(join(tmpdir(), 'linework-uncaught-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const hook = join(folder, 'hook.mjs');
    await writeFile(
      hook,
      `process.on('SIGUSR2', () => { Promise.reject(new Error('nobody awaits this')); });`,
    );
    const server = await place.serve({ env: { NODE_OPTIONS: `--import=${pathToFileURL(hook)}` } });
    const call = request(`${server.url}/api/v1/users/signup`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': 100,
        Expect: '100-continue',
      },
    });
    call.flushHeaders();
    await once(call, 'continue');
    const cutOff = once(call, 'error');
    call.write('{');
    process.kill(server.pid, 'SIGUSR2');
    await cutOff;
    const { code, output } = await server.ended;
    expect(code).toBe(1);
    expect(output).toContain('nobody awaits this');
    expect(await readdir(place.dataDir)).toContain('media');
  });
});
