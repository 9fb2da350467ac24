import { expect, test } from 'vitest';
import { GRACE_MS, TRIAL_MS } from '#domain/subscription.ts';
import { HOUR_MS, toRfc3339 } from '#domain/time.ts';
import { linkCustomer, upsertSubscription } from '#server/database/subscriptions.ts';
import {
  isTakingBookings,
  loadBookingEligibilities,
  loadBookingEligibility,
  toSubscription,
} from '#server/operations/booking_eligibility.ts';
import type { PaymentProvider } from '#server/payments/payment_provider.ts';
import { addArtist } from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

/** Billing is on; eligibility never needs a call to the payment provider. */
const fail = () => {
  throw new Error('The payment provider was called');
};
const PROVIDER: PaymentProvider = {
  createCustomer: fail,
  hasCustomer: fail,
  openCheckout: fail,
  expireCheckout: fail,
  openPortal: fail,
  parseWebhook: fail,
  findSubscription: fail,
  listSubscriptions: fail,
  cancelSubscriptions: fail,
};
const NOW = Math.floor(Date.now() / 60_000) * 60_000;

async function setUp(signedUp = NOW) {
  const { context } = await openTestContext({ payments: PROVIDER });
  const artist = await addArtist(context.database, { created_at: new Date(signedUp) });
  const loadSubscription = async (now = NOW) =>
    toSubscription(await loadBookingEligibility(context, artist.id, now));
  const subscribe = async (changes: Partial<Parameters<typeof upsertSubscription>[1]> = {}) => {
    const customer = `cus_${crypto.randomUUID()}`;
    await linkCustomer(context.database, artist.id, customer);
    await upsertSubscription(context.database, {
      id: `sub_${crypto.randomUUID()}`,
      customer,
      status: 'active',
      currentPeriodEnd: NOW + 720 * HOUR_MS,
      cancelAtPeriodEnd: false,
      failingSince: null,
      ...changes,
    });
  };
  return { context, artist, loadSubscription, subscribe };
}

test('while billing is off, artists take bookings and have no subscription', async () => {
  const { context, artist } = await setUp(NOW - 2 * TRIAL_MS);
  const off = { ...context, payments: undefined };
  const eligibility = await loadBookingEligibility(off, artist.id, NOW);
  expect([eligibility, toSubscription(eligibility)]).toEqual([{ kind: 'free' }, null]);
  expect(await isTakingBookings(off, artist.id, NOW)).toBe(true);
});

test('a trial lasts 14 days from sign-up, and then bookings are closed', async () => {
  const { context, artist, loadSubscription } = await setUp();
  const end = NOW + TRIAL_MS;
  expect(await loadSubscription()).toEqual({
    status: 'trialing',
    current_period_end: toRfc3339(end),
    cancel_at_period_end: false,
    is_trial: true,
    grace_until: null,
  });
  expect(await isTakingBookings(context, artist.id, end - 1)).toBe(true);
  expect(await isTakingBookings(context, artist.id, end)).toBe(false);
  expect(await loadSubscription(end)).toMatchObject({ status: 'canceled', is_trial: true });
});

test('an active subscription shows its period end and pending cancellation', async () => {
  const { context, artist, loadSubscription, subscribe } = await setUp(NOW - 2 * TRIAL_MS);
  await subscribe({ cancelAtPeriodEnd: true });
  expect(await loadSubscription()).toEqual({
    status: 'active',
    current_period_end: toRfc3339(NOW + 720 * HOUR_MS),
    cancel_at_period_end: true,
    is_trial: false,
    grace_until: null,
  });
  expect(await isTakingBookings(context, artist.id, NOW)).toBe(true);
});

test('after a failed payment bookings stay open for three days', async () => {
  const { context, artist, loadSubscription, subscribe } = await setUp(NOW - 2 * TRIAL_MS);
  await subscribe({ status: 'past_due', failingSince: NOW });
  expect(await loadSubscription()).toMatchObject({ grace_until: toRfc3339(NOW + GRACE_MS) });
  expect(await isTakingBookings(context, artist.id, NOW + GRACE_MS - 1)).toBe(true);
  expect(await isTakingBookings(context, artist.id, NOW + GRACE_MS)).toBe(false);
  expect(await loadSubscription(NOW + GRACE_MS)).toMatchObject({
    status: 'past_due',
    grace_until: null,
  });
});

test('the eligibility of several artists is loaded together', async () => {
  const { context, artist, subscribe } = await setUp(NOW - 2 * TRIAL_MS);
  await subscribe();
  const other = await addArtist(context.database);
  const eligibilities = await loadBookingEligibilities(context, [artist.id, other.id], Date.now());
  expect(eligibilities.get(artist.id)?.kind).toBe('subscribed');
  expect(eligibilities.get(other.id)?.kind).toBe('trial');
});
