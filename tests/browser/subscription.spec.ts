import { expect, test } from '#support/browser.ts';
import { bookSiteSlot, findOpenDay } from '#support/browser_api.ts';
import { expectAccessible } from '#support/browser_axe.ts';
import { button } from '#support/browser_booking.ts';
import { successToast } from '#support/browser_clients.ts';
import { runStatement } from '#support/browser_database.ts';
import { expectFits } from '#support/browser_layout.ts';
import { logInAs } from '#support/browser_login.ts';
import { serveOtherSite, siteUrl } from '#support/browser_server.ts';
import { expectOk } from '#support/call_api.ts';
import { type FakeStripe, openFakeStripe } from '#support/fake_stripe.ts';

const CLOSED = 'This artist is not taking bookings now.';
const BILLING = '/studio/billing';

let provider: FakeStripe;
let stop: () => Promise<void>;

// The fixtures use the other site too.
test.beforeAll(async () => {
  test.setTimeout(240_000);
  provider = await openFakeStripe();
  stop = await serveOtherSite(provider.env);
  provider.setWebhook(`${siteUrl()}/api/v1/users/webhook`);
  // Billing began a year ago, so that trials start with signup.
  await runStatement("UPDATE billing SET since = now() - interval '1 year'", []);
});

test.afterAll(async () => {
  await stop();
  await provider[Symbol.asyncDispose]();
});

test('after the trial the public pages and the studio say that bookings are closed, until the artist subscribes', {
  tag: '@all',
}, async ({ page, artist, watch }) => {
  // The provider's page: another origin, without our CSP.
  watch.expectError(new RegExp(`^foreign request: (GET|POST) ${provider.url}/checkout/`));
  watch.expectError(/^policy of \/checkout\//);
  const { username } = artist;
  const { slot } = await findOpenDay(artist);
  await runStatement("UPDATE artists SET created_at = now() - interval '15 days' WHERE id = $1", [
    artist.self.id,
  ]);

  // closed_books.spec.ts shows which pages say so.
  await page.goto(`/${username}/services`);
  await expect(page.getByText(CLOSED)).toBeVisible();
  await expect(page.getByRole('link', { name: `write to ${username}`, exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Book Now!' })).toHaveCount(0);
  await expectFits(page);
  await expectAccessible(page);
  expect((await bookSiteSlot(artist, slot)).body.detail).toBe(CLOSED);

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
  await expectOk(bookSiteSlot(artist, slot));
});
