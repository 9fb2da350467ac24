/** Subscriptions of artists: their state, and whether an artist can take bookings. */
import { DAY_MS, type Instant } from '../time/time.ts';

/** As Stripe names them: https://docs.stripe.com/api/subscriptions/object */
export const SUBSCRIPTION_STATUSES = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
  'canceled',
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

const BILLED_STATUSES: readonly SubscriptionStatus[] = ['trialing', 'active', 'past_due', 'unpaid'];

/** Whether the artist is charged for the subscription now or later, even if payments fail. */
export function isBilled(status: SubscriptionStatus): boolean {
  return BILLED_STATUSES.includes(status);
}

/**
 * Whether a subscription goes on or can be resumed, so that the artist needs no other one. A paused
 * subscription is not charged: its trial ended without a card.
 */
export function isOngoing(status: SubscriptionStatus): boolean {
  return isBilled(status) || status === 'paused';
}

function isOverdue(status: SubscriptionStatus): boolean {
  return status === 'past_due' || status === 'unpaid';
}

/** The text for clients while an artist takes neither bookings nor requests. */
export const NOT_TAKING_BOOKINGS_TEXT = 'This artist is not taking bookings now.';

/** How long the free trial lasts, from sign-up. */
export const TRIAL_MS = 14 * DAY_MS;
/** The grace period: how long artists still take bookings after a payment failed. */
export const GRACE_MS = 3 * DAY_MS;

/** A subscription as the payment provider reports it at one time. */
export interface SubscriptionSnapshot {
  readonly status: SubscriptionStatus;
  readonly currentPeriodEnd: Instant | null;
  readonly cancelAtPeriodEnd: boolean;
}

/** Webhook events of the payment provider; `observed` is the answer to a request of our own. */
export type SubscriptionEventData =
  | {
      readonly kind: 'created' | 'updated' | 'deleted' | 'observed';
      readonly snapshot: SubscriptionSnapshot;
    }
  | { readonly kind: 'paid' | 'payment_failed' };

/** What an event of the payment provider says. Stored as JSON, so it holds only plain values. */
export type PaymentEventData =
  | SubscriptionEventData
  /** The artist is null when the event does not name one. */
  | { readonly kind: 'checkout_completed'; readonly artistId: string | null };

/** An event of the payment provider. */
export interface PaymentEvent<Data extends PaymentEventData = PaymentEventData> {
  /** The payment provider's id of the event. */
  readonly id: string;
  /** By the provider's clock, to the second. */
  readonly happenedAt: Instant;
  readonly data: Data;
}

/** An event with the customer that it concerns. */
export interface CustomerEvent extends PaymentEvent {
  /** The payment provider's id of the artist who pays. */
  readonly customer: string;
  /** The payment provider's id; null for a checkout that names no subscription. */
  readonly subscription: string | null;
}

/** A subscription's current state, computed from all its events. */
export interface Subscription extends SubscriptionSnapshot {
  /** The first failed payment since the last one that succeeded; null when none failed. */
  readonly failingSince: Instant | null;
}

// Events have no order within one second. If a payment failed and succeeded in the same second, we
// assume that it failed; an `observed` event corrects this later.
const ORDER_WITHIN_SECOND: Record<SubscriptionEventData['kind'], number> = {
  created: 0,
  paid: 1,
  payment_failed: 2,
  updated: 3,
  observed: 4,
  deleted: 5,
};

/**
 * Computes a subscription's state from all its events, in any order.
 * @returns undefined when no event has a snapshot: all are payments
 */
