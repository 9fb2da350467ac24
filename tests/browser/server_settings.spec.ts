import { randomUUID } from 'node:crypto';
import { expect, test } from '#support/browser.ts';
import { bookSiteSlot, FILLED_FORM, listOpenDays } from '#support/browser_api.ts';
import { addDesigns } from '#support/browser_artwork.ts';
import { expectAccessible } from '#support/browser_axe.ts';
import { button, openFilledForm, waitForHydration } from '#support/browser_booking.ts';
import { successToast } from '#support/browser_clients.ts';
import { runStatement } from '#support/browser_database.ts';
import { expectFits } from '#support/browser_layout.ts';
import { logInAs } from '#support/browser_login.ts';
import { serveOtherSite, siteUrl } from '#support/browser_server.ts';
import { expectOk } from '#support/call_api.ts';
import { type FakeStripe, openFakeStripe } from '#support/fake_stripe.ts';
import { attributeOf, fetchPage, fetchSite, fetchText, textsOf } from '#support/html_page.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { findThing, parseStructuredData } from '#support/structured_data.ts';

const CLOSED = 'This artist is not taking bookings now.';
const BILLING = '/studio/billing';

const NAME = 'Nadel & Co';

// A site with non-default settings: a product name, a card provider, and its limits on.
test.describe.configure({ mode: 'default', timeout: 90_000 });
/** The public URL of that site. */
let site: string;
let provider: FakeStripe;
let stop: () => Promise<void>;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  provider = await openFakeStripe();
  stop = await serveOtherSite({ ...provider.env, PRODUCT_NAME: NAME, RATE_LIMIT: 'on' });
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

test('pages use SITE_URL for any Host header, and PRODUCT_NAME everywhere', {
  tag: '@all',
}, async () => {
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

test('after the trial the public pages and the studio say that bookings are closed, until the artist subscribes', {
  tag: '@all',
}, async ({ page, artist, watch }) => {
  // The provider's page: another origin, without our CSP.
  watch.expectError(new RegExp(`^foreign request: (GET|POST) ${provider.url}/checkout/`));
  watch.expectError(/^policy of \/checkout\//);
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

  await page.goto(`/${username}/services`);
  await expect(page.getByRole('link', { name: 'Book Now!' })).toBeVisible();
  await expect(page.getByText(CLOSED)).toHaveCount(0);
  await expectOk(bookSiteSlot(artist, second));
});

test('a client of a network with many requests books with a proof of work, whose code is loaded only then', {
  tag: '@all',
}, async ({ page, artist, watch }) => {
  const [day, ...others] = await listOpenDays(artist);
  const slot = day?.windows[0];
  if (!day || !slot) throw new Error('No open days');
  // Other clients of the same network: the fourth request of an hour must bring a proof.
  for (const [n, { windows }] of others.slice(0, 3).entries())
    await bookSiteSlot(artist, windows[0] ?? slot, { email: `client-${n}@example.com` });
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('proof_of_work')) scripts.push(request.url());
  });
  await openFilledForm(page, artist, { day, slot, values: FILLED_FORM });
  expect(scripts).toEqual([]);
  watch.expectError(/^POST \/api\/v1\/appointments\/request\/service.*: 429$/);
  await button(page, 'Save').click();
  await expect(page.getByText('a quick check against spam')).toBeVisible();
  await expect(page).toHaveURL(/\/confirmation\//);
  expect(scripts).toHaveLength(1);
});

test('while the API cannot be reached, the page of an appointment says that it is safe, and its calendar file asks to try again', {
  tag: '@all',
}, async () => {
  test.setTimeout(120_000);
  const stopSite = await serveOtherSite({ API_URL: 'http://127.0.0.1:9' });
  try {
    for (const path of [`/ana/confirmation/${randomUUID()}/`, `/confirmation/${randomUUID()}`]) {
      const { status, headers, document } = await fetchPage(path);
      expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '30']);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(textsOf(document, 'main p')).toEqual([
        'Page not found.',
        'We cannot reach your appointment right now. It is safe.',
        'Try again',
      ]);
      expect(document.querySelector('main a')?.getAttribute('href')).toBe('');
    }
    const calendar = await fetchSite(`/ana/confirmation/${randomUUID()}/appointment.ics`);
    expect([calendar.status, calendar.headers.get('retry-after')]).toEqual([503, '30']);
    expect(calendar.headers.get('cache-control')).toBe('no-store');
  } finally {
    await stopSite();
  }
});
