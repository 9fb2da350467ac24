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
} from '#domain/subscription.ts';
import { HOUR_MS } from '#domain/time.ts';
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

function event(
  id: string,
  happenedAt: number,
  data: SubscriptionEventData,
): PaymentEvent<SubscriptionEventData> {
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

test('events add up to the same in every order', () => {
  for (const [events, status, failingSince] of [
    [[created, updated, deleted], 'canceled', null],
    [[created, paid, updated], 'active', null],
    [[created, paid, updated, failed, overdue], 'past_due', NOW + 2 * SECOND],
    [[created, paid, updated, failed, deleted], 'canceled', NOW + 2 * SECOND],
  ] as const)
    for (const order of permutations<PaymentEvent<SubscriptionEventData>>(events))
      expect(subscriptionFromEvents(order)).toEqual({ ...snapshot(status), failingSince });
});

test('events of the same second end where the subscription does, in every order', () => {
  const atOnce = [created, updated, paid, deleted].map((one) => ({ ...one, happenedAt: NOW }));
  for (const order of permutations(atOnce))
    expect(subscriptionFromEvents(order)).toEqual({ ...snapshot('canceled'), failingSince: null });
});

test('of a payment and a failure within one second the failure counts, in every order', () => {
  const atOnce = [created, updated, paid, failed].map((one) => ({ ...one, happenedAt: NOW }));
  const overdueToo = [created, paid, failed, overdue].map((one) => ({ ...one, happenedAt: NOW }));
  for (const order of permutations(atOnce))
    expect(subscriptionFromEvents(order)?.status).toBe('active');
  for (const order of permutations(overdueToo))
    expect(subscriptionFromEvents(order)).toEqual({ ...snapshot('past_due'), failingSince: NOW });
});

test('an older event never overwrites a newer state', () => {
  expect(subscriptionFromEvents([overdue, updated])?.status).toBe('past_due');
  expect(subscriptionFromEvents([overdue, created, paid])?.failingSince).toBe(NOW + 2 * SECOND);
});

test('nothing is known of a subscription while only its payments are', () => {
  expect(subscriptionFromEvents([paid])).toBeUndefined();
  expect(subscriptionFromEvents([failed])).toBeUndefined();
  expect(subscriptionFromEvents([])).toBeUndefined();
});

test('what has ended does not begin again', () => {
  const later = event('evt_7', NOW + DAY, { kind: 'updated', snapshot: snapshot('active') });
  expect(subscriptionFromEvents([created, deleted, later])?.status).toBe('canceled');
});

test('payments fail since the first one that did, until one is made', () => {
  const again = event('evt_8', NOW + DAY, { kind: 'payment_failed' });
  const made = event('evt_9', NOW + 2 * DAY, { kind: 'paid' });
  expect(subscriptionFromEvents([created, updated, failed, again])?.failingSince).toBe(
    NOW + 2 * SECOND,
  );
  expect(subscriptionFromEvents([created, updated, failed, again, made])?.failingSince).toBeNull();
});

test('what was looked up counts from then on', () => {
  const seen = { kind: 'observed', snapshot: snapshot('active') } as const;
  const observed = event('observed', NOW + DAY, seen);
  expect(subscriptionFromEvents([created, overdue, observed])).toEqual({
    ...snapshot('active'),
    failingSince: null,
  });
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

test("a subscription that is ended at the period's end takes bookings until then", () => {
  const ending = subscription({ cancelAtPeriodEnd: true });
  expect(bookingEligibilityAt([ending], SIGN_UP, NOW).kind).toBe('subscribed');
});

test('one whose first payment never came changes nothing', () => {
  for (const status of ['incomplete', 'incomplete_expired'] as const)
    for (const now of [SIGN_UP, NOW])
      expect(bookingEligibilityAt([subscription({ status })], SIGN_UP, now)).toEqual(
        bookingEligibilityAt([], SIGN_UP, now),
      );
});

test('of several subscriptions the best counts', () => {
  const ended = subscription({ status: 'canceled', currentPeriodEnd: NOW - DAY });
  const failing = subscription({ status: 'past_due', failingSince: NOW });
  const good = subscription();
  for (const order of permutations([ended, failing, good]))
    expect(bookingEligibilityAt(order, SIGN_UP, NOW)).toEqual({
      kind: 'subscribed',
      subscription: good,
    });
  for (const order of permutations([ended, failing]))
    expect(bookingEligibilityAt(order, SIGN_UP, NOW).kind).toBe('grace');
});

test('who cancels within the trial keeps what is left of it', () => {
  const ended = subscription({ status: 'canceled' });
  expect(bookingEligibilityAt([ended], SIGN_UP, SIGN_UP + DAY).kind).toBe('trial');
  expect(bookingEligibilityAt([ended], SIGN_UP, NOW)).toMatchObject({
    kind: 'ended',
    subscription: { status: 'canceled' },
  });
});

test('a trial and a grace end by themselves, and whoever pays or has ended stays so', () => {
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
