import { expect, test } from 'vitest';
import type { CustomerEvent } from '#domain/accounts/subscription.ts';
import { DAY_MS } from '#domain/time/time.ts';
import {
  deleteOldPaymentEvents,
  findPaymentEvent,
  insertPaymentEvent,
  listSubscriptionEvents,
  markPaymentEventHandled,
} from '#server/database/payment_events.ts';
import { NOON } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

function createEvent(changes: Partial<CustomerEvent> = {}): CustomerEvent {
  return {
    id: `evt_${crypto.randomUUID()}`,
    happenedAt: NOON,
    customer: 'cus_one',
    subscription: `sub_${crypto.randomUUID()}`,
    data: { kind: 'paid' },
    ...changes,
  };
}

test('an event that arrives twice is stored once, with its first data', async () => {
  const { database } = await openTestApp();
  const event = createEvent();
  await insertPaymentEvent(database, event);
  const repeated = { ...event, data: { kind: 'payment_failed' } as const };
  expect(await insertPaymentEvent(database, repeated)).toBe(false);
  expect(await findPaymentEvent(database, event.id)).toEqual(event);
});

test('the events of a subscription leave out other subscriptions and checkouts', async () => {
  const { database } = await openTestApp();
  const paid = createEvent();
  const { subscription } = paid;
  const checkout = createEvent({
    subscription,
    data: { kind: 'checkout_completed', artistId: null },
  });
  for (const event of [paid, checkout, createEvent()]) await insertPaymentEvent(database, event);
  expect(await listSubscriptionEvents(database, subscription ?? '')).toEqual([
    { id: paid.id, happenedAt: NOON, data: { kind: 'paid' } },
  ]);
});

test('old events are deleted only if the state of no subscription depends on them', async () => {
  const { database } = await openTestApp({ database: 'own' });
  const report = (status: 'active' | 'past_due' | 'canceled') =>
    ({
      kind: 'updated',
      snapshot: { status, currentPeriodEnd: null, cancelAtPeriodEnd: false },
    }) as const;
  const add = async (id: string, changes: Partial<CustomerEvent>) => {
    await insertPaymentEvent(database, createEvent({ id, ...changes }));
    if (id !== 'unhandled') await markPaymentEventHandled(database, id);
  };
  const checkout = { kind: 'checkout_completed', artistId: null } as const;
  await add('checkout', { data: checkout });
  await add('unhandled', { data: checkout });
  const later = NOON + DAY_MS;
  await add('paid 1', { subscription: 'paid', data: report('past_due') });
  await add('paid 2', { subscription: 'paid', data: report('active'), happenedAt: later });
  await add('owing 1', { subscription: 'owing', data: { kind: 'payment_failed' } });
  await add('owing 2', { subscription: 'owing', data: report('past_due'), happenedAt: later });
  await add('ended 1', { subscription: 'ended', data: report('past_due') });
  await add('ended 2', { subscription: 'ended', data: report('canceled'), happenedAt: later });
  expect(await deleteOldPaymentEvents(database, Date.now() - DAY_MS)).toBe(0);
  expect(await deleteOldPaymentEvents(database, Date.now() + DAY_MS)).toBe(3);
  const left = await database.selectFrom('payment_events').select('id').orderBy('id').execute();
  expect(left.map(({ id }) => id)).toEqual(
    ['ended 2', 'owing 1', 'owing 2', 'paid 2', 'unhandled'].toSorted(),
  );
});
