import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { addServerError, newSiteSuperuser } from '#support/browser_admin.ts';
import { button } from '#support/browser_booking.ts';
import { successToast } from '#support/browser_clients.ts';
import { expectFits } from '#support/browser_layout.ts';
import { openAs } from '#support/browser_login.ts';

test.use({ viewport: { width: 390, height: 844 } });

function rowsOf(page: Page, list: string) {
  return page.getByRole('list', { name: list, exact: true }).getByRole('listitem');
}

async function openPart(page: Page, name: string): Promise<void> {
  // Beside some names there is a count.
  const parts = page.getByRole('navigation', { name: 'Parts of the admin page' });
  await parts.getByRole('link', { name: new RegExp(`^${name}`) }).click();
  await expect(page.getByRole('heading', { name, level: 2 })).toBeVisible();
}

test('a superuser takes an artist’s page offline, and Undo brings it back', async ({
  page,
  artist,
  watch,
}) => {
  const { username } = artist;
  await openAs(page, await newSiteSuperuser(), '/studio');
  await button(page, 'More').click();
  await page.getByRole('link', { name: 'Admin' }).click();
  await page.getByLabel('Search artists').fill(artist.self.email);
  await expect(rowsOf(page, 'Artists')).toHaveCount(1);
  await expectFits(page);
  await button(page, `Deactivate… ${username}`).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
  await expect(rowsOf(page, 'Artists')).toContainText('Inactive');
  await expect(button(page, `Activate ${username}`)).toBeFocused();
  const visitor = await page.context().newPage();
  watch.expectError(/: 404$/);
  expect((await visitor.goto(`/${username}/`))?.status()).toBe(404);
  await button(page, 'Undo').click();
  await expect(successToast(page, 'is online')).toBeVisible();
  await expect(rowsOf(page, 'Artists')).not.toContainText('Inactive');
  await expect(button(page, `Deactivate… ${username}`)).toBeFocused();
  expect((await visitor.goto(`/${username}/`))?.status()).toBe(200);
  await visitor.close();
  await openPart(page, 'Actions');
  await expect(page.getByText(`Activated ${username} again`)).toBeVisible();
  await expect(page.getByText(`Deactivated ${username}`)).toBeVisible();
  await expectFits(page);
});

test('a superuser finds an error by its reference, and looks whether the server is well', {
  tag: '@all',
}, async ({ page }) => {
  const requestId = await addServerError();
  await openAs(page, await newSiteSuperuser(), '/studio/admin');
  await expect(page.getByRole('link', { name: /^Errors \d+ in 14 days$/ })).toBeVisible();
  await openPart(page, 'Errors');
  await page.getByLabel('Search errors').fill(requestId);
  await expect(rowsOf(page, 'Errors')).toHaveText([/relation "clients" does not exist/]);
  await page.getByText('Where it happened').click();
  await expect(page.getByText('prepared_statements.ts:46:39')).toBeVisible();
  await expectFits(page);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Artists', level: 2 })).toBeVisible();

  await openPart(page, 'Jobs');
  await expect(page.getByText(/^Without jobs/)).toBeVisible();
  await expectFits(page);
  await openPart(page, 'Server');
  await expect(page.getByText(/GB free \(\d+%\)|MB free \(\d+%\)|of .* free/)).toBeVisible();
  await button(page, 'Check now').click();
  await expect(page.getByText(/in \d+ checks\.|checks passed\./)).toBeVisible({ timeout: 30_000 });
  await expect(rowsOf(page, 'What is wrong').filter({ hasText: 'SMTP_URL' })).toHaveCount(1);
  await expectFits(page);
});
