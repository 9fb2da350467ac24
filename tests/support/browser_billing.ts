import type { CurrentArtist } from '#contract/artist.ts';
import type { Subscription } from '#contract/billing.ts';

const DAY_MS = 24 * 60 * 60_000;

/** The instant so many days from now, as an ISO string. */
function daysFromNow(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString();
}

const TRIAL: Subscription = {
  status: 'trialing',
  current_period_end: daysFromNow(10),
  cancel_at_period_end: false,
  is_trial: true,
  grace_until: null,
  allows_bookings: true,
};
/** Clients cannot book. */
const NO_BOOKINGS = { allows_bookings: false };
const ENDED = { ...NO_BOOKINGS, status: 'canceled', current_period_end: daysFromNow(-1) } as const;
const PAID: Subscription = { ...TRIAL, status: 'active', is_trial: false };

/** The artist's own record in each state of a subscription. */
export const SUBSCRIPTION_STATES = {
  trial: { subscription: TRIAL },
  trialEnds: { subscription: { ...TRIAL, current_period_end: daysFromNow(2) } },
  trialOver: { subscription: { ...TRIAL, ...ENDED }, taking_bookings: false },
  subscribed: { subscription: PAID },
  ending: { subscription: { ...PAID, cancel_at_period_end: true } },
  grace: { subscription: { ...PAID, status: 'past_due', grace_until: daysFromNow(2) } },
  unpaid: { subscription: { ...PAID, status: 'past_due', ...NO_BOOKINGS }, taking_bookings: false },
  paused: { subscription: { ...PAID, status: 'paused', ...NO_BOOKINGS }, taking_bookings: false },
  ended: { subscription: { ...PAID, ...ENDED }, taking_bookings: false },
} satisfies Record<string, Partial<CurrentArtist>>;
