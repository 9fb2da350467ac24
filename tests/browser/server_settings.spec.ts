import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { bookSiteSlot, listOpenDays } from '#support/browser_api.ts';
import { addDesigns } from '#support/browser_artwork.ts';
import { expectAccessible } from '#support/browser_axe.ts';
import { button, waitForHydration } from '#support/browser_booking.ts';
import { successToast } from '#support/browser_clients.ts';
import { runStatement } from '#support/browser_database.ts';
import type { ErrorWatch } from '#support/browser_errors.ts';
import { expectFits } from '#support/browser_layout.ts';
import { logInAs } from '#support/browser_login.ts';
import { serveOtherSite, siteUrl } from '#support/browser_server.ts';
import { expectOk } from '#support/call_api.ts';
import { type FakeStripe, openFakeStripe } from '#support/fake_stripe.ts';
import { attributeOf, fetchPage, fetchSite, fetchText, listTagValues } from '#support/html_page.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { findThing, parseStructuredData } from '#support/structured_data.ts';

const CLOSED = 'This artist is not taking bookings now.';
const BILLING = '/studio/billing';

const NAME = 'Nadel & Co';

// A site with non-default settings: a product name and a card provider. The tests run in order,
// because the first one counts artists.
test.describe.configure({ mode: 'default', timeout: 90_000 });
/** The public URL of that site. */
let site: string;
let provider: FakeStripe;
let stop: () => Promise<void>;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  provider = await openFakeStripe();
  stop = await serveOtherSite({ ...provider.env, PRODUCT_NAME: NAME });
  site = siteUrl();
  provider.setWebhook(`${siteUrl()}/api/v1/users/webhook`);
  // Billing began a year ago, so that trials start with signup.
  await runStatement("UPDATE billing SET since = now() - interval '1 year'", []);
});

test.afterAll(async () => {
  await stop();
  await provider[Symbol.asyncDispose]();
});

/** Moves the artist's signup fifteen days back. */
async function endTrial({ self }: TestArtist): Promise<void> {
  await runStatement("UPDATE artists SET created_at = now() - interval '15 days' WHERE id = $1", [
    self.id,
  ]);
}

/** Expects the errors of the provider's pages: another origin, without our CSP. */
function expectProvider(watch: ErrorWatch, page: 'checkout' | 'portal'): void {
  watch.expectError(new RegExp(`^foreign request: (GET|POST) ${provider.url}/${page}/`));
  watch.expectError(new RegExp(`^policy of /${page}/`));
}

async function followBackLink(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Back' }).click();
  await page.waitForURL(`${siteUrl()}${BILLING}**`);
  await expect(page).toHaveURL(`${siteUrl()}${BILLING}`);
}

function secondNow(): number {
  return Math.floor(Date.now() / 1000);
}

/** Reloads until the heading appears, because webhook events are handled after the response. */
async function waitForHeading(page: Page, heading: string): Promise<void> {
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('heading', { name: heading })).toBeVisible({ timeout: 2000 });
  }).toPass({ timeout: 30_000 });
}

test('the sitemap is split before it can have more than 10,000 URLs', async () => {
  // Together with `ana` and `bo`, one artist more than fits into one sitemap.
  await runStatement(
    `INSERT INTO artists (username, email, mailbox, full_name, password_hash, scheduling_type, studio_id)
      SELECT 'many-' || n, n || '@example.com', n || '@example.com', 'Rosa Quint', 'none', 'service', studio_id
      FROM generate_series(1, 180) AS n, artists WHERE username = 'ana'`,
    [],
  );
  const index = await fetchText('/sitemap.xml', 'application/xml');
  expect(index).toContain('<sitemapindex');
  const parts = listTagValues(index, 'loc');
  expect(parts).toEqual([`${site}/sitemaps/1.xml`, `${site}/sitemaps/2.xml`]);
  const pages: string[] = [];
  for (const part of parts) {
    const urls = listTagValues(await fetchText(part, 'application/xml'), 'loc');
    expect(urls.length).toBeLessThanOrEqual(10_000);
    pages.push(...urls);
  }
  const isDesign = (url: string) => url.includes('/designs/');
  expect(pages.filter(isDesign).length).toBeGreaterThan(10);
  // `bo` sets the times and has no services page.
  expect(pages.filter((url) => !isDesign(url))).toHaveLength(3 + 5 * 182 - 1);
  expect(new Set(pages).size).toBe(pages.length);
  expect((await fetchSite('/sitemaps/3.xml')).status).toBe(404);
});

