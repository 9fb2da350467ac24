import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSandbox, queryDatabase, type RunningServer, type Sandbox } from '#support/sandbox.ts';

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
