import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CurrentArtist } from '#contract/artist.ts';
import { HOUR_MS } from '#domain/time.ts';
import {
  $checkout,
  $openingError,
  $openingPage,
  billingWarning,
  handleCheckoutReturn,
  openProviderPage,
  toBillingState,
} from '#stores/studio/billing.ts';
import { $toasts } from '#stores/toasts.ts';
import { SUBSCRIPTION_STATES } from '#support/browser_billing.ts';
import { problemResponse } from '#support/fake_api.ts';
import { ANA_SELF } from '#support/fake_schedule_api.ts';

let me: CurrentArtist;
/** What the API answers to everything but who one is. */
let answer: () => Response | Promise<Response>;
const calls: string[] = [];

beforeEach(() => {
  me = { ...ANA_SELF, ...SUBSCRIPTION_STATES.trial };
  calls.length = 0;
  document.documentElement.dataset['api'] = 'http://api.test';
  vi.stubGlobal('fetch', async (request: Request) => {
    const path = new URL(request.url).pathname.replace('/api/v1/', '');
    calls.push(path);
    return path === 'users/me' ? Response.json(me) : answer();
  });
});

afterEach(() => {
  $checkout.set('none');
  $openingPage.set(null);
  $openingError.set(null);
  $toasts.set([]);
  history.replaceState(null, '', '/studio/billing');
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const KINDS = {
  trial: ['trial', null],
  trialEnds: ['trial', 'trial_ends'],
  trialOver: ['trial_over', 'closed'],
  subscribed: ['subscribed', null],
  ending: ['ending', null],
  grace: ['grace', 'grace'],
  unpaid: ['unpaid', 'closed'],
  ended: ['ended', 'closed'],
} as const satisfies Record<keyof typeof SUBSCRIPTION_STATES, readonly [string, string | null]>;

test.each(Object.entries(KINDS))('an artist who stands so reads it: %s', (name, [kind, news]) => {
  const standing = Object.entries(SUBSCRIPTION_STATES).find(([one]) => one === name)?.[1];
  const plan = toBillingState({ ...ANA_SELF, ...standing });
  expect([plan?.kind, plan && billingWarning(plan, Date.now())]).toEqual([kind, news]);
});

test('where nobody pays there is no plan', () => {
  expect(toBillingState(ANA_SELF)).toBeNull();
});

test('the end of a trial is news from three days before it on', () => {
  const until = Date.parse('2026-12-15T00:00:00Z');
  expect(billingWarning({ kind: 'trial', until }, until - 72 * HOUR_MS)).toBe('trial_ends');
  expect(billingWarning({ kind: 'trial', until }, until - 72 * HOUR_MS - 1)).toBeNull();
});

test('pressed twice, Subscribe opens one checkout', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {});
  answer = () => Response.json({ url: 'https://cards.test/checkout/1' });
  await Promise.all([openProviderPage('checkout'), openProviderPage('checkout')]);
  await openProviderPage('portal');
  expect(calls).toEqual(['users/create-checkout-session']);
  expect(assign.mock.calls).toEqual([['https://cards.test/checkout/1']]);
  // Until the page is left.
  expect($openingPage.get()).toBe('checkout');
});

test('a checkout that does not open says why, and may be tried again', async () => {
  answer = () => problemResponse(503, 'Payments are down. Please try again soon.');
  await openProviderPage('checkout');
  expect($openingError.get()).toBe('Payments are down. Please try again soon.');
  expect($openingPage.get()).toBeNull();
});

test('who comes back from the checkout waits until the subscription is known', async () => {
  vi.useFakeTimers();
  history.replaceState(null, '', '/studio/billing?checkout=success');
  const back = handleCheckoutReturn(new AbortController().signal);
  await vi.advanceTimersByTimeAsync(5000);
  expect($checkout.get()).toBe('confirming');
  me = { ...me, ...SUBSCRIPTION_STATES.subscribed };
  await vi.advanceTimersByTimeAsync(5000);
  await back;
  expect($checkout.get()).toBe('none');
  expect($toasts.get().map(({ title }) => title)).toEqual(['You are subscribed.']);
  expect(location.search).toBe('');
});

test('a subscription that does not come within a minute is no longer waited for', async () => {
  vi.useFakeTimers();
  history.replaceState(null, '', '/studio/billing?checkout=success');
  const back = handleCheckoutReturn(new AbortController().signal);
  await vi.advanceTimersByTimeAsync(70_000);
  await back;
  expect($checkout.get()).toBe('late');
  const asked = calls.length;
  await vi.advanceTimersByTimeAsync(70_000);
  expect(calls).toHaveLength(asked);
});

test('whoever leaves the page is not told of it later', async () => {
  vi.useFakeTimers();
  history.replaceState(null, '', '/studio/billing?checkout=success');
  const leaving = new AbortController();
  const back = handleCheckoutReturn(leaving.signal);
  leaving.abort();
  me = { ...me, ...SUBSCRIPTION_STATES.subscribed };
  await vi.advanceTimersByTimeAsync(10_000);
  await back;
  expect($toasts.get()).toEqual([]);
});
