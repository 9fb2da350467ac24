import { expect, test } from 'vitest';
import {
  bookingEligibilityAt,
  canTakeBookings,
  eligibilityValidUntil,
  GRACE_MS,
  type PaymentEvent,
  type Subscription,
  type SubscriptionEventData,
  type SubscriptionSnapshot,
  type SubscriptionStatus,
  subscriptionFromEvents,
  TRIAL_MS,
} from '#domain/accounts/subscription.ts';
import { HOUR_MS } from '#domain/time/time.ts';
import { permutations } from '#support/permutations.ts';

const DAY = 24 * HOUR_MS;
const SIGN_UP = Date.parse('2026-11-01T12:00:00Z');
const NOW = Date.parse('2026-12-01T12:00:00Z');
const SECOND = 1000;

function snapshot(
  status: SubscriptionStatus,
  changes: Partial<SubscriptionSnapshot> = {},
): SubscriptionSnapshot {
  return { status, currentPeriodEnd: NOW + 20 * DAY, cancelAtPeriodEnd: false, ...changes };
}

type TestEvent = PaymentEvent<SubscriptionEventData>;

function event(id: string, happenedAt: number, data: SubscriptionEventData): TestEvent {
  return { id, happenedAt, data };
}

const created = event('evt_1', NOW, { kind: 'created', snapshot: snapshot('incomplete') });
const paid = event('evt_2', NOW + SECOND, { kind: 'paid' });
const updated = event('evt_3', NOW + SECOND, { kind: 'updated', snapshot: snapshot('active') });
const failed = event('evt_4', NOW + 2 * SECOND, { kind: 'payment_failed' });
const overdue = event('evt_5', NOW + 2 * SECOND, {
  kind: 'updated',
  snapshot: snapshot('past_due'),
});
const deleted = event('evt_6', NOW + 3 * SECOND, {
  kind: 'deleted',
  snapshot: snapshot('canceled'),
});

function subscription(changes: Partial<Subscription> = {}): Subscription {
  return { ...snapshot('active'), failingSince: null, ...changes };
}

test('the state is the same for every order of the events', () => {
  for (const [events, status, failingSince] of [
    [[created, updated, deleted], 'canceled', null],
    [[created, paid, updated], 'active', null],
    [[created, paid, updated, failed, overdue], 'past_due', NOW + 2 * SECOND],
    [[created, paid, updated, failed, deleted], 'canceled', NOW + 2 * SECOND],
  ] as const)
    for (const order of permutations<TestEvent>(events))
      expect(subscriptionFromEvents(order)).toEqual({ ...snapshot(status), failingSince });
});

test.each<[string, readonly TestEvent[], SubscriptionStatus, number | null]>([
  ['a deletion is the last', [created, updated, paid, deleted], 'canceled', null],
  ['a payment failed if it failed too', [created, updated, paid, failed], 'active', null],
  ['it is overdue then', [created, paid, failed, overdue], 'past_due', NOW],
])('of several events within one second, %s, in every order', (_, events, status, failingSince) => {
  const sameSecond = events.map((other) => ({ ...other, happenedAt: NOW }));
  for (const order of permutations(sameSecond))
    expect(subscriptionFromEvents(order)).toEqual({ ...snapshot(status), failingSince });
});

test('an older event never overwrites a newer state', () => {
  expect(subscriptionFromEvents([overdue, updated])?.status).toBe('past_due');
  expect(subscriptionFromEvents([overdue, created, paid])?.failingSince).toBe(NOW + 2 * SECOND);
});

test('payments alone are not enough for a state', () => {
  for (const events of [[paid], [failed], []])
    expect(subscriptionFromEvents(events)).toBeUndefined();
});

test('a cancelled subscription never becomes active again', () => {
  const later = event('evt_7', NOW + DAY, { kind: 'updated', snapshot: snapshot('active') });
  expect(subscriptionFromEvents([created, deleted, later])?.status).toBe('canceled');
});

test('failingSince is the first failure, until a payment succeeds', () => {
  const failedAgain = event('evt_8', NOW + DAY, { kind: 'payment_failed' });
  const succeeded = event('evt_9', NOW + 2 * DAY, { kind: 'paid' });
  expect(subscriptionFromEvents([created, updated, failed, failedAgain])?.failingSince).toBe(
    NOW + 2 * SECOND,
  );
  expect(
    subscriptionFromEvents([created, updated, failed, failedAgain, succeeded])?.failingSince,
  ).toBeNull();
});

