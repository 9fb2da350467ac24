// The state of the artist's subscription, and the visits to the payment provider's pages.
import { atom } from 'nanostores';
import { ApiError } from '#client/call.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { fetchMe, startBillingPortal, startCheckout } from '#contract/endpoints.ts';
import { DAY_MS, type Instant } from '#domain/time/time.ts';
import { errorText } from '../error_text.ts';
import { callAsArtist } from '../session.ts';
import { showSuccessToast } from '../toasts.ts';
import { applyMe } from './me.ts';
import { revalidate } from './queries.ts';

/** `until` is when the trial, the paid time or the grace period ends; null if not known. */
export type BillingState =
  | { readonly kind: 'trial' | 'trial_over'; readonly until: Instant | null }
  /** At `until`, the subscription renews (`subscribed`) or ends (`ending`). */
  | { readonly kind: 'subscribed' | 'ending'; readonly until: Instant | null }
  /** A payment failed: clients can still book during `grace`, but not when `unpaid`. */
  | { readonly kind: 'grace'; readonly until: Instant }
  | { readonly kind: 'unpaid' }
  /** The trial of a subscription ended without a card: it can be resumed. */
  | { readonly kind: 'paused' }
  | { readonly kind: 'ended'; readonly until: Instant | null };

/** The state of an artist's subscription; null if billing is off on our server. */
export function toBillingState(artist: CurrentArtist): BillingState | null {
  const { subscription } = artist;
  if (subscription === null) return null;
  const { allows_bookings, status, is_trial, grace_until, current_period_end } = subscription;
  const until = current_period_end === null ? null : Date.parse(current_period_end);
  if (is_trial) return { kind: allows_bookings ? 'trial' : 'trial_over', until };
  // The API sets `grace_until` only during the grace period; afterwards it is null.
  if (grace_until !== null) return { kind: 'grace', until: Date.parse(grace_until) };
  if (allows_bookings)
    return { kind: subscription.cancel_at_period_end ? 'ending' : 'subscribed', until };
  if (status === 'past_due' || status === 'unpaid') return { kind: 'unpaid' };
  return status === 'paused' ? { kind: 'paused' } : { kind: 'ended', until };
}

/** How long before the end of the trial every page warns about it. */
const TRIAL_WARNING_MS = 3 * DAY_MS;

/** Whether all pages for artists warn: clients cannot book with them, or soon will not be able to. */
export function needsWarning(state: BillingState, now: Instant): boolean {
  if (state.kind === 'trial') return state.until !== null && state.until - now <= TRIAL_WARNING_MS;
  return state.kind !== 'subscribed' && state.kind !== 'ending';
}

/** The calls that create a page of the payment provider and return its URL. */
const PAGE_CALLS = { checkout: startCheckout, portal: startBillingPortal };
type ProviderPageKind = keyof typeof PAGE_CALLS;

/** The page of the payment provider that is about to open; null for none. */
export const $openingPage = atom<ProviderPageKind | null>(null);
/** Why the last page did not open. */
export const $openingError = atom<string | null>(null);

/** Opens a page of the payment provider in this tab, or sets `$openingError`. */
export async function openProviderPage(page: ProviderPageKind): Promise<void> {
  if ($openingPage.get() !== null) return;
  $openingPage.set(page);
  $openingError.set(null);
  try {
    const { url } = await callAsArtist(PAGE_CALLS[page]);
    // `$openingPage` stays set, so that the buttons stay disabled until the browser leaves.
    location.assign(url);
  } catch (error) {
    $openingError.set(errorText(error));
    $openingPage.set(null);
    // Our server found another state of the subscription than the page shows.
    if (error instanceof ApiError && error.status === 409) revalidate('me');
  }
}

/** After a checkout, the payment provider tells our server of the subscription within seconds. */
const POLL_INTERVAL_MS = 2000;
const POLL_TIMEOUT_MS = 60_000;

/** The checkout that the artist returns from; `late` means that polling the API has timed out. */
export const $checkout = atom<'none' | 'confirming' | 'late' | 'cancelled'>('none');

/** Reads `?checkout=`; if it is `success`, polls the API until it knows of the subscription. */
export async function handleCheckoutReturn(signal: AbortSignal): Promise<void> {
  const result = new URLSearchParams(location.search).get('checkout');
  if (result === 'cancelled') {
    removeCheckoutParam();
    $checkout.set('cancelled');
  }
  if (result !== 'success') return;
  $checkout.set('confirming');
  const deadline = Date.now() + POLL_TIMEOUT_MS;
  while (!(await reloadIsSubscribed()) && !signal.aborted) {
    if (Date.now() > deadline) {
      // The parameter stays in the URL, so that a reload checks again.
      $checkout.set('late');
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  if (signal.aborted) return;
  removeCheckoutParam();
  $checkout.set('none');
  showSuccessToast('You are subscribed.', 'Bookings stay open. Thank you.');
}

/** Loads the artist again, and shows the loaded state. @returns whether they are subscribed */
async function reloadIsSubscribed(): Promise<boolean> {
  try {
    const me = await callAsArtist(fetchMe);
    applyMe(me);
    const kind = toBillingState(me)?.kind;
    return kind === 'subscribed' || kind === 'ending';
  } catch {
    // The caller polls, and its next request may succeed.
    return false;
  }
}

function removeCheckoutParam(): void {
  const url = new URL(location.href);
  url.searchParams.delete('checkout');
  history.replaceState(history.state, '', url);
}
