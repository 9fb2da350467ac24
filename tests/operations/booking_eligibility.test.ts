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

/** Billing is on; the provider is not asked for a standing. */
const fail = () => {
  throw new Error('The card provider was asked');
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

async function open(signedUp = NOW) {
  const { context } = await openTestContext({ payments: PROVIDER });
  const artist = await addArtist(context.database, { created_at: new Date(signedUp) });
  const shown = async (now = NOW) =>
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
  return { context, artist, shown, subscribe };
}

test('while billing is off everyone takes bookings and nobody sees a subscription', async () => {
  const { context, artist } = await open(NOW - 2 * TRIAL_MS);
  const off = { ...context, payments: undefined };
  const standing = await loadBookingEligibility(off, artist.id, NOW);
  expect([standing, toSubscription(standing)]).toEqual([{ kind: 'free' }, null]);
  expect(await isTakingBookings(off, artist.id, NOW)).toBe(true);
});

test('a trial lasts 14 days from sign-up, and then bookings are closed', async () => {
  const { context, artist, shown } = await open();
  const end = NOW + TRIAL_MS;
  expect(await shown()).toEqual({
    status: 'trialing',
    current_period_end: toRfc3339(end),
    cancel_at_period_end: false,
    is_trial: true,
    grace_until: null,
  });
  expect(await isTakingBookings(context, artist.id, end - 1)).toBe(true);
  expect(await isTakingBookings(context, artist.id, end)).toBe(false);
  expect(await shown(end)).toMatchObject({ status: 'canceled', is_trial: true });
});

test('a subscription is shown as it is', async () => {
  const { context, artist, shown, subscribe } = await open(NOW - 2 * TRIAL_MS);
  await subscribe({ cancelAtPeriodEnd: true });
  expect(await shown()).toEqual({
    status: 'active',
    current_period_end: toRfc3339(NOW + 720 * HOUR_MS),
    cancel_at_period_end: true,
    is_trial: false,
    grace_until: null,
  });
  expect(await isTakingBookings(context, artist.id, NOW)).toBe(true);
});

test('after a failed payment bookings stay open for three days', async () => {
  const { context, artist, shown, subscribe } = await open(NOW - 2 * TRIAL_MS);
  await subscribe({ status: 'past_due', failingSince: NOW });
  expect(await shown()).toMatchObject({ grace_until: toRfc3339(NOW + GRACE_MS) });
  expect(await isTakingBookings(context, artist.id, NOW + GRACE_MS - 1)).toBe(true);
  expect(await isTakingBookings(context, artist.id, NOW + GRACE_MS)).toBe(false);
  expect(await shown(NOW + GRACE_MS)).toMatchObject({ status: 'past_due', grace_until: null });
});

test('several artists are read at once, each with a standing of their own', async () => {
  const { context, artist, subscribe } = await open(NOW - 2 * TRIAL_MS);
  await subscribe();
  const other = await addArtist(context.database);
  const standings = await loadBookingEligibilities(context, [artist.id, other.id], Date.now());
  expect(standings.get(artist.id)?.kind).toBe('subscribed');
  expect(standings.get(other.id)?.kind).toBe('trial');
});
