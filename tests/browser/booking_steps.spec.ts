// The way through the booking form: few taps, and nothing typed is lost.
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { button, field, openBookingForm } from '#support/browser_booking.ts';

const TURNED_PHONE = { width: 844, height: 390 };

const bar = (page: Page) => page.locator('.bottom-bar');
const soonest = (page: Page) => page.getByRole('button', { name: /^Soonest: / });

/** The bar does not cover the element, which has the focus. */
async function expectFocusAboveBar(page: Page, element: Locator): Promise<void> {
  await expect(element).toBeFocused();
  await expect(element).toBeInViewport({ ratio: 1 });
  const [box, barBox] = await Promise.all([element.boundingBox(), bar(page).boundingBox()]);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(barBox?.y ?? 0);
}

test('one tap on the soonest time brings Save into view, and the bar never covers a focused field', async ({
  page,
  artist,
}) => {
  await openBookingForm(page, artist);
  await expect(bar(page)).toHaveCount(0);
  await soonest(page).click();
  const time = ((await soonest(page).textContent()) ?? '').replace('Soonest: ', '');
  await expect(soonest(page)).toBeFocused();
  await expect(button(page, 'Save')).toBeInViewport({ ratio: 1 });
  await expect(button(page, 'Cancel')).toBeInViewport({ ratio: 1 });
  await expect(bar(page).getByText(time, { exact: true })).toBeInViewport({ ratio: 1 });

  await field(page, 'location').focus();
  for (const name of ['size', 'customer_notes', 'first_name', 'last_name', 'pronouns'] as const) {
    await page.keyboard.press('Tab');
    await expectFocusAboveBar(page, field(page, name));
  }
  // On a phone on its side it covers less than a fifth; of the lowest screens it would cover too much.
  await page.setViewportSize(TURNED_PHONE);
  await expect(button(page, 'Save')).toBeInViewport({ ratio: 1 });
  expect((await bar(page).boundingBox())?.height).toBeLessThan(TURNED_PHONE.height / 5);
  await page.setViewportSize({ width: 844, height: 230 });
  await expect(bar(page)).toHaveCSS('position', 'static');
});
