import { atom } from 'nanostores';
import { fetchMe } from '#client/artists.ts';
import { startBillingPortal, startCheckout } from '#client/billing.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { HOUR_MS, type Instant } from '#domain/time.ts';
import { reasonOf } from '../reason.ts';
import { artistApi } from '../session.ts';
import { tellSuccess } from '../toasts.ts';
import { knowMe } from './me.ts';

/** How an artist stands with their subscription. */
export type Plan =
  | { readonly kind: 'trial' | 'trial_over'; readonly until: Instant | null }
  /** Goes on at `until`, or ends then. */
  | { readonly kind: 'subscribed' | 'ending'; readonly until: Instant | null }
  /** A payment failed: `grace` while bookings stay open, `unpaid` afterwards. */
  | { readonly kind: 'grace'; readonly until: Instant }
  | { readonly kind: 'unpaid' }
  | { readonly kind: 'ended'; readonly until: Instant | null };

/** How the artist stands; null while nobody pays here. */
export function planOf({ subscription, taking_bookings }: CurrentArtist): Plan | null {
  if (subscription === null) return null;
  const { status, is_trial, cancel_at_period_end, grace_until, current_period_end } = subscription;
  const until = current_period_end === null ? null : Date.parse(current_period_end);
  if (is_trial) return { kind: taking_bookings ? 'trial' : 'trial_over', until };
  if (grace_until !== null) return { kind: 'grace', until: Date.parse(grace_until) };
  if (taking_bookings) return { kind: cancel_at_period_end ? 'ending' : 'subscribed', until };
  return status === 'past_due' || status === 'unpaid'
    ? { kind: 'unpaid' }
    : { kind: 'ended', until };
}

/** From how long before its end on every page tells of the trial. */
const TRIAL_ENDS_SOON = 3 * 24 * HOUR_MS;

/** What every page of the studio should tell, if anything. */
export function newsOf(plan: Plan, now: Instant): 'closed' | 'grace' | 'trial_ends' | null {
  switch (plan.kind) {
    case 'trial_over':
    case 'unpaid':
    case 'ended':
      return 'closed';
    case 'grace':
      return 'grace';
    case 'trial':
      return plan.until !== null && plan.until - now <= TRIAL_ENDS_SOON ? 'trial_ends' : null;
    default:
      return null;
  }
}

const PAGES = { checkout: startCheckout, portal: startBillingPortal };
type ProviderPage = keyof typeof PAGES;

/** Which page of the card provider is about to open. */
export const $going = atom<ProviderPage | null>(null);
/** Why it did not open. */
export const $notGone = atom<string | null>(null);

/** Leaves for a page of the card provider, or tells why not. */
export async function goTo(page: ProviderPage): Promise<void> {
  if ($going.get() !== null) return;
  $going.set(page);
  $notGone.set(null);
  try {
    const { url } = await PAGES[page](artistApi());
    // It stays so until the page is left.
    location.assign(url);
  } catch (error) {
    $notGone.set(reasonOf(error));
    $going.set(null);
  }
}

/** The page came back from the browser's memory. */
export function arriveAgain(): void {
  $going.set(null);
}

/** How often and how long a subscription that was just paid is waited for, in milliseconds. */
const LOOK_EVERY = 2000;
const LOOK_FOR = 60_000;

/** What came of the checkout that the artist comes from. */
export const $checkout = atom<'none' | 'confirming' | 'late' | 'cancelled'>('none');

/** Reads in the address whether the artist comes from the checkout, and waits for its news. */
export async function returnFromCheckout(signal: AbortSignal): Promise<void> {
  const came = new URLSearchParams(location.search).get('checkout');
  if (came === 'cancelled') {
    forgetCheckout();
    $checkout.set('cancelled');
  }
  if (came !== 'success') return;
  $checkout.set('confirming');
  const deadline = Date.now() + LOOK_FOR;
  while (!(await isSubscribed()) && !signal.aborted) {
    if (Date.now() > deadline) {
      // The address still tells it: a reload looks again.
      $checkout.set('late');
      return;
    }
    await new Promise((passed) => setTimeout(passed, LOOK_EVERY));
  }
  if (signal.aborted) return;
  forgetCheckout();
  $checkout.set('none');
  tellSuccess('You are subscribed.', 'Bookings stay open. Thank you.');
}

async function isSubscribed(): Promise<boolean> {
  try {
    const me = await fetchMe(artistApi());
    knowMe(me);
    const kind = planOf(me)?.kind;
    return kind === 'subscribed' || kind === 'ending';
  } catch {
    // The next look may be luckier.
    return false;
  }
}

function forgetCheckout(): void {
  const query = new URLSearchParams(location.search);
  query.delete('checkout');
  const rest = query.size === 0 ? '' : `?${query}`;
  history.replaceState(history.state, '', `${location.pathname}${rest}`);
}
