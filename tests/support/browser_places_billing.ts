import { expect, type Page } from '@playwright/test';
import { STANDINGS, standSo } from './browser_billing.ts';
import { button } from './browser_booking.ts';
import { logInAs } from './browser_login.ts';
import type { Place } from './browser_places.ts';
import { newArtist } from './browser_studio.ts';

type Standing = keyof typeof STANDINGS;

const BILLING = '/studio/billing';

/** The studio in every standing of its artist, on a site where nobody pays. */
export const BILLING_PLACES: readonly Place[] = [
  ...(
    [
      ['trial', 'You are on the free trial'],
      ['trialOver', 'Your trial is over'],
      ['subscribed', 'You are subscribed'],
      ['ending', 'Your subscription is cancelled'],
      ['grace', 'A payment failed'],
      ['unpaid', 'A payment failed'],
      ['ended', 'Your subscription has ended'],
    ] as const
  ).map(
    ([standing, heading]): Place => ({
      name: `billing: ${heading} (${standing})`,
      async open(page) {
        await openTestApp(page, BILLING, standing);
        await expect(page.getByRole('heading', { name: heading })).toBeVisible();
      },
    }),
  ),
  {
    name: 'billing where there is nothing to pay',
    async open(page) {
      await logInAs(page, await newArtist());
      await page.goto(BILLING);
      await expect(page.getByText('There is nothing to pay')).toBeVisible();
    },
  },
  {
    name: 'billing after a checkout that was left',
    async open(page) {
      await openTestApp(page, `${BILLING}?checkout=cancelled`, 'trial');
      await expect(page.getByText('nothing was charged')).toBeVisible();
    },
  },
  {
    name: 'billing while a payment is being confirmed',
    async open(page) {
      await openTestApp(page, `${BILLING}?checkout=success`, 'trialOver');
      await expect(page.getByText('is being confirmed')).toBeVisible();
    },
  },
  {
    name: 'billing when the card provider does not answer',
    async open(page, watch) {
      watch.expectTrouble(/create-checkout-session\/?: 503/);
      await page.route('**/create-checkout-session*', (route) =>
        route.fulfill({ status: 503, json: { detail: 'Please try again soon.' } }),
      );
      await openTestApp(page, BILLING, 'trialOver');
      await button(page, 'Subscribe').click();
      await expect(page.getByText('did not open')).toBeVisible();
    },
  },
  ...(['trialEnds', 'grace', 'ended'] as const).map(
    (standing): Place => ({
      name: `home with news of billing: ${standing}`,
      async open(page) {
        await openTestApp(page, '/', standing);
        await expect(page.getByRole('link', { name: 'Go to Billing' })).toBeVisible();
      },
    }),
  ),
];

async function openTestApp(page: Page, path: string, standing: Standing): Promise<void> {
  await standSo(page, STANDINGS[standing]);
  await logInAs(page, await newArtist());
  await page.goto(path);
}
