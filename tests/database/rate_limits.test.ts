import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '#server/database/connect.ts';
import { countOfNetwork, createEventCounter } from '#server/database/rate_limits.ts';
import { createRateLimits } from '#server/rate_limit.ts';
import { openTestApp } from '#support/test_app.ts';

const LIMIT = { name: 'test', points: 3, seconds: 60 };

test('two processes share one limit of each key: together they allow no more than one alone', async () => {
  const { database } = await openTestApp({ database: 'own' });
  const processes = [createEventCounter(database), createEventCounter(database)];
  const results = await Promise.all(
    Array.from({ length: 10 }, (_, n) => processes[n % 2]?.(LIMIT, 'rosa')),
  );
  expect(results.filter((result) => result?.isAllowed)).toHaveLength(3);
  const refused = results.find((result) => !result?.isAllowed);
  // The calls may have come a second after the first.
  expect(refused).toEqual({ isAllowed: false, retryAfterSeconds: expect.any(Number) });
  expect(await processes[0]?.(LIMIT, 'lena')).toEqual({ isAllowed: true });
});

test('a /48 of IPv6 is allowed the events of four of its networks', async () => {
  const countEvent = createEventCounter((await openTestApp({ database: 'own' })).database);
  const allowed = [];
  for (let n = 0; n < 20; n += 1) {
    const result = await countOfNetwork(countEvent, LIMIT, `2001:db8:1:${1 + (n % 5)}00::/56`);
    allowed.push(result.isAllowed);
  }
  expect(allowed).toEqual([...Array(12).fill(true), ...Array(8).fill(false)]);
});

test('while the database is away, calls that cause mail are refused and others are allowed', async () => {
  const database = openDatabase('postgres://nobody@127.0.0.1:1/none');
  const { consumeRateLimit } = createRateLimits(true, createEventCounter(database));
  await expect(sql`SELECT 1`.execute(database)).rejects.toThrow('ECONNREFUSED');
  await consumeRateLimit('login', '192.0.2.1');
  await consumeRateLimit('upload', '192.0.2.1');
  await consumeRateLimit('signup_check', '192.0.2.1');
  for (const limit of ['request', 'contact', 'signup', 'recovery', 'mail'] as const)
    await expect(consumeRateLimit(limit, '192.0.2.1')).rejects.toThrow('ECONNREFUSED');
});
