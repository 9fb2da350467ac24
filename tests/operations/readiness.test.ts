import { createServer } from 'node:net';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '#server/database/connect.ts';
import { createReadiness } from '#server/operations/readiness.ts';
import { closeServer, listenOn } from '#support/free_port.ts';
import { recordLog } from '#support/recorded_log.ts';
import { openSilentPostgres } from '#support/silent_postgres.ts';
import { openTestApp } from '#support/test_app.ts';

function readinessOf(url: string, clock?: () => number) {
  const logged: string[] = [];
  const database = openDatabase(url, 1, { connectionTimeoutMillis: 3000 });
  onTestFinished(() => database.destroy());
  return { isReady: createReadiness({ database, log: recordLog(logged) }, clock), logged };
}

test('a server is ready while its database takes writes', async () => {
  const { isReady, logged } = readinessOf((await openTestApp()).databaseUrl);
  expect(await isReady()).toBe(true);
  expect(logged).toEqual([]);
});

test('a server is not ready while its database only reads, and the log says why', async () => {
  const app = await openTestApp({ database: 'own' });
  const setReadOnly = (value: string) =>
    sql`${sql.raw(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = ${value}', current_database()); END $$`)}`.execute(
      app.database,
    );
  await setReadOnly('on');
  try {
    const { isReady, logged } = readinessOf(app.databaseUrl);
    expect(await isReady()).toBe(false);
    expect(logged).toEqual([
      expect.stringContaining(
        'Health: A write failed (/readyz answers 503): error: cannot execute',
      ),
    ]);
  } finally {
    await sql`SET default_transaction_read_only = off`.execute(app.database);
    await setReadOnly('off');
  }
});

test('a server is not ready while its database is silent', async () => {
  const { isReady } = readinessOf(await openSilentPostgres());
  expect(await isReady()).toBe(false);
});

test('health checks within a second share one write', async () => {
  let now = 0;
  const connected = vi.fn();
  const server = createServer((socket) => {
    connected();
    socket.destroy();
  });
  const port = await listenOn(server);
  onTestFinished(() => closeServer(server));
  const { isReady } = readinessOf(`postgresql://nobody@127.0.0.1:${port}/nothing`, () => now);
  expect(await Promise.all([isReady(), isReady(), isReady()])).toEqual([false, false, false]);
  now = 999;
  await isReady();
  expect(connected).toHaveBeenCalledTimes(1);
  now = 1000;
  await isReady();
  expect(connected).toHaveBeenCalledTimes(2);
});
