import type { Artist } from '#contract/artist.ts';
import type { Subscription } from '#contract/billing.ts';
import { type BooksSettings, booksAt } from '#domain/books.ts';
import { refuse } from '#domain/refusal.ts';
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

/**
 * Refuses a new booking or request of an artist who takes none. Judged when the request comes, and not again
 * under the lock of the calendar: one that waits there for some seconds was sent while the books were open.
 * @throws Refusal `not_taking_bookings`, `books_closed`
 */
export async function requireTakingBookings(
  context: BillingContext,
  artist: BooksSettings & { readonly id: string },
  now: Instant,
): Promise<void> {
  if (!(await isTakingBookings(context, artist.id, now))) throw refuse('not_taking_bookings');
  if (!booksAt(artist, now).isOpen) throw refuse('books_closed');
}

/** Converts to what the API says of an artist's books. */
export function toBooksStatus({ isOpen }: ReturnType<typeof booksAt>): Artist['books'] {
  return { is_open: isOpen, opens_at: null, draw: null };
}

/** Converts to the API's subscription, which may also be a trial; null while billing is off. */
export function toSubscription(eligibility: BookingEligibility): Subscription | null {
  if (eligibility.kind === 'free') return null;
  // Null during a trial, and after a trial without a subscription.
  const subscription = eligibility.kind === 'trial' ? null : eligibility.subscription;
  const stoppedAt = eligibility.kind === 'ended' ? eligibility.since : null;
  const trialEnd = eligibility.kind === 'trial' ? eligibility.until : stoppedAt;
  const periodEnd = subscription ? subscription.currentPeriodEnd : trialEnd;
  return {
    status: subscription?.status ?? (eligibility.kind === 'trial' ? 'trialing' : 'canceled'),
    current_period_end: periodEnd === null ? null : toRfc3339(periodEnd),
    cancel_at_period_end: subscription?.cancelAtPeriodEnd ?? false,
    is_trial: subscription === null,
    allows_bookings: canTakeBookings(eligibility),
    grace_until: eligibility.kind === 'grace' ? toRfc3339(eligibility.until) : null,
  };
}
