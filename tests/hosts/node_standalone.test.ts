import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { freePort } from '#support/free_port.ts';
import { openDemo, type RunningServer, type Sandbox } from '#support/sandbox.ts';
import { book, createBookingInputs, fetchConfirmation } from '../load/bookings.ts';
import { build } from '../load/program_copy.ts';

const VISITOR_KEY = 'the key of the site and the API';
const BUILD_MS = 240_000;

let sandbox: Sandbox;
let api: RunningServer;
let site: Awaited<ReturnType<typeof startSite>>;

beforeAll(async () => {
  const program = inject('program');
  await build(program, { ADAPTER: 'node-standalone' });
  sandbox = await openDemo();
  api = await sandbox.serve({ env: { VISITOR_KEY, RATE_LIMIT: 'on' } });
  site = await startSite(api.url);
}, BUILD_MS);

afterAll(async () => {
  await site.stop();
  await sandbox[Symbol.asyncDispose]();
});

/** Starts the standalone server, as docs/deploy.md says. */
async function startSite(apiUrl: string) {
  const program = inject('program');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    join(program, 'node_modules/.bin/node'),
    ['dist-node-standalone/server/entry.mjs'],
    {
      cwd: program,
      env: {
        NODE_ENV: 'production',
        API_URL: apiUrl,
        PUBLIC_API_URL: apiUrl,
        SITE_URL: url,
        VISITOR_KEY,
        PORT: String(port),
        HOST: '127.0.0.1',
      },
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  await vi.waitFor(() => expect(output).toContain('Server listening'), 20_000);
  return {
    url,
    port,
    output: () => output,
    async stop() {
      if (child.kill()) await once(child, 'exit');
    },
  };
}

/** Posts a form as a browser without JavaScript, through a proxy that names the visitor's address. */
function postForm(path: string, fields: Readonly<Record<string, string>>, visitor = '203.0.113.7') {
  return fetch(site.url + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'X-Forwarded-For': `198.51.100.1, ${visitor}` },
    redirect: 'manual',
  });
}

test('the standalone server shows an artist, and a client books a listed time and confirms it by a form', async () => {
  const home = await fetch(`${site.url}/ana/`);
  expect(home.status).toBe(200);
  expect(home.headers.get('surrogate-control')).toMatch(/^max-age=\d+/);
  expect(await home.text()).toContain(`data-api="${api.url}"`);
  expect((await fetch(`${site.url}/ana/scheduling`)).status).toBe(200);

  const [input] = await createBookingInputs(api);
  if (!input) throw new Error('ana lists no times');
  const { id, version } = (await book(api, input)).body;
  const path = `/ana/confirmation/${id}`;
  expect(await (await fetch(site.url + path)).text()).toContain('Confirm Appointment');
  const posted = await postForm(path, { action: 'confirm', version: String(version) });
  expect(posted.status).toBe(303);
  expect((await fetchConfirmation(api, id)).body.status).toBe('confirmed');
  expect(site.output()).not.toContain(id);
});

test('limits count the visitors of the standalone server, and not the server', async () => {
  const message = { name: 'Rosa Quint', email: 'rosa@example.com', message: 'Hello' };
  const statuses: number[] = [];
  for (let n = 0; n < 21; n += 1)
    statuses.push((await postForm('/ana/contact', message, '203.0.113.8')).status);
  expect(statuses.at(0)).toBe(303);
  expect(statuses.at(-1)).toBe(429);
  expect((await postForm('/ana/contact', message, '192.0.2.9')).status).toBe(303);
});

test.each([
  ['/cara/', 'a.test/ana?'],
  ['/cara/', 'a.test book.example.com'],
  ['/%2561na', 'a.test'],
])('the path %s with the Host "%s" chooses no page', async (path, host) => {
  const socket = connect(site.port, '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  const [answer] = await once(socket.setEncoding('utf8'), 'data');
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
});

test('while the API is down, the standalone server answers with the page for that, and prints why under its reference', async () => {
  await api.stop();
  const response = await fetch(`${site.url}/ana/services`);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '30']);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('content-type')).toMatch(/^text\/html/);
  const [reference] = /(?<=<code class="select-all">)[^<]+/.exec(await response.text()) ?? [];
  expect(site.output()).toContain(
    `A page failed (reference ${reference}): TypeError: fetch failed`,
  );
});
