import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
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
let site: ChildProcess;
let siteUrl: string;
let siteOutput = '';

beforeAll(async () => {
  const program = inject('program');
  await build(program, { ADAPTER: 'node-standalone' });
  sandbox = await openDemo();
  api = await sandbox.serve({ env: { VISITOR_KEY, RATE_LIMIT: 'on' } });
  const port = await freePort();
  siteUrl = `http://127.0.0.1:${port}`;
  // As docs/deploy.md says.
  site = spawn(join(program, 'node_modules/.bin/node'), ['dist-node-standalone/server/entry.mjs'], {
    cwd: program,
    env: {
      NODE_ENV: 'production',
      API_URL: api.url,
      PUBLIC_API_URL: api.url,
      SITE_URL: siteUrl,
      VISITOR_KEY,
      PORT: String(port),
      HOST: '127.0.0.1',
    },
  });
  for (const stream of [site.stdout, site.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      siteOutput += text;
    });
  await vi.waitFor(() => expect(siteOutput).toContain('Server listening'), 20_000);
}, BUILD_MS);

afterAll(async () => {
  if (site.kill()) await once(site, 'exit');
  await sandbox[Symbol.asyncDispose]();
});

/** Posts a form as a browser without JavaScript, through a proxy that names the visitor's address. */
function postForm(path: string, fields: Readonly<Record<string, string>>, visitor = '203.0.113.7') {
  return fetch(siteUrl + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'X-Forwarded-For': `198.51.100.1, ${visitor}` },
    redirect: 'manual',
  });
}

test('the standalone server shows an artist, and a client books a listed time and confirms it by a form', async () => {
  const home = await fetch(`${siteUrl}/ana/`);
  expect(home.status).toBe(200);
  expect(home.headers.get('surrogate-control')).toMatch(/^max-age=\d+/);
  expect(await home.text()).toContain(`data-api="${api.url}"`);
  expect((await fetch(`${siteUrl}/ana/scheduling`)).status).toBe(200);

  const [input] = await createBookingInputs(api);
  if (!input) throw new Error('ana lists no times');
  const { id, version } = (await book(api, input)).body;
  const path = `/ana/confirmation/${id}`;
  expect(await (await fetch(siteUrl + path)).text()).toContain('Confirm Appointment');
  const posted = await postForm(path, { action: 'confirm', version: String(version) });
  expect(posted.status).toBe(303);
  expect((await fetchConfirmation(api, id)).body.status).toBe('confirmed');
  expect(siteOutput).not.toContain(id);
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

test('while the API is down, the standalone server answers with the page for that', async () => {
  await api.stop();
  const response = await fetch(`${siteUrl}/ana/services`);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '30']);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('content-type')).toMatch(/^text\/html/);
});
