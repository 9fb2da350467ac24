import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { rememberBilling } from '#server/database/subscriptions.ts';
import { type BilledStudio, daysAfterSignup, openBilledStudio } from '#support/billed_studio.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** What `npm run reconcile` says, and how it ends. */
async function reconcile(
  { studio, provider }: BilledStudio,
  env: Readonly<Record<string, string>> = provider.env,
): Promise<{ code: unknown; said: string }> {
  const options = {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: studio.databaseUrl,
      SECRET_KEY: 'a secret that only tests know',
      ...env,
    },
  };
  return run(process.execPath, ['scripts/reconcile.ts'], options).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, said: stdout + stderr }),
  );
}

test('what is the same is left alone', async () => {
  const billed = await openBilledStudio();
  const artist = await billed.studio.artist();
  await billed.subscribe(artist);
  await billed.me(artist);
  expect(await reconcile(billed)).toEqual({ code: 0, said: '0 differences found, 0 mended.\n' });
  const events = billed.studio.database.selectFrom('payment_events').selectAll();
  expect(await events.execute()).toHaveLength(billed.provider.events.length);
});

test('what was not told is found and mended, and then all is the same', async () => {
  const billed = await openBilledStudio();
  const { studio, provider } = billed;
  const [unknown, cancelled, failing, paid, gone] = await Promise.all(
    Array.from({ length: 5 }, () => studio.artist()),
  );
  if (!(unknown && cancelled && failing && paid && gone)) throw new Error('Too few artists');
  for (const artist of [unknown, cancelled, failing, paid, gone])
    await daysAfterSignup(studio, artist, 20);
  const [toCancel, toFail, toPay, toGo] = [
    await billed.subscribe(cancelled),
    await billed.subscribe(failing),
    await billed.subscribe(paid),
    await billed.subscribe(gone),
  ];
  await provider.failPayment(toPay.id);
  await studio.work();
  // From here on nothing is heard of it.
  provider.tell(undefined);
  const added = await billed.subscribe(unknown);
  await provider.cancelNow(toCancel.id);
  await provider.failPayment(toFail.id);
  await provider.pay(toPay.id);
  provider.forget(toGo.id);

  const first = await reconcile(billed);
  expect(first).toMatchObject({
    code: 0,
    said: expect.stringMatching(/^5 differences found, 5 mended\.$/m),
  });
  for (const { id } of [added, toCancel, toFail, toPay, toGo]) expect(first.said).toContain(id);
  expect(await reconcile(billed)).toEqual({ code: 0, said: '0 differences found, 0 mended.\n' });
  for (const [artist, status, takes] of [
    [unknown, 'active', true],
    [cancelled, 'canceled', false],
    [failing, 'past_due', true],
    [paid, 'active', true],
    [gone, 'canceled', false],
  ] as const)
    expect(await billed.me(artist)).toMatchObject({
      subscription: { status },
      taking_bookings: takes,
    });

  // What is told late changes nothing any more.
  provider.tell(billed.post);
  for (const event of provider.events) await provider.send(event);
  expect(await billed.me(unknown)).toMatchObject({ subscription: { status: 'active' } });
  expect(await reconcile(billed)).toMatchObject({ code: 0 });
});

test('who pays twice, and who pays and is no artist, is left to a person', async () => {
  const billed = await openBilledStudio();
  const { studio, provider } = billed;
  const artist = await studio.artist();
  const first = await billed.subscribe(artist);
  const second = await provider.begin(first.customer);
  const stranger = await provider.begin('cus_stranger');
  await studio.work();
  const { code, said } = await reconcile(billed);
  expect(code).toBe(1);
  expect(said).toContain(`${first.customer} pays for `);
  for (const { id } of [first, second, stranger]) expect(said).toContain(id);
  expect(said).toMatch(/^2 differences found, 0 mended\.$/m);
});

test('it goes through every page of a long list', async () => {
  const billed = await openBilledStudio();
  const { studio, provider } = billed;
  provider.tell(undefined);
  const artist = await studio.artist();
  await billed.subscribe(artist);
  for (let one = 0; one < 120; one += 1) {
    const { id } = await provider.begin(`cus_${one}`);
    await provider.cancelNow(id);
  }
  expect((await reconcile(billed)).said).toMatch(/^121 differences found, 121 mended\.$/m);
});

test('what stands in the way is told in words, and no secret', async () => {
  const billed = await openBilledStudio();
  const off = await reconcile(billed, {});
  expect(off).toMatchObject({ code: 1, said: expect.stringContaining('Billing is off') });
  billed.provider.be('failing');
  const away = await reconcile(billed);
  expect(away).toMatchObject({
    code: 1,
    said: expect.stringContaining('The card provider cannot be reached right now.'),
  });
  expect(away.said).not.toContain(billed.provider.account.secretKey);
  billed.provider.be('well');
  const unknown = await reconcile(billed, {
    ...billed.provider.env,
    STRIPE_SECRET_KEY: 'sk_test_of_someone_else',
  });
  expect(unknown).toMatchObject({
    code: 1,
    said: expect.stringContaining('The card provider cannot be reached right now.'),
  });
  expect(unknown.said).not.toContain('sk_test_of_someone_else');
});

test('billing is on from the first time on', async () => {
  const { studio } = await openBilledStudio();
  const read = () =>
    studio.database.selectFrom('billing').select('since').executeTakeFirstOrThrow();
  const { since } = await read();
  await rememberBilling(studio.database);
  expect(await read()).toEqual({ since });
});
