import { expect, onTestFinished, test } from 'vitest';
import { isDatabaseUnavailable, openPool } from '#server/database/connect.ts';
import { DatabaseNotAnswering, guardPool } from '#server/database/database_guard.ts';
import { openTestApp } from '#support/test_app.ts';

async function openGuardedPool(maxConnections: number, clock?: () => number) {
  const { databaseUrl } = await openTestApp();
  const pool = openPool(databaseUrl, maxConnections);
  onTestFinished(() => pool.end());
  return { pool, guard: guardPool(pool, clock) };
}

/** Resolves with the error of a promise that rejects. */
function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test('while the database hangs, work is refused at once, also work that waits for a connection', async () => {
  const { guard } = await openGuardedPool(1);
  const client = await guard.connect();
  const waiting = errorOf(guard.connect());
  guard.refuseWork();
  expect(await waiting).toBeInstanceOf(DatabaseNotAnswering);
  expect(await errorOf(guard.connect())).toBeInstanceOf(DatabaseNotAnswering);
  expect(isDatabaseUnavailable(await waiting)).toBe(true);
  client.release();
});

test('a query that runs when the database begins to hang fails at once, as one of a database that is unavailable', async () => {
  const { guard } = await openGuardedPool(2);
  const [busy, pausing] = [await guard.connect(), await guard.connect()];
  const query = errorOf(busy.query('SELECT pg_sleep(60)'));
  guard.refuseWork();
  expect(isDatabaseUnavailable(await query)).toBe(true);
  // The next statement of a transaction.
  expect(isDatabaseUnavailable(await errorOf(pausing.query('SELECT 1')))).toBe(true);
  busy.release();
  pausing.release();
});

test('when the database answers again, work gets a connection that works', async () => {
  const { guard } = await openGuardedPool(1);
  const before = await guard.connect();
  guard.refuseWork();
  before.release();
  guard.acceptWork();
  const client = await guard.connect();
  expect(await errorOf(client.query('SELECT 1'))).toBeUndefined();
  client.release();
});

test('a connection that comes after its work was refused goes to other work', async () => {
  const { pool, guard } = await openGuardedPool(1);
  // Not through the guard, which would close it.
  const first = await pool.connect();
  const refused = errorOf(guard.connect());
  guard.refuseWork();
  await refused;
  guard.acceptWork();
  const next = guard.connect();
  first.release();
  (await next).release();
  expect(pool.waitingCount).toBe(0);
});

test('nobody joins a queue whose first has waited longer than five seconds; who waits already is served', async () => {
  let now = 0;
  const { guard } = await openGuardedPool(1, () => now);
  const client = await guard.connect();
  const first = guard.connect();
  now = 5000;
  const second = guard.connect();
  now = 5001;
  expect(await errorOf(guard.connect())).toBeInstanceOf(DatabaseNotAnswering);
  client.release();
  (await first).release();
  // The second has not waited long, so that others may wait behind it.
  const third = guard.connect();
  (await second).release();
  (await third).release();
});
