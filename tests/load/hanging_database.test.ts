import { expect, test } from 'vitest';
import { openDatabaseProxy } from '#support/database_proxy.ts';
import { openDemo } from '#support/sandbox.ts';

/** Each needs the database. */
const PATHS = ['/ana', '/api/v1/users/artist/ana', '/api/v1/services/ana/available'];

test('a server whose database hangs answers 503 while it hangs, and works again afterwards', async () => {
  await using sandbox = await openDemo();
  await sandbox.serve();
  const proxy = await openDatabaseProxy(await sandbox.databaseUrl());
  const beside = await sandbox.settingsBeside();
  const server = await sandbox.serve({ env: { ...beside, DATABASE_URL: proxy.url } });
  const ask = (path: string) => fetch(new URL(path, server.url), { redirect: 'manual' });
  expect((await ask('/readyz')).status).toBe(200);

  proxy.freeze();
  // These wait when the hang becomes known.
  const waiting = PATHS.map(ask);
  await server.waitForOutput(/The database hangs/);
  const later = ['/readyz', ...PATHS].map(ask);
  for (const answer of await Promise.all([...waiting, ...later])) {
    expect([answer.url, answer.status]).toEqual([answer.url, 503]);
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  }
  expect((await ask('/healthz')).status).toBe(200);
  // The first that failed is in the log. It was refused, or its connection was closed; it did not wait for
  // the end of its own query.
  expect(server.output()).toMatch(
    /\(answered 503\): (?:The database does not answer|Connection terminated)/,
  );

  proxy.thaw();
  await server.waitForOutput(/The database answers again/);
  await expect.poll(async () => (await ask('/readyz')).status, { timeout: 20_000 }).toBe(200);
  expect((await ask('/api/v1/users/artist/ana')).status).toBe(200);
});