test('pages use SITE_URL for any Host header, and PRODUCT_NAME everywhere', async () => {
  const otherUrl = site.replace('127.0.0.1', 'localhost');
  expect(otherUrl).not.toBe(site);
  const { document } = await fetchPage(`${otherUrl}/ana/`);
  expect(attributeOf(document, 'link[rel=canonical]', 'href')).toBe(`${site}/ana/`);
  const text = document.querySelector('script[type="application/ld+json"]')?.textContent ?? '';
  const things = parseStructuredData(text);
  expect(text).not.toContain(otherUrl);
  expect(findThing(things, 'BreadcrumbList').itemListElement[0]).toMatchObject({
    name: NAME,
    item: `${site}/`,
  });
  const robots = await fetchText(`${otherUrl}/robots.txt`, 'text/plain');
  expect(robots).toContain(`Sitemap: ${site}/sitemap.xml`);
  const manifest = await fetchText(`${otherUrl}/manifest.webmanifest`, 'application/');
  expect(JSON.parse(manifest)).toMatchObject({ name: NAME, short_name: NAME });
});

test('after the trial the public pages and the studio say that bookings are closed, until the artist subscribes', async ({
  page,
  artist,
  watch,
}) => {
  expectProvider(watch, 'checkout');
  expectProvider(watch, 'portal');
  const { username, service } = artist;
  const [first, second] = (await listOpenDays(artist)).flatMap(({ windows }) =>
    windows.slice(0, 1),
  );
  if (!first || !second) throw new Error('No open days');
  const held = await expectOk(bookSiteSlot(artist, first));
  await endTrial(artist);

  for (const path of ['', 'about', 'services', `scheduling?service=${service.id}`])
    await test.step(`/${path} takes no bookings`, async () => {
      await page.goto(`/${username}/${path}`);
      await expect(page.getByText(CLOSED)).toBeVisible();
      await expect(
        page.getByRole('link', { name: `write to ${username}`, exact: true }),
      ).toBeVisible();
      await expect(page.getByRole('link', { name: 'Email Me' })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Book Now!' })).toHaveCount(0);
      await expect(page.getByRole('heading', { name: 'Select An Appointment' })).toHaveCount(0);
      await expect(page.locator('astro-island')).toHaveCount(0);
      if (path === 'about') return;
      await expectFits(page);
      await expectAccessible(page);
    });
  const [design] = await addDesigns(artist, ['Swallow']);
  await page.goto(`/${username}/designs/${design?.id}`);
  await expect(page.getByText(CLOSED)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Swallow' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Book Now!' })).toHaveCount(0);
  expect((await bookSiteSlot(artist, second)).body.detail).toBe(CLOSED);

  await test.step('a client can still confirm a slot that was held before', async () => {
    await page.goto(`/${username}/confirmation/${held.id}/`);
    await waitForHydration(page);
    await expect(page.getByText(CLOSED)).toHaveCount(0);
    await button(page, 'Confirm Appointment').click();
    await expect(page.getByRole('heading', { name: "You're booked!" })).toBeVisible();
  });

  await test.step('the studio links to billing', async () => {
    await logInAs(page, artist);
    await page.goto('/studio/services');
    await expect(page.getByText('Your trial is over: clients cannot book')).toBeVisible();
    await page.getByRole('link', { name: 'Go to Billing' }).click();
    await expect(page.getByRole('heading', { name: 'Your trial is over' })).toBeVisible();
    await expect(page.getByText('Bookings are closed')).toBeVisible();
  });

  await test.step('after leaving the checkout, billing says that nothing was charged', async () => {
    await button(page, 'Subscribe').click();
    await page.waitForURL(`${provider.url}/checkout/**`);
    await followBackLink(page);
    await expect(page.getByText('nothing was charged')).toBeVisible();
  });

  await test.step('after the checkout, billing shows the subscription', async () => {
    await button(page, 'Subscribe').click();
    await page.waitForURL(`${provider.url}/checkout/**`);
    await button(page, 'Subscribe').click();
    await page.waitForURL(`${siteUrl()}${BILLING}**`);
    await expect(successToast(page, 'You are subscribed.')).toBeVisible({ timeout: 20_000 });
    await expect(page).toHaveURL(`${siteUrl()}${BILLING}`);
    await expect(page.getByRole('heading', { name: 'You are subscribed' })).toBeVisible();
    await expect(page.getByText('Bookings are open')).toBeVisible();
    await expect(button(page, 'Subscribe')).toHaveCount(0);
  });

  await test.step('billing shows a cancellation and a renewal from the provider’s portal', async () => {
    await button(page, 'Manage subscription').click();
    await page.waitForURL(`${provider.url}/portal/**`);
    await button(page, 'Cancel at period end').click();
    await followBackLink(page);
    const cancelled = secondNow();
    await waitForHeading(page, 'Your subscription is cancelled');
    await expect(page.getByText('bookings stay open, and you can renew it')).toBeVisible();
    await button(page, 'Renew or manage').click();
    await page.waitForURL(`${provider.url}/portal/**`);
    // Two updates in one second of the provider's clock have no order (docs/decisions/0013).
    await expect.poll(secondNow).toBeGreaterThan(cancelled);
    await button(page, "Don't cancel").click();
    await followBackLink(page);
    await waitForHeading(page, 'You are subscribed');
  });

  await page.goto(`/${username}/services`);
  await expect(page.getByRole('link', { name: 'Book Now!' })).toBeVisible();
  await expect(page.getByText(CLOSED)).toHaveCount(0);
  await expectOk(bookSiteSlot(artist, second));
});
