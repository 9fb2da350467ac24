import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { expectAccessible } from '#support/browser_axe.ts';
import { button, expectFieldValues, field, waitForHydration } from '#support/browser_booking.ts';
import { expectFits } from '#support/browser_layout.ts';

test('a tap on Another country right after a number of another country opens the countries', {
  tag: '@all',
}, async ({ page, managedArtist }) => {
  await page.goto(`/${managedArtist.username}/scheduling`);
  await waitForHydration(page);
  await page.setViewportSize({ width: 320, height: 844 });
  await field(page, 'phone_number').fill('0170 1234567');
  await button(page, 'Another country').scrollIntoViewIfNeeded();
  const box = await button(page, 'Another country').boundingBox();
  if (!box) throw new Error('The button is not visible');
  expect(box.height).toBeGreaterThanOrEqual(44);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  // The error appears before the finger is lifted.
  await expect(field(page, 'phone_number')).toHaveAttribute('aria-invalid', 'true');
  await page.mouse.up();
  await page.getByLabel('Country of the number').selectOption('DE');
  await expect(field(page, 'phone_number')).toHaveValue('+49 170 1234567');
  await expectFits(page);
});

test('a mistyped mail domain is corrected with one tap, which moves no other control', {
  tag: '@all',
}, async ({ page, managedArtist }) => {
  await page.goto(`/${managedArtist.username}/scheduling`);
  await waitForHydration(page);
  await field(page, 'email').fill('rosa@gmial.com');
  const top = await topOfSave(page);
  await field(page, 'email').blur();
  const suggestion = button(page, 'Did you mean rosa@gmail.com?');
  await expect(suggestion).toBeVisible();
  expect(await topOfSave(page)).toBe(top);
  expect((await suggestion.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await expectAccessible(page);
  await expectFits(page);
  await suggestion.click();
  await expectFieldValues(page, { email: 'rosa@gmail.com' });
  await expect(field(page, 'email')).toBeFocused();
  await expect(suggestion).toHaveCount(0);
});

/** The distance from the top of the page, in pixels. */
function topOfSave(page: Page): Promise<number> {
  return button(page, 'Save').evaluate((node) =>
    Math.round(node.getBoundingClientRect().top + window.scrollY),
  );
}
