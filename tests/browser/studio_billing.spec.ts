import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { expectAccessible } from '#support/browser_axe.ts';
import {
  button,
  expectTyped,
  fillIn,
  openForm,
  pickSlot,
  scriptsDone,
  toast,
} from '#support/browser_booking.ts';
import { told } from '#support/browser_clients.ts';
import { changeRows } from '#support/browser_database.ts';
import { expectFits } from '#support/browser_layout.ts';
import { logInAs } from '#support/browser_login.ts';
import { serveInstead, siteUrl } from '#support/browser_server.ts';
import { bookSlot, FILLED_FORM, openDays } from '#support/browser_studio.ts';
import type { Watch } from '#support/browser_watch.ts';
import { expectOk } from '#support/calls.ts';
import { type CardProvider, openCardProvider } from '#support/card_provider.ts';
import type { TestArtist } from '#support/new_artist.ts';

const CLOSED = 'This artist is not taking bookings now.';
const BILLING = '/studio/billing';

// A site of their own, where artists pay.
test.describe.configure({ mode: 'default', timeout: 90_000 });
let provider: CardProvider;
let stop: () => Promise<void>;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  provider = await openCardProvider();
  stop = await serveInstead(provider.env);
  provider.tell(`${siteUrl()}/api/v1/users/webhook`);
  // Trials begin with sign-up and not with billing.
  await changeRows("UPDATE billing SET since = now() - interval '1 year'", []);
});

test.afterAll(async () => {
  await stop();
  await provider[Symbol.asyncDispose]();
});

test.afterEach(() => provider.be('well'));

/** The artist signed up fifteen days ago. */
async function trialIsOver({ self }: TestArtist): Promise<void> {
  await changeRows("UPDATE artists SET created_at = now() - interval '15 days' WHERE id = $1", [
    self.id,
  ]);
}

/** The card provider's own pages are elsewhere, and keep to nobody's policy. */
function expectProvider(watch: Watch, page: 'checkout' | 'portal'): void {
  watch.expectTrouble(new RegExp(`^foreign request: (GET|POST) ${provider.url}/${page}/`));
  watch.expectTrouble(new RegExp(`^policy of /${page}/`));
}

async function openBilling(page: Page, artist: TestArtist): Promise<void> {
  await logInAs(page, artist);
  await page.goto(BILLING);
}

async function subscribe(page: Page): Promise<void> {
  await button(page, 'Subscribe').click();
  await page.waitForURL(`${provider.url}/checkout/**`);
  await button(page, 'Subscribe').click();
  await page.waitForURL(`${siteUrl()}${BILLING}**`);
  await expect(told(page, 'You are subscribed.')).toBeVisible({ timeout: 20_000 });
  await expect(page).toHaveURL(`${siteUrl()}${BILLING}`);
}

test('an artist on trial subscribes at the checkout and comes back subscribed', async ({
  page,
  artist,
  watch,
}) => {
  expectProvider(watch, 'checkout');
  await openBilling(page, artist);
  await expect(page.getByRole('heading', { name: 'You are on the free trial' })).toBeVisible();
  await subscribe(page);
  await expect(page.getByRole('heading', { name: 'You are subscribed' })).toBeVisible();
  await expect(button(page, 'Subscribe')).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('The next payment is on')).toBeVisible();
});

