/** Whether an artist's subscription or trial lets clients book them. */
import type { Artist } from '#contract/artist.ts';
import type { Subscription } from '#contract/billing.ts';
import {
  type BookingEligibility,
  bookingEligibilityAt,
  canTakeBookings,
  type SubscriptionSnapshot,
} from '#domain/accounts/subscription.ts';
import type { BooksAt } from '#domain/booking/books.ts';
import { type Instant, toRfc3339 } from '#domain/time/time.ts';
import { listBillingHistories } from '#server/database/subscriptions.ts';
import type { Context } from '../context.ts';

type BillingContext = Pick<Context, 'database' | 'payments'>;

/**
 * Loads whether clients may book an artist at `now`, and why. The kind is `free` while billing is off, and for
 * an artist deleted meanwhile: a booking then finds no row under its lock, and is refused (`loadBookable`).
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

/** Converts to what the API says of an artist's books. `opens_at` and `draw` are always null so far. */
export function toBooksStatus({ isOpen }: BooksAt): Artist['books'] {
  return { is_open: isOpen, opens_at: null, draw: null };
}

/** Converts to the API's subscription, which may also be a trial; null while billing is off. */
export function toSubscription(eligibility: BookingEligibility): Subscription | null {
  if (eligibility.kind === 'free') return null;
  const { status, currentPeriodEnd, cancelAtPeriodEnd } = toSnapshot(eligibility);
  return {
    status,
    current_period_end: currentPeriodEnd === null ? null : toRfc3339(currentPeriodEnd),
    cancel_at_period_end: cancelAtPeriodEnd,
    is_trial: eligibility.kind === 'trial' || eligibility.subscription === null,
    allows_bookings: canTakeBookings(eligibility),
    grace_until: eligibility.kind === 'grace' ? toRfc3339(eligibility.until) : null,
  };
}

/** The subscription; without one the trial, in the same form. */
function toSnapshot(
  eligibility: Exclude<BookingEligibility, { kind: 'free' }>,
): SubscriptionSnapshot {
  if (eligibility.kind === 'trial')
    return { status: 'trialing', currentPeriodEnd: eligibility.until, cancelAtPeriodEnd: false };
  if (eligibility.kind !== 'ended') return eligibility.subscription;
  const currentPeriodEnd = eligibility.since;
  const endedTrial = { status: 'canceled', currentPeriodEnd, cancelAtPeriodEnd: false } as const;
  return eligibility.subscription ?? endedTrial;
}
