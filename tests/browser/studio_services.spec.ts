import type { Locator, Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { button } from '#support/browser_booking.ts';
import { openAs } from '#support/browser_login.ts';

/** The browser closes the dialog on a later press, and the page opens it again before the next one. */
async function pressEscapeRepeatedly(page: Page, dialog: Locator): Promise<void> {
  for (let press = 1; press <= 5; press += 1) {
    await page.keyboard.press('Escape');
    await expect(dialog).toBeVisible();
  }
}

test('a dialog that the browser closes, as after repeated Escape, stays open with its input', {
  tag: '@all',
}, async ({ page, artist }) => {
  await openAs(page, artist, '/studio/services');
  const edit = button(page, `Edit ${artist.service.name}`);
  const dialog = page.getByRole('dialog', { name: 'Edit service' });
  await edit.click();
  await page.getByLabel('Description').fill('Up to 3 inches.');
  await pressEscapeRepeatedly(page, dialog);
  await expect(page.getByText('Discard your changes?')).toBeVisible();
  await button(page, 'Keep editing').click();
  await expect(page.getByLabel('Description')).toHaveValue('Up to 3 inches.');

  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await button(page, 'Discard').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await edit.click();
  await expect(dialog).toBeVisible();
});