export function subscriptionFromEvents(
  events: readonly PaymentEvent<SubscriptionEventData>[],
): Subscription | undefined {
  const inOrder = events.toSorted(
    (a, b) =>
      a.happenedAt - b.happenedAt ||
      ORDER_WITHIN_SECOND[a.data.kind] - ORDER_WITHIN_SECOND[b.data.kind] ||
      (a.id < b.id ? -1 : 1),
  );
  let snapshot: SubscriptionSnapshot | undefined;
  let failingSince: Instant | null = null;
  for (const { happenedAt, data } of inOrder) {
    if ('snapshot' in data) {
      // A cancelled subscription never becomes active again, so a later event must be out of order.
      if (snapshot?.status === 'canceled') continue;
      snapshot = data.snapshot;
      const { status } = snapshot;
      if (isOverdue(status)) failingSince ??= happenedAt;
      else if (status === 'active' || status === 'trialing') failingSince = null;
    } else if (data.kind === 'payment_failed') {
      failingSince ??= happenedAt;
    } else if (!snapshot || !isOverdue(snapshot.status)) {
      // Paid. A payment while the status is overdue was for another invoice, so the failure still counts.
      failingSince = null;
    }
  }
  return snapshot && { ...snapshot, failingSince };
}

/** Whether an artist can take bookings, and why. `until` is excluded. */
export type BookingEligibility =
  /** Billing is off on this site. */
  | { readonly kind: 'free' }
  | { readonly kind: 'trial'; readonly until: Instant }
  | { readonly kind: 'subscribed'; readonly subscription: Subscription }
  /** A payment failed, but the artist still takes bookings. */
  | { readonly kind: 'grace'; readonly subscription: Subscription; readonly until: Instant }
  /** No bookings. `subscription` is the one that ended; null after a trial without one. */
  | { readonly kind: 'ended'; readonly subscription: Subscription | null; readonly since: Instant };

/**
 * An artist's eligibility at `now`. The best of several subscriptions counts.
 * @param trialFrom when the artist signed up or billing was first turned on, the later of the two
 */
export function bookingEligibilityAt(
  subscriptions: readonly Subscription[],
  trialFrom: Instant,
  now: Instant,
): Exclude<BookingEligibility, { kind: 'free' }> {
  const all = subscriptions
    .map((subscription) => eligibilityOfSubscription(subscription, now))
    .filter((one) => one !== undefined);
  const best =
    all.find(({ kind }) => kind === 'subscribed') ?? all.find(({ kind }) => kind === 'grace');
  if (best) return best;
  const trialEnds = trialFrom + TRIAL_MS;
  if (trialEnds > now) return { kind: 'trial', until: trialEnds };
  const ended = all.filter((eligibility) => eligibility.kind === 'ended');
  const latestFirst = ended.toSorted((a, b) => b.since - a.since);
  // A subscription that can go on comes first, because the artist needs no other one.
  const ongoing = latestFirst.find((one) => one.subscription && isOngoing(one.subscription.status));
  return ongoing ?? latestFirst[0] ?? { kind: 'ended', subscription: null, since: trialEnds };
}

/** What one subscription allows at `now`; undefined when its first payment was never made. */
function eligibilityOfSubscription(
  subscription: Subscription,
  now: Instant,
): Exclude<BookingEligibility, { kind: 'free' | 'trial' }> | undefined {
  const { status, failingSince, currentPeriodEnd } = subscription;
  if (status === 'incomplete' || status === 'incomplete_expired') return undefined;
  if (status === 'canceled' || status === 'paused')
    return { kind: 'ended', subscription, since: Math.min(currentPeriodEnd ?? now, now) };
  if (failingSince === null) return { kind: 'subscribed', subscription };
  const until = failingSince + GRACE_MS;
  return until > now
    ? { kind: 'grace', subscription, until }
    : { kind: 'ended', subscription, since: until };
}

/** The instant, excluded, at which an eligibility ends by itself; null when only an event changes it. */
export function eligibilityValidUntil(eligibility: BookingEligibility): Instant | null {
  return 'until' in eligibility ? eligibility.until : null;
}

/** Whether clients can book or send requests. */
export function canTakeBookings(eligibility: BookingEligibility): boolean {
  return eligibility.kind !== 'ended';
}
