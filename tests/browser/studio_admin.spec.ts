import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { newSiteSuperuser } from '#support/browser_admin.ts';
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
