import { expect, type Page } from '@playwright/test';
import { newSiteArtist } from './browser_api.ts';
import { mockSubscription, SUBSCRIPTION_STATES } from './browser_billing.ts';
import { button } from './browser_booking.ts';
import { openAs } from './browser_login.ts';
import type { PageStates } from './browser_page_states.ts';

const BILLING_PATH = '/studio/billing';

const HEADINGS = [
  ['trial', 'You are on the free trial'],
  ['trialOver', 'Your trial is over'],
  ['subscribed', 'You are subscribed'],
  ['ending', 'Your subscription is cancelled'],
  ['grace', 'A payment failed'],
  ['unpaid', 'A payment failed'],
  ['ended', 'Your subscription has ended'],
] as const;

/** The studio in every state of a subscription, mocked on a site without billing. */
export const BILLING_PAGE_STATES: PageStates = {
  ...Object.fromEntries(
    HEADINGS.map(([state, heading]) => [
      `billing: ${heading} (${state})`,
      async (page: Page) => {
        await openBilling(page, BILLING_PATH, state);
        await expect(page.getByRole('heading', { name: heading })).toBeVisible();
      },
    ]),
  ),
  'billing where there is nothing to pay': async (page) => {
    await openAs(page, await newSiteArtist(), BILLING_PATH);
    await expect(page.getByText('There is nothing to pay')).toBeVisible();
  },
  'billing after a cancelled checkout': async (page) => {
    await openBilling(page, `${BILLING_PATH}?checkout=cancelled`, 'trial');
    await expect(page.getByText('nothing was charged')).toBeVisible();
  },
  'billing while a payment is being confirmed': async (page) => {
    await openBilling(page, `${BILLING_PATH}?checkout=success`, 'trialOver');
    await expect(page.getByText('is being confirmed')).toBeVisible();
  },
  'billing when the card provider does not answer': async (page, watch) => {
    watch.expectError(/create-checkout-session\/?: 503/);
    await page.route('**/create-checkout-session*', (route) =>
      route.fulfill({ status: 503, json: { detail: 'Please try again soon.' } }),
    );
    await openBilling(page, BILLING_PATH, 'trialOver');
    await button(page, 'Subscribe').click();
    await expect(page.getByText('did not open')).toBeVisible();
  },
  ...Object.fromEntries(
    (['trialEnds', 'grace', 'ended'] as const).map((state) => [
      `home with a billing notice: ${state}`,
      async (page: Page) => {
        await openBilling(page, '/', state);
        await expect(page.getByRole('link', { name: 'Go to Billing' })).toBeVisible();
      },
    ]),
  ),
};

async function openBilling(
  page: Page,
  path: string,
  state: keyof typeof SUBSCRIPTION_STATES,
): Promise<void> {
  await mockSubscription(page, SUBSCRIPTION_STATES[state]);
  await openAs(page, await newSiteArtist(), path);
}
