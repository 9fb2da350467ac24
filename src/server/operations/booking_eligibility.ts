import type { Subscription as ShownSubscription } from '#contract/billing.ts';
import {
  type BookingEligibility,
  bookingEligibilityAt,
  canTakeBookings,
} from '#domain/subscription.ts';
import { type Instant, toRfc3339 } from '#domain/time.ts';
import { listBillingHistories } from '#server/database/subscriptions.ts';
import type { Context } from './context.ts';

type BillingContext = Pick<Context, 'database' | 'payments'>;

/** How an artist stands at `now`; free while billing is off. */
export async function loadBookingEligibility(
  context: BillingContext,
  artistId: string,
  now: Instant,
): Promise<BookingEligibility> {
  const standings = await loadBookingEligibilities(context, [artistId], now);
  return standings.get(artistId) ?? { kind: 'free' };
}

/** How each of these artists stands, by their id. */
export async function loadBookingEligibilities(
  { database, payments }: BillingContext,
  artistIds: readonly string[],
  now: Instant,
): Promise<Map<string, BookingEligibility>> {
  if (!payments) return new Map(artistIds.map((id) => [id, { kind: 'free' }]));
  const paid = await listBillingHistories(database, artistIds);
  return new Map(
    [...paid].map(([id, { subscriptions, trialStart: trialFrom }]) => [
      id,
      bookingEligibilityAt(subscriptions, trialFrom, now),
    ]),
  );
}

/** Whether clients may book an artist or ask them for anything at `now`. */
export async function isTakingBookings(
  context: BillingContext,
  artistId: string,
  now: Instant,
): Promise<boolean> {
  return canTakeBookings(await loadBookingEligibility(context, artistId, now));
}

/** What artists see of how they stand; null while billing is off. */
export function toSubscription(standing: BookingEligibility): ShownSubscription | null {
  if (standing.kind === 'free') return null;
  if (standing.kind === 'trial') return toTrialSubscription('trialing', standing.until);
  if (standing.kind === 'ended' && standing.subscription === null)
    return toTrialSubscription('canceled', standing.since);
  const { subscription } = standing;
  if (subscription === null) return null;
  const { status, currentPeriodEnd, cancelAtPeriodEnd } = subscription;
  return {
    status,
    current_period_end: currentPeriodEnd === null ? null : toRfc3339(currentPeriodEnd),
    cancel_at_period_end: cancelAtPeriodEnd,
    is_trial: false,
    grace_until: standing.kind === 'grace' ? toRfc3339(standing.until) : null,
  };
}

/** A trial that runs, or that ended without a subscription. */
function toTrialSubscription(status: 'trialing' | 'canceled', end: Instant): ShownSubscription {
  return {
    status,
    current_period_end: toRfc3339(end),
    cancel_at_period_end: false,
    is_trial: true,
    grace_until: null,
  };
}
