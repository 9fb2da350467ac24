import type { Subscription } from '#contract/billing.ts';
import {
  type BookingEligibility,
  bookingEligibilityAt,
  canTakeBookings,
} from '#domain/subscription.ts';
import { type Instant, toRfc3339 } from '#domain/time.ts';
import { listBillingHistories } from '#server/database/subscriptions.ts';
import type { Context } from './context.ts';

type BillingContext = Pick<Context, 'database' | 'payments'>;

/**
 * Loads whether clients may book an artist at `now`, and why. The kind is `free` while
 * billing is off, and for a deleted artist.
 */
export async function loadBookingEligibility(
  context: BillingContext,
  artistId: string,
  now: Instant,
): Promise<BookingEligibility> {
  const eligibilities = await loadBookingEligibilities(context, [artistId], now);
  return eligibilities.get(artistId) ?? { kind: 'free' };
}

/** Eligibilities by artist id. While billing is on, deleted artists have no entry. */
export async function loadBookingEligibilities(
  { database, payments }: BillingContext,
  artistIds: readonly string[],
  now: Instant,
): Promise<Map<string, BookingEligibility>> {
  if (!payments) return new Map(artistIds.map((id) => [id, { kind: 'free' }]));
  const histories = await listBillingHistories(database, artistIds);
  const eligibilities = new Map<string, BookingEligibility>();
  for (const [id, { subscriptions, trialStart }] of histories)
    eligibilities.set(id, bookingEligibilityAt(subscriptions, trialStart, now));
  return eligibilities;
}

/** Whether clients may book an artist, or send them a request, at `now`. */
export async function isTakingBookings(
  context: BillingContext,
  artistId: string,
  now: Instant,
): Promise<boolean> {
  return canTakeBookings(await loadBookingEligibility(context, artistId, now));
}

/** Converts to the API's subscription, which may also be a trial; null while billing is off. */
export function toSubscription(eligibility: BookingEligibility): Subscription | null {
  if (eligibility.kind === 'free') return null;
  if (eligibility.kind === 'trial') return toTrialSubscription('trialing', eligibility.until);
  const { subscription } = eligibility;
  if (subscription === null)
    // Here `kind` is always `ended`, after a trial; the check is only for the types.
    return eligibility.kind === 'ended' ? toTrialSubscription('canceled', eligibility.since) : null;
  const { status, currentPeriodEnd, cancelAtPeriodEnd } = subscription;
  return {
    status,
    current_period_end: currentPeriodEnd === null ? null : toRfc3339(currentPeriodEnd),
    cancel_at_period_end: cancelAtPeriodEnd,
    is_trial: false,
    grace_until: eligibility.kind === 'grace' ? toRfc3339(eligibility.until) : null,
  };
}

function toTrialSubscription(status: 'trialing' | 'canceled', end: Instant): Subscription {
  return {
    status,
    current_period_end: toRfc3339(end),
    cancel_at_period_end: false,
    is_trial: true,
    grace_until: null,
  };
}
