import { atom } from 'nanostores';
import { fetchMe } from '#client/artists.ts';
import { startBillingPortal, startCheckout } from '#client/billing.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { HOUR_MS, type Instant } from '#domain/time.ts';
import { errorText } from '../error_text.ts';
import { artistApi } from '../session.ts';
import { showSuccessToast } from '../toasts.ts';
import { applyMe } from './me.ts';

/** How an artist stands with their subscription. */
export type BillingState =
  | { readonly kind: 'trial' | 'trial_over'; readonly until: Instant | null }
  /** Goes on at `until`, or ends then. */
  | { readonly kind: 'subscribed' | 'ending'; readonly until: Instant | null }
  /** A payment failed: `grace` while bookings stay open, `unpaid` afterwards. */
  | { readonly kind: 'grace'; readonly until: Instant }
  | { readonly kind: 'unpaid' }
  | { readonly kind: 'ended'; readonly until: Instant | null };

/** How the artist stands; null while nobody pays here. */
export function toBillingState({
  subscription,
  taking_bookings,
}: CurrentArtist): BillingState | null {
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
const TRIAL_WARNING_MS = 3 * 24 * HOUR_MS;

/** What every page of the studio should tell, if anything. */
export function billingWarning(
  plan: BillingState,
  now: Instant,
): 'closed' | 'grace' | 'trial_ends' | null {
  switch (plan.kind) {
    case 'trial_over':
    case 'unpaid':
    case 'ended':
      return 'closed';
    case 'grace':
      return 'grace';
    case 'trial':
      return plan.until !== null && plan.until - now <= TRIAL_WARNING_MS ? 'trial_ends' : null;
    default:
      return null;
  }
}

const OPEN_PAGE_CALLS = { checkout: startCheckout, portal: startBillingPortal };
type ProviderPageKind = keyof typeof OPEN_PAGE_CALLS;

/** Which page of the card provider is about to open. */
export const $openingPage = atom<ProviderPageKind | null>(null);
/** Why it did not open. */
export const $openingError = atom<string | null>(null);

/** Leaves for a page of the card provider, or tells why not. */
export async function openProviderPage(page: ProviderPageKind): Promise<void> {
  if ($openingPage.get() !== null) return;
  $openingPage.set(page);
  $openingError.set(null);
  try {
    const { url } = await OPEN_PAGE_CALLS[page](artistApi());
    // It stays so until the page is left.
    location.assign(url);
  } catch (error) {
    $openingError.set(errorText(error));
    $openingPage.set(null);
  }
}

/** The page came back from the browser's memory. */
export function resetOpening(): void {
  $openingPage.set(null);
}

/** How often and how long a subscription that was just paid is waited for, in milliseconds. */
const POLL_INTERVAL_MS = 2000;
const POLL_TIMEOUT_MS = 60_000;

/** What came of the checkout that the artist comes from. */
export const $checkout = atom<'none' | 'confirming' | 'late' | 'cancelled'>('none');

/** Reads in the address whether the artist comes from the checkout, and waits for its news. */
export async function handleCheckoutReturn(signal: AbortSignal): Promise<void> {
  const came = new URLSearchParams(location.search).get('checkout');
  if (came === 'cancelled') {
    clearCheckoutParam();
    $checkout.set('cancelled');
  }
  if (came !== 'success') return;
  $checkout.set('confirming');
  const deadline = Date.now() + POLL_TIMEOUT_MS;
  while (!(await isSubscribed()) && !signal.aborted) {
    if (Date.now() > deadline) {
      // The address still tells it: a reload looks again.
      $checkout.set('late');
      return;
    }
    await new Promise((passed) => setTimeout(passed, POLL_INTERVAL_MS));
  }
  if (signal.aborted) return;
  clearCheckoutParam();
  $checkout.set('none');
  showSuccessToast('You are subscribed.', 'Bookings stay open. Thank you.');
}

async function isSubscribed(): Promise<boolean> {
  try {
    const me = await fetchMe(artistApi());
    applyMe(me);
    const kind = toBillingState(me)?.kind;
    return kind === 'subscribed' || kind === 'ending';
  } catch {
    // The next look may be luckier.
    return false;
  }
}

function clearCheckoutParam(): void {
  const query = new URLSearchParams(location.search);
  query.delete('checkout');
  const rest = query.size === 0 ? '' : `?${query}`;
  history.replaceState(history.state, '', `${location.pathname}${rest}`);
}
