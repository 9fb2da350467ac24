import { expect, test } from 'vitest';
import { insertBillingStart } from '#server/database/subscriptions.ts';
import {
  type Difference,
  reconcileSubscriptions,
} from '#server/operations/reconcile_subscriptions.ts';
import { type BilledTestApp, moveSignupBack, openBilledTestApp } from '#support/billed_test_app.ts';
import { openTestContext } from '#support/test_context.ts';

/** Compares the subscriptions of a studio with those of its card provider. */
async function compare({ app, payments }: BilledTestApp): Promise<readonly Difference[]> {
  const { context } = await openTestContext({ database: app.database, payments });
  return reconcileSubscriptions(context);
}

test('what is the same is left alone', async () => {
  const billed = await openBilledTestApp();
  const artist = await billed.app.newArtist();
  await billed.subscribe(artist);
  await billed.loadSelf(artist);
  expect(await compare(billed)).toEqual([]);
  const events = billed.app.database.selectFrom('payment_events').selectAll();
  expect(await events.execute()).toHaveLength(billed.provider.events.length);
});

test('what was not told is found and mended, and then all is the same', async () => {
  const billed = await openBilledTestApp();
  const { app, provider } = billed;
  const [unknown, cancelled, failing, paid, gone] = await Promise.all(
    Array.from({ length: 5 }, () => app.newArtist()),
  );
  if (!(unknown && cancelled && failing && paid && gone)) throw new Error('Too few artists');
  for (const artist of [unknown, cancelled, failing, paid, gone])
    await moveSignupBack(app, artist, 20);
  const [toCancel, toFail, toPay, toGo] = [
    await billed.subscribe(cancelled),
    await billed.subscribe(failing),
    await billed.subscribe(paid),
    await billed.subscribe(gone),
  ];
  await provider.failPayment(toPay.id);
  await app.runJobs();
  // From here on nothing is heard of it.
  provider.tell(undefined);
  const added = await billed.subscribe(unknown);
  await provider.cancelNow(toCancel.id);
  await provider.failPayment(toFail.id);
  await provider.pay(toPay.id);
  provider.forget(toGo.id);

  const found = await compare(billed);
  expect(found.map(({ isResolved: isMended }) => isMended)).toEqual([true, true, true, true, true]);
  for (const { id } of [added, toCancel, toFail, toPay, toGo])
    expect(found.filter(({ message: what }) => what.includes(id))).toHaveLength(1);
  expect(await compare(billed)).toEqual([]);
  for (const [artist, status, takes] of [
    [unknown, 'active', true],
    [cancelled, 'canceled', false],
    [failing, 'past_due', true],
    [paid, 'active', true],
    [gone, 'canceled', false],
  ] as const)
    expect(await billed.loadSelf(artist)).toMatchObject({
      subscription: { status },
      taking_bookings: takes,
    });

  // What is told late changes nothing any more.
  provider.tell(billed.postWebhook);
  for (const event of provider.events) await provider.send(event);
  expect(await billed.loadSelf(unknown)).toMatchObject({ subscription: { status: 'active' } });
  expect((await compare(billed)).every(({ isResolved: isMended }) => isMended)).toBe(true);
});

test('who pays twice, and who pays and is no artist, is left to a person', async () => {
  const billed = await openBilledTestApp();
  const { app, provider } = billed;
  const artist = await app.newArtist();
  const first = await billed.subscribe(artist);
  const second = await provider.begin(first.customer);
  const stranger = await provider.begin('cus_stranger');
  await app.runJobs();
  const found = await compare(billed);
  expect(found.map(({ isResolved: isMended }) => isMended)).toEqual([false, false]);
  const said = found.map(({ message: what }) => what).join('\n');
  expect(said).toContain(`${first.customer} pays for `);
  for (const { id } of [first, second, stranger]) expect(said).toContain(id);
});

test('it goes through every page of a long list', async () => {
  const billed = await openBilledTestApp();
  const { app, provider } = billed;
  provider.tell(undefined);
  const artist = await app.newArtist();
  await billed.subscribe(artist);
  for (let one = 0; one < 120; one += 1) {
    const { id } = await provider.begin(`cus_${one}`);
    await provider.cancelNow(id);
  }
  const found = await compare(billed);
  expect(found.filter(({ isResolved: isMended }) => isMended)).toHaveLength(121);
});

test('billing is on from the first time on', async () => {
  const { app } = await openBilledTestApp();
  const read = () => app.database.selectFrom('billing').select('since').executeTakeFirstOrThrow();
  const { since } = await read();
  await insertBillingStart(app.database);
  expect(await read()).toEqual({ since });
});
