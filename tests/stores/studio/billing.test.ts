import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CurrentArtist } from '#contract/artist.ts';
import { HOUR_MS } from '#domain/time/time.ts';
import {
  $checkout,
  $openingError,
  $openingPage,
  handleCheckoutReturn,
  needsWarning,
  openProviderPage,
} from '#stores/studio/billing.ts';
import { $toasts } from '#stores/toasts.ts';
import { SUBSCRIPTION_STATES } from '#support/browser_billing.ts';
import { type ApiCall, stubApi } from '#support/fake_api.ts';
import { ANA_SELF } from '#support/fake_schedule_api.ts';

let me: CurrentArtist;
/** Response of the API to every call except `users/me`. */
let respond: () => object;
let calls: ApiCall[];

beforeEach(() => {
  me = { ...ANA_SELF, ...SUBSCRIPTION_STATES.trial };
  calls = stubApi(({ path }) => (path === 'users/me' ? me : respond()));
});

afterEach(() => {
  $checkout.set('none');
  $openingPage.set(null);
  $openingError.set(null);
});

test('the warning that a trial ends appears three days before its end', () => {
  const until = Date.parse('2026-12-15T00:00:00Z');
  expect(needsWarning({ kind: 'trial', until }, until - 72 * HOUR_MS)).toBe(true);
  expect(needsWarning({ kind: 'trial', until }, until - 72 * HOUR_MS - 1)).toBe(false);
});

test('concurrent and further calls open the provider page only once', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {});
  respond = () => ({ url: 'https://cards.test/checkout/1' });
  await Promise.all([openProviderPage('checkout'), openProviderPage('checkout')]);
  await openProviderPage('portal');
  expect(calls.map(({ path }) => path)).toEqual(['users/create-checkout-session']);
  expect(assign.mock.calls).toEqual([['https://cards.test/checkout/1']]);
  // The button stays busy until the browser leaves the page.
  expect($openingPage.get()).toBe('checkout');
});

/** Opens the page to which the provider leads after a checkout. */
function returnFromCheckout(signal = new AbortController().signal): Promise<void> {
  vi.useFakeTimers();
  history.replaceState(null, '', '/studio/billing?checkout=success');
  return handleCheckoutReturn(signal);
}

test('after a checkout the page waits until the API reports the subscription', async () => {
  const checkoutReturn = returnFromCheckout();
  await vi.advanceTimersByTimeAsync(5000);
  expect($checkout.get()).toBe('confirming');
  me = { ...me, ...SUBSCRIPTION_STATES.subscribed };
  await vi.advanceTimersByTimeAsync(5000);
  await checkoutReturn;
  expect($checkout.get()).toBe('none');
  expect($toasts.get().map(({ title }) => title)).toEqual(['You are subscribed.']);
  expect(location.search).toBe('');
});

test('the page stops polling for the subscription after about a minute', async () => {
  const checkoutReturn = returnFromCheckout();
  await vi.advanceTimersByTimeAsync(70_000);
  await checkoutReturn;
  expect($checkout.get()).toBe('late');
  const callsBefore = calls.length;
  await vi.advanceTimersByTimeAsync(70_000);
  expect(calls).toHaveLength(callsBefore);
});

test('no toast appears when the artist has left the page during the wait', async () => {
  const controller = new AbortController();
  const checkoutReturn = returnFromCheckout(controller.signal);
  controller.abort();
  me = { ...me, ...SUBSCRIPTION_STATES.subscribed };
  await vi.advanceTimersByTimeAsync(10_000);
  await checkoutReturn;
  expect($toasts.get()).toEqual([]);
});
