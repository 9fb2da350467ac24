import { expect, test } from 'vitest';
import type { CustomerEvent } from '#domain/subscription.ts';
import {
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

test('a stored event is read unchanged', async () => {
  const { database } = await openTestApp();
  const snapshot = { status: 'active', currentPeriodEnd: NOON, cancelAtPeriodEnd: false } as const;
  const event = createEvent({ data: { kind: 'updated', snapshot } });
  expect(await insertPaymentEvent(database, event)).toBe(true);
  expect(await findPaymentEvent(database, event.id)).toEqual(event);
  expect(await findPaymentEvent(database, 'evt_unknown')).toBeUndefined();
});

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

test('marking an event as handled again keeps the first time', async () => {
  const { database } = await openTestApp();
  const { id } = createEvent();
  const handledAt = async () =>
    (
      await database
        .selectFrom('payment_events')
        .select('handled_at')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).handled_at;
  await insertPaymentEvent(database, createEvent({ id }));
  expect(await handledAt()).toBeNull();
  await markPaymentEventHandled(database, id);
  const first = await handledAt();
  expect(first).toBeInstanceOf(Date);
  await markPaymentEventHandled(database, id);
  expect(await handledAt()).toEqual(first);
});
