import { expect, test } from '#support/browser.ts';
import { callSite } from '#support/browser_api.ts';
import { chooseFiles, createPhoto } from '#support/browser_artwork.ts';
import { expectAccessible } from '#support/browser_axe.ts';
import { button } from '#support/browser_booking.ts';
import { expectFits, expectUncovered } from '#support/browser_layout.ts';
import { logInAs } from '#support/browser_login.ts';
import { expectOk } from '#support/call_api.ts';

const PHONE = { width: 390, height: 844 };
test.use({ viewport: PHONE });

test('a price is typed on a phone; a bad amount has its message beside the field and loses nothing', async ({
  page,
  artist,
}) => {
  await logInAs(page, artist);
  await page.goto('/studio/services');
  await button(page, `Edit ${artist.service.name}`).click();
  await page.getByLabel('Price', { exact: true }).selectOption('Between two amounts');
  await page.getByLabel('Lowest amount').fill('150');
  await page.getByLabel('Highest amount').fill('cheap');
  await button(page, 'Save').click();
  await expectUncovered(page.getByText('Write the amount like 1,234.50'));
  await expect(page.getByLabel('Highest amount')).toBeFocused();
  await expect(page.getByLabel('Highest amount')).toHaveValue('cheap');
  await expectAccessible(page);
  await page.setViewportSize(PHONE);
  await page.getByLabel('Highest amount').fill('200');
  await button(page, 'Save').click();
  await expect(page.getByText('$150 – $200')).toBeVisible();
  // The dialog shows again what is stored.
  await button(page, `Edit ${artist.service.name}`).click();
  await expect(page.getByLabel('Price', { exact: true })).toHaveValue('range');
  await expect(page.getByLabel('Highest amount')).toHaveValue('200');
});

test('three pictures at once become drafts, are filled in as a sheet and published at one tap', async ({
  page,
  artist,
}) => {
  await logInAs(page, artist);
  await page.goto('/studio/designs');
  const photos = await Promise.all(
    ['rose.jpg', 'moth.jpg', 'fox.jpg'].map((name) => createPhoto(name)),
  );
  await chooseFiles(page, 'Add designs', photos);
  await expect(page.getByText('3 designs added.')).toBeVisible();
  const rose = page.getByRole('group', { name: 'Rose' });
  await rose.getByLabel('Price').fill('180');
  await rose.getByLabel('Width (in)').fill('3');
  await rose.getByLabel('How often (empty: any)').fill('1');
  const listed = () =>
    expectOk(callSite<{ count: number }>(`GET /designs/${artist.username}/available`));
  expect((await listed()).count).toBe(0);
  await expectAccessible(page);
  await expectFits(page);
  await page.setViewportSize(PHONE);
  await button(page, 'Publish all 3').click();
  await expect(page.getByText('3 designs published.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Drafts' })).toHaveCount(0);
  expect((await listed()).count).toBe(3);
  await page.goto(`/${artist.username}/`);
  await expect(page.getByText('$180')).toBeVisible();
});

test('a country brings its currency; clients read the policy and the deposit before they book', async ({
  page,
  artist,
}) => {
  await logInAs(page, artist);
  await page.goto('/studio/profile#prices');
  await page.getByLabel('Country of the studio').selectOption('Japan');
  await expect(page.getByLabel('Currency of new prices')).toHaveValue('JPY');
  await page.getByLabel('Currency of new prices').selectOption('EUR');
  await page.getByLabel('Policy').fill('Free changes until 48 hours before.');
  await page.getByLabel('Expected deposit').fill('50');
  await button(page, 'Save prices and terms').click();
  await expect(page.getByText('keep what was agreed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save prices and terms' })).toBeDisabled();
  // A disabled button has no focus: without a new place for it, Tab would begin at the top of the page.
  await expect(page.locator('form:focus').getByLabel('Policy')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(PHONE);
  await page.goto(`/${artist.username}/scheduling?service=${artist.service.id}`);
  await expect(page.getByText('A deposit of €50 is expected.')).toBeVisible();
  await expect(page.getByText('Free changes until 48 hours before.')).toBeVisible();
});