test('an overdue subscription stays so until the provider reports another status', () => {
  const succeeded = event('evt_9', NOW + DAY, { kind: 'paid' });
  expect(subscriptionFromEvents([created, overdue, succeeded])).toEqual({
    ...snapshot('past_due'),
    failingSince: NOW + 2 * SECOND,
  });
  const active = event('evt_10', NOW + 2 * DAY, { kind: 'updated', snapshot: snapshot('active') });
  expect(subscriptionFromEvents([created, overdue, succeeded, active])?.failingSince).toBeNull();
});

test('an observed state replaces the older events', () => {
  const data = { kind: 'observed', snapshot: snapshot('active') } as const;
  const state = subscriptionFromEvents([created, overdue, event('observed', NOW + DAY, data)]);
  expect(state).toEqual({ ...snapshot('active'), failingSince: null });
});

test('the trial lasts 14 days from sign-up, to the millisecond', () => {
  const end = SIGN_UP + TRIAL_MS;
  expect(end - SIGN_UP).toBe(14 * DAY);
  expect(bookingEligibilityAt([], SIGN_UP, end - 1)).toEqual({ kind: 'trial', until: end });
  expect(bookingEligibilityAt([], SIGN_UP, end)).toEqual({
    kind: 'ended',
    subscription: null,
    since: end,
  });
});

test('bookings stay open for three days after a payment failed, to the millisecond', () => {
  const failing = subscription({ status: 'past_due', failingSince: NOW });
  expect(GRACE_MS).toBe(3 * DAY);
  const grace = bookingEligibilityAt([failing], SIGN_UP, NOW + GRACE_MS - 1);
  expect(grace).toEqual({ kind: 'grace', subscription: failing, until: NOW + GRACE_MS });
  expect(canTakeBookings(grace)).toBe(true);
  const ended = bookingEligibilityAt([failing], SIGN_UP, NOW + GRACE_MS);
  expect(ended).toEqual({ kind: 'ended', subscription: failing, since: NOW + GRACE_MS });
  expect(canTakeBookings(ended)).toBe(false);
});

test('a subscription without its first payment is ignored', () => {
  for (const status of ['incomplete', 'incomplete_expired'] as const)
    for (const now of [SIGN_UP, NOW])
      expect(bookingEligibilityAt([subscription({ status })], SIGN_UP, now)).toEqual(
        bookingEligibilityAt([], SIGN_UP, now),
      );
});

test('the best of several subscriptions counts', () => {
  const ended = subscription({ status: 'canceled', currentPeriodEnd: NOW - DAY });
  const failing = subscription({ status: 'past_due', failingSince: NOW });
  const active = subscription();
  for (const order of permutations([ended, failing, active]))
    expect(bookingEligibilityAt(order, SIGN_UP, NOW)).toEqual({
      kind: 'subscribed',
      subscription: active,
    });
  for (const order of permutations([ended, failing]))
    expect(bookingEligibilityAt(order, SIGN_UP, NOW).kind).toBe('grace');
});

test('of several subscriptions without bookings, one that can go on is shown before an ended one', () => {
  const ended = subscription({ status: 'canceled', currentPeriodEnd: NOW });
  for (const status of ['paused', 'past_due', 'unpaid'] as const) {
    const stopped = subscription({
      status,
      currentPeriodEnd: NOW - 9 * DAY,
      failingSince: status === 'paused' ? null : NOW - 9 * DAY,
    });
    for (const order of permutations([ended, stopped]))
      expect(bookingEligibilityAt(order, SIGN_UP, NOW)).toMatchObject({ subscription: stopped });
  }
});

test('an artist who cancels within the trial keeps the rest of the trial', () => {
  const ended = subscription({ status: 'canceled' });
  expect(bookingEligibilityAt([ended], SIGN_UP, SIGN_UP + DAY).kind).toBe('trial');
  expect(bookingEligibilityAt([ended], SIGN_UP, NOW)).toMatchObject({
    kind: 'ended',
    subscription: { status: 'canceled' },
  });
});

test('only a trial and a grace period end without an event', () => {
  const trial = bookingEligibilityAt([], NOW, NOW);
  expect(eligibilityValidUntil(trial)).toBe(NOW + TRIAL_MS);
  const failing = { ...snapshot('past_due'), failingSince: NOW - DAY };
  expect(eligibilityValidUntil(bookingEligibilityAt([failing], SIGN_UP, NOW))).toBe(
    NOW - DAY + GRACE_MS,
  );
  const paying = { ...snapshot('active'), failingSince: null };
  expect(eligibilityValidUntil(bookingEligibilityAt([paying], SIGN_UP, NOW))).toBeNull();
  expect(eligibilityValidUntil(bookingEligibilityAt([], SIGN_UP, NOW + TRIAL_MS))).toBeNull();
  expect(eligibilityValidUntil({ kind: 'free' })).toBeNull();
});
