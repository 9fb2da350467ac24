import { expect, test } from 'vitest';
import {
  type CustomerEvent,
  findPaymentEvent,
  insertPaymentEvent,
  listSubscriptionEvents,
  markPaymentEventHandled,
} from '#server/database/payment_events.ts';
import { NOON } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

function eventOf(context: Partial<CustomerEvent> = {}): CustomerEvent {
  return {
    id: `evt_${crypto.randomUUID()}`,
    happenedAt: NOON,
    customer: 'cus_one',
    subscription: `sub_${crypto.randomUUID()}`,
    data: { kind: 'paid' },
    ...context,
  };
}

test('an event is read as it was stored', async () => {
  const { database } = await openTestApp();
  const snapshot = { status: 'active', currentPeriodEnd: NOON, cancelAtPeriodEnd: false } as const;
  const event = eventOf({ data: { kind: 'updated', snapshot } });
  expect(await insertPaymentEvent(database, event)).toBe(true);
  expect(await findPaymentEvent(database, event.id)).toEqual(event);
  expect(await findPaymentEvent(database, 'evt_unknown')).toBeUndefined();
});

test('an event that arrives twice is stored once, as it came first', async () => {
  const { database } = await openTestApp();
  const event = eventOf();
  await insertPaymentEvent(database, event);
  const again = { ...event, data: { kind: 'payment_failed' } as const };
  expect(await insertPaymentEvent(database, again)).toBe(false);
  expect(await findPaymentEvent(database, event.id)).toEqual(event);
});

test('the events of a subscription are its own, without the checkout that began it', async () => {
  const { database } = await openTestApp();
  const paid = eventOf();
  const { subscription } = paid;
  const checkout = eventOf({ subscription, data: { kind: 'checkout_completed', artistId: null } });
  for (const event of [paid, checkout, eventOf()]) await insertPaymentEvent(database, event);
  expect(await listSubscriptionEvents(database, subscription ?? '')).toEqual([
    { id: paid.id, happenedAt: NOON, data: { kind: 'paid' } },
  ]);
});

test('an event is marked as handled once, with the first time', async () => {
  const { database } = await openTestApp();
  const { id } = eventOf();
  const handledAt = async () =>
    (
      await database
        .selectFrom('payment_events')
        .select('handled_at')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).handled_at;
  await insertPaymentEvent(database, eventOf({ id }));
  expect(await handledAt()).toBeNull();
  await markPaymentEventHandled(database, id);
  const first = await handledAt();
  expect(first).toBeInstanceOf(Date);
  await markPaymentEventHandled(database, id);
  expect(await handledAt()).toEqual(first);
});
