import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CurrentArtist } from '#contract/artist.ts';
import { BillingBanner } from '#islands/studio/billing/BillingBanner.tsx';
import BillingIsland from '#islands/studio/billing/BillingIsland.tsx';
import { $checkout, $openingError, $openingPage } from '#stores/studio/billing.ts';
import { SUBSCRIPTION_STATES } from '#support/browser_billing.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';
import { ANA_SELF } from '#support/fake_schedule_api.ts';
import { press } from '#support/fake_studio_api.ts';
import { logInAgain } from '#support/query_stores.ts';

let me: CurrentArtist;
let calls: ApiCall[];
/** Response of the API to a request for a page of the payment provider. */
let respond: () => Response | object;
let navigate: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  respond = () => ({ url: 'https://cards.test/page' });
  calls = stubApi(({ path }) => (path === 'users/me' ? me : respond()));
  navigate = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
});

afterEach(() => {
  cleanup();
  $checkout.set('none');
  $openingPage.set(null);
  $openingError.set(null);
});

/** Opens the page of an artist with this subscription. */
async function openPage(
  state: keyof typeof SUBSCRIPTION_STATES,
  address = '/studio/billing',
): Promise<void> {
  me = { ...ANA_SELF, ...SUBSCRIPTION_STATES[state] };
  history.replaceState(null, '', address);
  await logInAgain();
  render(<BillingIsland productName="Linework" />);
  await waitFor(() => expect(screen.queryByText(/^Loading/)).toBeNull());
}

const subscribe = () => screen.queryByRole('button', { name: 'Subscribe' });

const PAGES = [
  ['trial', 'You are on the free trial', 'open', 'Your trial runs until', 'Subscribe'],
  ['trialOver', 'Your trial is over', 'closed', 'Clients cannot book with you until', 'Subscribe'],
  ['subscribed', 'You are subscribed', 'open', 'The next payment is on', 'Manage subscription'],
  ['ending', 'Your subscription is cancelled', 'open', 'you can renew it', 'Renew or manage'],
  ['grace', 'A payment failed', 'open', 'Bookings stay open until', 'Update your card'],
  ['unpaid', 'A payment failed', 'closed', 'until you update your card', 'Update your card'],
  ['paused', 'Your subscription is paused', 'closed', 'until you resume', 'Resume subscription'],
  ['ended', 'Your subscription has ended', 'closed', 'subscribe again', 'See past invoices'],
] as const;

test.each(PAGES)(
  'the page shows the state of the subscription, and its button opens the provider: %s',
  async (...page) => {
    const [state, title, bookings, text, button] = page;
    await openPage(state);
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(title);
    screen.getByText(`Bookings are ${bookings}`);
    screen.getByText(new RegExp(text));
    // The banner of other pages would only link to this one.
    expect(screen.queryByRole('link', { name: 'Go to Billing' })).toBeNull();
    const canSubscribe = ['trial', 'trialOver', 'ended'].includes(state);
    expect(subscribe() !== null).toBe(canSubscribe);
    await press(button);
    await waitFor(() => expect(navigate).toHaveBeenCalledWith('https://cards.test/page'));
    const opened = button === 'Subscribe' ? 'checkout-session' : 'billing-portal';
    expect(calls.map(({ path }) => path)).toContain(`users/create-${opened}`);
  },
);

test('an artist who is found to have a subscription already sees it, with the portal', async () => {
  await openPage('ended');
  me = { ...me, ...SUBSCRIPTION_STATES.paused };
  respond = () => problemResponse(409, 'You have a subscription already');
  await press('Subscribe');
  await screen.findByRole('button', { name: 'Resume subscription' });
  expect(subscribe()).toBeNull();
});

test('a failed checkout shows the error and can be repeated', async () => {
  await openPage('trial');
  respond = () => problemResponse(503, 'Please try again soon.');
  await press('Subscribe');
  const message = await screen.findByText(/did not open\. Please try again soon\./);
  expect(message.closest('[role=alert]')).not.toBeNull();
  respond = () => ({ url: 'https://cards.test/page' });
  await press('Subscribe');
  await waitFor(() => expect(navigate).toHaveBeenCalledOnce());
  expect(screen.queryByText(/did not open/)).toBeNull();
});

test('after a cancelled checkout the page says that nothing was charged, and Subscribe is enabled', async () => {
  await openPage('trial', '/studio/billing?checkout=cancelled');
  await screen.findByText(/nothing was charged/);
  expect(location.search).toBe('');
  expect(subscribe()?.hasAttribute('disabled')).toBe(false);
});

test('after a checkout there is no Subscribe button while the subscription is being confirmed', async () => {
  await openPage('trial', '/studio/billing?checkout=success');
  await screen.findByText(/is being confirmed/);
  expect(subscribe()).toBeNull();
});

test('Subscribe is enabled again after the browser’s Back button (pageshow)', async () => {
  await openPage('trial');
  await press('Subscribe');
  await screen.findByRole('button', { name: 'Opening the checkout…' });
  dispatchEvent(new Event('pageshow'));
  await waitFor(() => expect(subscribe()?.hasAttribute('disabled')).toBe(false));
});

function renderBanner(state: keyof typeof SUBSCRIPTION_STATES): string {
  const { container } = render(
    <BillingBanner me={{ ...ANA_SELF, ...SUBSCRIPTION_STATES[state] }} />,
  );
  return container.textContent;
}

test.each([
  ['trialEnds', 'Your trial ends on'],
  ['trialOver', 'Your trial is over: clients cannot book'],
  ['grace', 'A payment failed. Bookings stay open until'],
  ['unpaid', 'A payment failed: clients cannot book'],
  ['paused', 'Your subscription is paused: clients cannot book'],
  ['ended', 'Your subscription has ended: clients cannot book'],
] as const)('the banner shows the problem and links to billing: %s', (state, text) => {
  expect(renderBanner(state)).toContain(text);
  const link = screen.getByRole('link', { name: 'Go to Billing' });
  expect(link.getAttribute('href')).toBe('/studio/billing');
});

test.each(['trial', 'subscribed', 'ending'] as const)('there is no banner: %s', (state) => {
  expect(renderBanner(state)).toBe('');
});
