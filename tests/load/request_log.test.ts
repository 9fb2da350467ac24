import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { loadSite } from '#server/site.ts';
import { recordLog } from '#support/recorded_log.ts';
import { openSandbox, queryDatabase, type RunningServer, type Sandbox } from '#support/sandbox.ts';
import { readSiteSettings } from '../../src/site_settings.ts';

let sandbox: Sandbox;
let server: RunningServer;
beforeAll(async () => {
  sandbox = await openSandbox();
  server = await sandbox.serve({ env: { LOG_FORMAT: 'text' } });
});
afterAll(() => sandbox[Symbol.asyncDispose]());

test('the log line of a page has the pattern of its route in Astro', async () => {
  const { status, headers } = await fetch(`${server.url}/ana/about`);
  expect(status).toBe(200);
  await server.waitForOutput(
    new RegExp(
      `INFO: Request: Answered .*"${headers.get('X-Request-Id')}".*"route":"/\\[username\\]/about"`,
    ),
  );
});

test('an error page shows the id by which the log names its request, and the log names its route', async () => {
  await queryDatabase(await sandbox.databaseUrl(), 'ALTER TABLE artists RENAME TO elsewhere');
  const response = await fetch(`${server.url}/bo/contact`);
  await queryDatabase(await sandbox.databaseUrl(), 'ALTER TABLE elsewhere RENAME TO artists');
  const id = response.headers.get('X-Request-Id') ?? '';
  expect(response.status).toBe(503);
  expect(await response.text()).toMatch(new RegExp(`this reference:\\s*<code[^>]*>${id}</code>`));
  await server.waitForOutput(
    new RegExp(`WARN: Request: Answered .*"${id}".*"route":"/\\[username\\]/contact"`),
  );
  expect(server.output()).toMatch(new RegExp(`ERROR: API: A call failed .*"${id}"`));
});

test('Astro prints no error of a page itself: it tells our log', async () => {
  const printed = ['error', 'warn', 'log'] as const;
  const spies = printed.map((name) => vi.spyOn(console, name).mockImplementation(() => {}));
  onTestFinished(() => void vi.restoreAllMocks());
  const logged: string[] = [];
  const settings = readSiteSettings(() => undefined, 'http://localhost');
  const site = await loadSite(join(inject('program'), 'dist/current'), settings, recordLog(logged));
  const errors: unknown[] = [];
  const response = await site.render(new Request('http://localhost/ana/about'), {
    settings,
    onRoute: () => {},
    onError: (error) => errors.push(error),
    // An artist without a studio, so that the page throws.
    connectDirectly: () => ({
      send: async () => JSON.parse('{"ok":true,"value":{"artist":{"username":"ana"},"images":[]}}'),
    }),
    requestId: 'request-1',
  });
  expect(response.status).toBe(500);
  expect(errors).toHaveLength(1);
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
  // The HTTP server logs what the page reported.
  expect(logged).toEqual([]);
});
