import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { RateLimited } from '#domain/refusal.ts';
import { type Database, openDatabase } from '#server/database/connect.ts';
import { isWithinLimits, limitEvent } from '#server/operations/limits.ts';
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

test('a /48 of IPv6 is allowed the events of four of its networks; a refused event counts nowhere', async () => {
  const context = openLimits((await openTestApp({ database: 'own' })).database);
  const ask = (part: number) =>
    isWithinLimits(context, ['links_network'], {
      network: `2001:db8:1:${part}00::/56`,
    });
  const askOften = async (part: number, times: number) => {
    let allowed = 0;
    for (let n = 0; n < times; n += 1) if (await ask(part)) allowed += 1;
    return allowed;
  };
  // One network alone does not use up what the others have.
  expect(await askOften(1, 100)).toBe(20);
  expect(await askOften(2, 21)).toBe(20);
  for (const part of [3, 4]) expect(await askOften(part, 20)).toBe(20);
  expect(await askOften(5, 1)).toBe(0);
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
