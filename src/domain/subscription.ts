import { HOUR_MS, type Instant } from './time.ts';

/** What the card provider calls a subscription's states. */
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

const BILLED_STATUSES: ReadonlySet<SubscriptionStatus> = new Set([
  'trialing',
  'active',
  'past_due',
  'unpaid',
]);

/** Whether someone pays for it, or is asked to. */
export function isBilled(status: SubscriptionStatus): boolean {
  return BILLED_STATUSES.has(status);
}

/** What clients are told while they can neither book nor ask. */
export const NOT_TAKING_BOOKINGS_TEXT = 'This artist is not taking bookings now.';

const DAY = 24 * HOUR_MS;
/** How long artists may try the product from sign-up. */
export const TRIAL_MS = 14 * DAY;
/** How long bookings stay open after a payment failed. */
export const GRACE_MS = 3 * DAY;

/** What a subscription was at some moment, as the card provider tells it. */
export interface SubscriptionSnapshot {
  readonly status: SubscriptionStatus;
  readonly currentPeriodEnd: Instant | null;
  readonly cancelAtPeriodEnd: boolean;
}

/** What the card provider told of a subscription, or what we saw there. */
export type SubscriptionEventData =
  | { readonly kind: 'created' | 'updated' | 'deleted'; readonly snapshot: SubscriptionSnapshot }
  /** Looked up by us, and not told. */
  | { readonly kind: 'observed'; readonly snapshot: SubscriptionSnapshot }
  | { readonly kind: 'paid' | 'payment_failed' };

/** All that is kept of what the card provider tells. Kept as JSON: plain values alone. */
export type PaymentEventData =
  | SubscriptionEventData
  /** An artist went through checkout; null when it does not say who. */
  | { readonly kind: 'checkout_completed'; readonly artistId: string | null };

/** One thing that was told, with the provider's id of it. */
export interface PaymentEvent<Fact extends PaymentEventData = PaymentEventData> {
  readonly id: string;
  /** By the provider's clock, to the second. */
  readonly happenedAt: Instant;
  readonly data: Fact;
}

/** A subscription as all that was told of it adds up. */
export interface Subscription extends SubscriptionSnapshot {
  /** Since when payments fail; null while they do not. */
  readonly failingSince: Instant | null;
}

// Of what happened within one second, this much of the order is known. Whether it was paid before
// or after it failed is not: a failure that was made good is mended when we look there.
const ORDER_WITHIN_SECOND: Record<SubscriptionEventData['kind'], number> = {
  created: 0,
  paid: 1,
  payment_failed: 2,
  updated: 3,
  observed: 4,
  deleted: 5,
};

/**
 * What a subscription is after all these events, in whatever order they came.
 * @returns undefined while only payments are known of it
 */
export function subscriptionFromEvents(
  events: readonly PaymentEvent<SubscriptionEventData>[],
): Subscription | undefined {
  const inOrder = events.toSorted(
    (a, b) =>
      a.happenedAt - b.happenedAt ||
      ORDER_WITHIN_SECOND[a.data.kind] - ORDER_WITHIN_SECOND[b.data.kind] ||
      (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );
  let snapshot: SubscriptionSnapshot | undefined;
  let failingSince: Instant | null = null;
  for (const { happenedAt, data: fact } of inOrder) {
    if ('snapshot' in fact) {
      // What has ended does not begin again: the provider never reuses a subscription.
      if (snapshot?.status === 'canceled') continue;
      snapshot = fact.snapshot;
      const { status } = snapshot;
      if (status === 'past_due' || status === 'unpaid') failingSince ??= happenedAt;
      else if (status === 'active' || status === 'trialing') failingSince = null;
    } else if (fact.kind === 'paid') failingSince = null;
    else failingSince ??= happenedAt;
  }
  return snapshot && { ...snapshot, failingSince };
}

/** How an artist stands with their subscription, and until when that holds by itself. */
export type BookingEligibility =
  /** Nobody pays here. */
  | { readonly kind: 'free' }
  | { readonly kind: 'trial'; readonly until: Instant }
  | { readonly kind: 'subscribed'; readonly subscription: Subscription }
  /** A payment failed; bookings stay open until then. */
  | { readonly kind: 'grace'; readonly subscription: Subscription; readonly until: Instant }
  /** Bookings are closed; `subscription` is the one that ended, or null after the trial alone. */
  | { readonly kind: 'ended'; readonly subscription: Subscription | null; readonly since: Instant };

/**
 * How an artist stands at `now`. Of several subscriptions the best counts.
 * @param trialFrom sign-up, or when billing was first on if that was later
 */
export function bookingEligibilityAt(
  subscriptions: readonly Subscription[],
  trialFrom: Instant,
  now: Instant,
): Exclude<BookingEligibility, { kind: 'free' }> {
  const standings = subscriptions.flatMap((one) => eligibilityOfSubscription(one, now) ?? []);
  const open = ['subscribed', 'grace'] as const;
  for (const kind of open) {
    const best = standings.find((standing) => standing.kind === kind);
    if (best) return best;
  }
  const trialEnds = trialFrom + TRIAL_MS;
  if (trialEnds > now) return { kind: 'trial', until: trialEnds };
  const ended = standings.filter((standing) => standing.kind === 'ended');
  const last = ended.toSorted((a, b) => b.since - a.since)[0];
  return last ?? { kind: 'ended', subscription: null, since: trialEnds };
}

/** Undefined for one whose first payment never came. */
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

/** Until when, excluded, a standing holds by itself; null when only an event changes it. */
export function eligibilityValidUntil(standing: BookingEligibility): Instant | null {
  return standing.kind === 'trial' || standing.kind === 'grace' ? standing.until : null;
}

/** Whether clients may book or ask for anything. */
export function canTakeBookings(standing: BookingEligibility): boolean {
  return standing.kind !== 'ended';
}
