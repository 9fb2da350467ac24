import { expect, test } from 'vitest';
import { insertBillingStart } from '#server/database/subscriptions.ts';
import {
  type Difference,
  reconcileSubscriptions,
} from '#server/operations/payments/reconcile_subscriptions.ts';
import { type BilledTestApp, moveSignupBack, openBilledTestApp } from '#support/billed_test_app.ts';
import { openTestContext } from '#support/test_context.ts';

async function reconcile({ app, payments }: BilledTestApp): Promise<readonly Difference[]> {
  const { context } = await openTestContext({ database: app.database, payments });
  return reconcileSubscriptions(context);
}

test('differences from missed webhooks are found and resolved, and the next run finds none', async () => {
  const billed = await openBilledTestApp();
  const { app, provider } = billed;
  const [unknown, cancelled, failing, paid, deleted] = await Promise.all(
    Array.from({ length: 5 }, () => app.newArtist()),
  );
  if (!(unknown && cancelled && failing && paid && deleted)) throw new Error('Too few artists');
  for (const artist of [unknown, cancelled, failing, paid, deleted])
    await moveSignupBack(app, artist, 20);
  const [toCancel, toFail, toPay, toDelete] = [
    await billed.subscribe(cancelled),
    await billed.subscribe(failing),
    await billed.subscribe(paid),
    await billed.subscribe(deleted),
  ];
  await provider.failPayment(toPay.id);
  await app.runJobs();
  // From here on no webhook arrives.
  provider.setWebhook(undefined);
  const added = await billed.subscribe(unknown);
  await provider.cancelNow(toCancel.id);
  await provider.failPayment(toFail.id);
  await provider.pay(toPay.id);
  provider.deleteSubscription(toDelete.id);

  const found = await reconcile(billed);
  expect(found.map(({ isResolved }) => isResolved)).toEqual([true, true, true, true, true]);
  for (const { id } of [added, toCancel, toFail, toPay, toDelete])
    expect(found.filter(({ message }) => message.includes(id))).toHaveLength(1);
  expect(await reconcile(billed)).toEqual([]);
  for (const [artist, status, takes] of [
    [unknown, 'active', true],
    [cancelled, 'canceled', false],
    [failing, 'past_due', true],
    [paid, 'active', true],
    [deleted, 'canceled', false],
  ] as const)
    expect(await billed.loadSelf(artist)).toMatchObject({
      subscription: { status },
      taking_bookings: takes,
    });

  // Webhooks that arrive late change nothing.
  provider.setWebhook(billed.postWebhook);
  for (const event of provider.events) await provider.send(event);
  expect(await billed.loadSelf(unknown)).toMatchObject({ subscription: { status: 'active' } });
  expect((await reconcile(billed)).every(({ isResolved }) => isResolved)).toBe(true);
});

test('double payments, and payments of unknown customers, are reported and not resolved', async () => {
  const billed = await openBilledTestApp();
  const { app, provider } = billed;
  const artist = await app.newArtist();
  const first = await billed.subscribe(artist);
  const second = await provider.startSubscription(first.customer);
  const stranger = await provider.startSubscription('cus_stranger');
  await app.runJobs();
  const found = await reconcile(billed);
  expect(found.map(({ isResolved }) => isResolved)).toEqual([false, false]);
  const messages = found.map(({ message }) => message).join('\n');
  expect(messages).toContain(`${first.customer} pays for `);
  for (const { id } of [first, second, stranger]) expect(messages).toContain(id);
});

test('every page of a long list of subscriptions is read', async () => {
  const billed = await openBilledTestApp();
  const { app, provider } = billed;
  provider.setWebhook(undefined);
  const artist = await app.newArtist();
  await billed.subscribe(artist);
  for (let index = 0; index < 120; index += 1) {
    const { id } = await provider.startSubscription(`cus_${index}`);
    await provider.cancelNow(id);
  }
  const found = await reconcile(billed);
  expect(found.filter(({ isResolved }) => isResolved)).toHaveLength(121);
});

test('billing keeps its first start date', async () => {
  const { app } = await openBilledTestApp();
  const read = () => app.database.selectFrom('billing').select('since').executeTakeFirstOrThrow();
  const { since } = await read();
  await insertBillingStart(app.database);
  expect(await read()).toEqual({ since });
});
