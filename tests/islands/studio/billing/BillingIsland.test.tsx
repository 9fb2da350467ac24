import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CurrentArtist } from '#contract/artist.ts';
import BillingIsland from '#islands/studio/billing/BillingIsland.tsx';
import { $checkout, $openingError, $openingPage } from '#stores/studio/billing.ts';
import { $toasts } from '#stores/toasts.ts';
import { SUBSCRIPTION_STATES } from '#support/browser_billing.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';
import { ANA_SELF, toastTexts } from '#support/fake_schedule_api.ts';
import { logInAgain } from '#support/query_stores.ts';

let me: CurrentArtist;
let calls: ApiCall[];
/** What the API answers to the way to the card provider. */
let answer: () => Response | object;
let leftFor: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  answer = () => ({ url: 'https://cards.test/page' });
  calls = stubApi(({ path }) => (path === 'users/me' ? me : answer()));
  leftFor = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
});

afterEach(() => {
  cleanup();
  $checkout.set('none');
  $openingPage.set(null);
  $openingError.set(null);
  $toasts.set([]);
  history.replaceState(null, '', '/studio/billing');
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** The page of an artist who stands so. */
async function open(
  standing: keyof typeof SUBSCRIPTION_STATES,
  address = '/studio/billing',
): Promise<void> {
  me = { ...ANA_SELF, ...SUBSCRIPTION_STATES[standing] };
  history.replaceState(null, '', address);
  await logInAgain();
  render(<BillingIsland productName="Linework" />);
  await waitFor(() => expect(screen.queryByText(/^Loading/)).toBeNull());
}

const heading = () => screen.getByRole('heading', { level: 2 }).textContent;
const subscribe = () => screen.queryByRole('button', { name: 'Subscribe' });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

const PAGES = {
  trial: ['You are on the free trial', 'Bookings are open', 'Your trial runs until'],
  trialOver: ['Your trial is over', 'Bookings are closed', 'Clients cannot book with you until'],
  subscribed: ['You are subscribed', 'Bookings are open', 'The next payment is on'],
  ending: ['Your subscription is cancelled', 'Bookings are open', 'you can renew it'],
  grace: ['A payment failed', 'Bookings are open', 'Bookings stay open until'],
  unpaid: ['A payment failed', 'Bookings are closed', 'until you update your card'],
  ended: ['Your subscription has ended', 'Bookings are closed', 'until you subscribe again'],
} as const;

const PORTAL_BUTTONS = {
  subscribed: 'Manage subscription',
  ending: 'Renew or manage',
  grace: 'Update your card',
  unpaid: 'Update your card',
  ended: 'See past invoices',
} as const;

test.each(['trial', 'trialOver', 'subscribed', 'ending', 'grace', 'unpaid', 'ended'] as const)(
  'the page says how the artist stands: %s',
  async (standing) => {
    await open(standing);
    const [title, bookings, text] = PAGES[standing];
    expect(heading()).toBe(title);
    screen.getByText(bookings);
    screen.getByText(new RegExp(text));
    // The page itself says all that the others would lead here for.
    expect(screen.queryByRole('link', { name: 'Go to Billing' })).toBeNull();
  },
);

test.each(['trial', 'trialOver', 'ended'] as const)(
  'Subscribe leads to the checkout: %s',
  async (standing) => {
    await open(standing);
    await press('Subscribe');
    await waitFor(() => expect(leftFor).toHaveBeenCalledWith('https://cards.test/page'));
    expect(calls.map(({ path }) => path)).toContain('users/create-checkout-session');
  },
);

test.each(['subscribed', 'ending', 'grace', 'unpaid', 'ended'] as const)(
  'cards and invoices are on the card provider’s pages: %s',
  async (standing) => {
    await open(standing);
    expect(subscribe() !== null).toBe(standing === 'ended');
    await press(PORTAL_BUTTONS[standing]);
    await waitFor(() => expect(leftFor).toHaveBeenCalledWith('https://cards.test/page'));
    expect(calls.map(({ path }) => path)).toContain('users/create-billing-portal');
  },
);

test('a card provider that does not answer is told, and another try works', async () => {
  await open('trial');
  answer = () => problemResponse(503, 'Please try again soon.');
  await press('Subscribe');
  const told = await screen.findByText(/did not open\. Please try again soon\./);
  expect(told.closest('[role=alert]')).not.toBeNull();
  answer = () => ({ url: 'https://cards.test/page' });
  await press('Subscribe');
  await waitFor(() => expect(leftFor).toHaveBeenCalledOnce());
  expect(screen.queryByText(/did not open/)).toBeNull();
});

test('an artist who leaves the checkout reads that nothing was charged, and may subscribe', async () => {
  await open('trial', '/studio/billing?checkout=cancelled');
  await screen.findByText(/nothing was charged/);
  expect(location.search).toBe('');
  expect(subscribe()?.hasAttribute('disabled')).toBe(false);
});

test('an artist who paid cannot pay again while the subscription is being confirmed', async () => {
  await open('trial', '/studio/billing?checkout=success');
  me = { ...me, ...SUBSCRIPTION_STATES.subscribed };
  await screen.findByText(/is being confirmed/);
  expect(subscribe()).toBeNull();
  await waitFor(() => expect(toastTexts()[0]).toContain('You are subscribed.'), { timeout: 5000 });
  expect(heading()).toBe('You are subscribed');
  expect(location.search).toBe('');
});

test('an artist who comes back by the browser’s Back may subscribe', async () => {
  await open('trial');
  await press('Subscribe');
  await screen.findByRole('button', { name: 'Opening the checkout…' });
  dispatchEvent(new Event('pageshow'));
  await waitFor(() => expect(subscribe()?.hasAttribute('disabled')).toBe(false));
});
