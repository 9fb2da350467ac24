import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { RateLimited } from '#domain/refusal.ts';
import { type Database, openDatabase } from '#server/database/connect.ts';
import { limitEvent } from '#server/operations/limits.ts';
import { openTestApp } from '#support/test_app.ts';

const openLimits = (database: Database) => ({
  ...{ database, hasLimitsPerTime: true, refusedEvents: new Map<string, number>() },
});

test('two processes share one limit of each key: together they allow no more than one alone', async () => {
  const app = await openTestApp({ database: 'own' });
  const second = await app.openSecondServer();
  const servers = [openLimits(app.database), openLimits(second.database)] as const;
  const ask = (artist: string, nth = 0) => {
    return limitEvent(servers[nth % 2] ?? servers[0], ['prove_email'], { artist }).catch(
      (error: unknown) => error,
    );
  };
  const results = await Promise.all(Array.from({ length: 12 }, (_, nth) => ask('rosa', nth)));
  expect(results.filter((refused) => refused === undefined)).toHaveLength(5);
  const refused = results.find((result) => result instanceof RateLimited);
  expect(refused).toMatchObject({ reason: 'too_many_proof_mails' });
  expect(refused?.retryAfterSeconds).toBeGreaterThan(3500);
  expect(await ask('lena')).toBe(undefined);
  // A flood does not reach the database.
  expect(await ask('rosa')).toBeInstanceOf(RateLimited);
  const lock = sql`LOCK TABLE rate_limits IN ACCESS EXCLUSIVE MODE`;
  await app.database.transaction().execute(async (transaction) => {
    await lock.execute(transaction);
    expect(await ask('rosa')).toBeInstanceOf(RateLimited);
  });
});

test('while the database is away, calls that cause mail are refused and others are allowed', async () => {
  const context = openLimits(openDatabase('postgres://nobody@127.0.0.1:1/none'));
  const call = (name: Parameters<typeof limitEvent>[1][number] & `calls_${string}`) =>
    limitEvent(context, [name], { network: '192.0.2.1' });
  for (const name of ['calls_login', 'calls_upload', 'calls_signup_check'] as const)
    await call(name);
  for (const name of [
    ...(['calls_request', 'calls_contact', 'calls_signup', 'calls_recovery'] as const),
    'calls_mail',
  ] as const)
    await expect(call(name)).rejects.toThrow('ECONNREFUSED');
});
