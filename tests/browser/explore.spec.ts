import { expect, test } from '#support/browser.ts';
import { callSite, newSiteArtist } from '#support/browser_api.ts';
import { button } from '#support/browser_booking.ts';
import { openAs } from '#support/browser_login.ts';
import { expectOk } from '#support/call_api.ts';

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a visitor finds an artist by city with the keyboard alone, and opens their page', async ({
    page,
  }) => {
    await page.goto('/explore/');
    await expect(page.locator('script')).toHaveCount(0);
    await page.getByLabel('City').focus();
    await page.keyboard.type('los angeles');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/explore/?city=los+angeles');
    await expect(page.getByLabel('City')).toHaveValue('los angeles');
    await expect(page.getByRole('link', { name: 'Bo', exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Ana', exact: true })).toHaveCount(0);
    await page.getByRole('link', { name: 'Bo', exact: true }).focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/bo/');
  });
});

test('artists who choose not to be listed are gone from the next view of the page', async ({
  page,
}) => {
  const artist = await newSiteArtist({ full_name: 'Rosa Quint' });
  const { token, username } = artist;
  const change = (json: object) => expectOk(callSite('PATCH /users/me', { token, json }));
  await change({ studio: { city: username } });
  await page.goto(`/explore/?city=${username}`);
  await expect(page.getByRole('link', { name: 'Rosa Quint' })).toBeVisible();
  await expect(page.getByText('Coming soon...')).toBeVisible();
  await openAs(page, artist, '/studio/profile#booking');
  await page.getByLabel('Show me on the Explore page').uncheck();
  await button(page, 'Save how clients book').click();
  await expect(page.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible();
  await page.goto(`/explore/?city=${username}`);
  await expect(page.getByText(`Nobody in ${username} is listed yet.`)).toBeVisible();
});

test('pages of addresses that anyone can make up are not stored', async ({ request }) => {
  const { token } = await newSiteArtist();
  const city = `Llan${'x'.repeat(76)}`;
  await expectOk(callSite('PATCH /users/me', { token, json: { studio: { city } } }));
  for (const [query, cacheControl] of [
    [`city=${city}`, 'public, max-age=0, must-revalidate'],
    [`city=${city}y`, 'no-store'],
    ['city=', 'no-store'],
    ['after=&city=Brooklyn', 'no-store'],
    ['city=Brooklyn&closed_after=', 'no-store'],
  ]) {
    const response = await request.get(`/explore/?${query}`);
    expect(response.headers()['cache-control'], query).toBe(cacheControl);
  }
});

test('a page of a city is cached in the spelling of its artists only, and names that spelling', async ({
  page,
}) => {
  for (const [city, cacheControl] of [
    ['Los+Angeles', 'public, max-age=0, must-revalidate'],
    ['los+angeles', 'no-store'],
  ]) {
    const response = await page.goto(`/explore/?city=${city}`);
    expect(response?.headers()['cache-control']).toBe(cacheControl);
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute(
      'href',
      /\/explore\/\?city=Los\+Angeles$/,
    );
  }
});