test('after the trial bookings are closed, in the studio and on the page, until they subscribe', async ({
  page,
  artist,
  watch,
}) => {
  expectProvider(watch, 'checkout');
  const { username, service } = artist;
  const [slot] = (await openDays(artist))[0]?.windows ?? [];
  if (!slot) throw new Error('No open days');
  await trialIsOver(artist);
  for (const path of ['', 'about', 'services', `scheduling?service=${service.id}`]) {
    await page.goto(`/${username}/${path}`);
    await expect(page.getByText(CLOSED)).toBeVisible();
    await expect(
      page.getByRole('link', { name: `write to ${username}`, exact: true }),
    ).toBeVisible();
    await expect(page.getByRole('link', { name: 'Email Me' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Book Now!' })).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'Select An Appointment' })).toHaveCount(0);
    await expect(page.locator('astro-island')).toHaveCount(0);
  }
  expect((await bookSlot(artist, slot)).body.detail).toBe(CLOSED);

  await logInAs(page, artist);
  await page.goto('/studio/services');
  await expect(page.getByText('Your trial is over: clients cannot book')).toBeVisible();
  await page.getByRole('link', { name: 'Go to Billing' }).click();
  await expect(page.getByRole('heading', { name: 'Your trial is over' })).toBeVisible();
  await expect(page.getByText('Bookings are closed')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Go to Billing' })).toHaveCount(0);
  await subscribe(page);
  await expect(page.getByText('Bookings are open')).toBeVisible();

  await page.goto(`/${username}/services`);
  await expect(page.getByRole('link', { name: 'Book Now!' })).toBeVisible();
  await expect(page.getByText(CLOSED)).toHaveCount(0);
  await expectOk(bookSlot(artist, slot));
});

test('axe finds nothing on pages of closed books, and nothing sticks out of them', async ({
  page,
  artist,
}) => {
  await trialIsOver(artist);
  for (const path of ['', 'services', 'scheduling'])
    await test.step(`/${path}`, async () => {
      await page.goto(`/${artist.username}/${path}`);
      await expect(page.getByText(CLOSED)).toBeVisible();
      await expectFits(page);
      await expectAccessible(page);
    });
});

test('bookings that close while a client types are told, and what was typed stays', async ({
  page,
  artist,
  watch,
}) => {
  const [day] = await openDays(artist);
  const [slot] = day?.windows ?? [];
  if (!day || !slot) throw new Error('No open days');
  await openForm(page, artist);
  await pickSlot(page, day, slot);
  await fillIn(page, FILLED_FORM);
  await trialIsOver(artist);
  watch.expectTrouble(/request\/service.*: 409/);
  await button(page, 'Save').click();
  await expect(toast(page, CLOSED)).toBeVisible();
  await expectTyped(page, FILLED_FORM);
});

test('requests that close while a client types are told, and what was typed stays', async ({
  page,
  managedArtist,
  watch,
}) => {
  await page.goto(`/${managedArtist.username}/scheduling`);
  await fillIn(page, FILLED_FORM);
  await trialIsOver(managedArtist);
  watch.expectTrouble(/request\/design.*: 409/);
  await button(page, 'Save').click();
  await expect(toast(page, CLOSED)).toBeVisible();
  await expectTyped(page, FILLED_FORM);
});

test('a client confirms what they picked before bookings closed', async ({ page, artist }) => {
  const [slot] = (await openDays(artist))[0]?.windows ?? [];
  if (!slot) throw new Error('No open days');
  const { id } = await expectOk(bookSlot(artist, slot));
  await trialIsOver(artist);
  await page.goto(`/${artist.username}/confirmation/${id}/`);
  await scriptsDone(page);
  await expect(page.getByText(CLOSED)).toHaveCount(0);
  await button(page, 'Confirm Appointment').click();
  await expect(page.getByRole('heading', { name: "You're booked!" })).toBeVisible();
});

test('who leaves the checkout reads that nothing was charged', async ({ page, artist, watch }) => {
  expectProvider(watch, 'checkout');
  await openBilling(page, artist);
  await button(page, 'Subscribe').click();
  await page.waitForURL(`${provider.url}/checkout/**`);
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page.getByText('nothing was charged')).toBeVisible();
  await expect(page).toHaveURL(`${siteUrl()}${BILLING}`);
  await expect(button(page, 'Subscribe')).toBeEnabled();
});

test('a subscription is cancelled and renewed on the provider’s page, and shown', async ({
  page,
  artist,
  watch,
}) => {
  expectProvider(watch, 'checkout');
  expectProvider(watch, 'portal');
  await openBilling(page, artist);
  await subscribe(page);
  await button(page, 'Manage subscription').click();
  await page.waitForURL(`${provider.url}/portal/**`);
  await button(page, 'Cancel at period end').click();
  await page.getByRole('link', { name: 'Back' }).click();
  await page.waitForURL(`${siteUrl()}${BILLING}`);
  await becomes(page, 'Your subscription is cancelled');
  await expect(page.getByText('bookings stay open, and you can renew it')).toBeVisible();
  await button(page, 'Renew or manage').click();
  await button(page, "Don't cancel").click();
  await page.getByRole('link', { name: 'Back' }).click();
  await page.waitForURL(`${siteUrl()}${BILLING}`);
  await becomes(page, 'You are subscribed');
});

test('a payment that failed is told on every page, with the time that is left', async ({
  page,
  artist,
  watch,
}) => {
  expectProvider(watch, 'checkout');
  await openBilling(page, artist);
  await subscribe(page);
  const customer = [...provider.customers.values()].find(
    ({ email }) => email === artist.self.email,
  );
  const theirs = [...provider.subscriptions.values()].find((one) => one.customer === customer?.id);
  await provider.failPayment(theirs?.id ?? '');
  await becomes(page, 'A payment failed');
  await expect(button(page, 'Update your card')).toBeVisible();
  await page.goto('/');
  await expect(page.getByText('A payment failed. Bookings stay open until')).toBeVisible();
});

test('a card provider that does not answer is told, and another try works', async ({
  page,
  artist,
  watch,
}) => {
  expectProvider(watch, 'checkout');
  watch.expectTrouble(/create-checkout-session\/?: 503/);
  await openBilling(page, artist);
  provider.be('unreachable');
  await button(page, 'Subscribe').click();
  await expect(page.getByRole('alert').filter({ hasText: 'did not open' })).toBeVisible({
    timeout: 30_000,
  });
  provider.be('well');
  await subscribe(page);
});

test('the trial is told on every page when it is about to end', async ({ page, artist }) => {
  await logInAs(page, artist);
  await page.goto('/studio/hours');
  await expect(page.locator(`a[href="${BILLING}"]`)).not.toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Go to Billing' })).toHaveCount(0);
  await changeRows("UPDATE artists SET created_at = now() - interval '12 days' WHERE id = $1", [
    artist.self.id,
  ]);
  await page.reload();
  await expect(page.getByText('Your trial ends on')).toBeVisible();
});

/** What the provider told is handled after it was answered. */
async function becomes(page: Page, heading: string): Promise<void> {
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('heading', { name: heading })).toBeVisible({ timeout: 2000 });
  }).toPass({ timeout: 30_000 });
}
