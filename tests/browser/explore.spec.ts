import { expect, test } from '#support/browser.ts';

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a visitor finds an artist by city and style with the keyboard or by taps, and opens their page', async ({
    page,
  }) => {
    await page.goto('/');
    const clients = page.getByRole('listitem').filter({ hasText: 'For Clients' });
    await clients.getByRole('link', { name: 'Find an Artist' }).click();
    // The newest artists decide which cities are here.
    const cities = page.getByRole('list', { name: 'Cities' });
    await cities.getByRole('link').nth(1).click();
    await expect(page).toHaveURL(/\/explore\/\?city=/);
    await expect(cities.locator('a[aria-current]')).toHaveCount(1);
    await page.goto('/explore/?city=Los+Angeles&style=watercolor');
    await expect(page.getByText('Nobody in Los Angeles does Watercolor yet.')).toBeVisible();
    await page.getByRole('link', { name: 'all styles in Los Angeles' }).click();
    const styles = page.getByRole('list', { name: 'Styles' });
    await styles.getByRole('link', { name: 'Blackwork' }).click();
    await expect(page).toHaveURL('/explore/?city=Los+Angeles&style=Blackwork');
    await expect(styles.locator('a[aria-current]')).toHaveText('Blackwork');
    await cities.getByRole('link', { name: 'All cities' }).click();
    await expect(page).toHaveURL('/explore/?style=Blackwork');
    expect((await page.request.get('/explore/?style=%FF')).status()).toBe(400);
    await page.goto('/explore/?city=Los+Angeles&style=Cubism');
    await expect(page.getByRole('main')).toHaveText(/Nobody in Los Angeles does this style yet/);
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
