import type { Locator, Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { bookSiteSlot, FILLED_FORM, findOpenDay } from '#support/browser_api.ts';
import {
  button,
  expectFieldValues,
  formatTime,
  openFilledForm,
  STUDIO_ZONE,
  selectedTimeText,
  TIME_TAKEN_TEXT,
  toast,
} from '#support/browser_booking.ts';
import { expectOk } from '#support/call_api.ts';

test.use({ viewport: { width: 390, height: 844 } });

/** The toasts do not lie over the element, which is visible in the window. */
async function expectClearOfToasts(page: Page, element: Locator): Promise<void> {
  await expect(element).toBeInViewport({ ratio: 1 });
  const isOnTop = await element.evaluate((node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    return [left + 4, (left + right) / 2, right - 4].every((x) =>
      [top + 4, bottom - 4].every((y) => node.contains(document.elementFromPoint(x, y))),
    );
  });
  expect(isOnTop).toBe(true);
  expect(await page.getByRole('button', { name: /^Close: / }).count()).toBeGreaterThan(0);
}

/** The buttons of free times near to one that is taken. */
function nearestTimes(page: Page): Locator {
  const notice = page.getByRole('alert').filter({ hasText: 'Free times near it' });
  return notice.getByRole('listitem').getByRole('button');
}

/** Presses a free time near a taken one. No toast covers these times, and their heading has the focus. */
async function pickNearTime(page: Page, { start }: { readonly start: string }): Promise<void> {
  const words = page.getByText(/ is taken\. Free times near it:$/);
  await expect(words).toBeFocused();
  await expectClearOfToasts(page, words);
  for (const near of await nearestTimes(page).all()) await expectClearOfToasts(page, near);
  await nearestTimes(page)
    .filter({ hasText: formatTime(start, STUDIO_ZONE) })
    .first()
    .click();
}

test('a refused Save stays clear of its toast, which is not shown twice', { tag: '@all' }, async ({
  page,
  artist,
  watch,
}) => {
  const { day, slot } = await findOpenDay(artist);
  await openFilledForm(page, artist, { day, slot, values: FILLED_FORM });
  await page.route('**/api/v1/appointments/request/**', (route) =>
    route.fulfill({ status: 503, json: { detail: 'A lot is going on right now.' } }),
  );
  watch.expectError(/^POST \/api\/v1\/appointments\/request\/service.*: 503$/);
  for (const _ of [1, 2]) {
    await button(page, 'Save').click();
    await expect(toast(page, 'A lot is going on right now.')).toBeVisible();
    await expect(button(page, 'Saving…')).toHaveCount(0);
    await expectClearOfToasts(page, button(page, 'Save'));
    await expect(page.getByText('A lot is going on right now.')).toHaveCount(1);
  }
  await page.unrouteAll();
});

test('free times near a taken one are above the times, clear of the toast, which goes away with the pick', async ({
  page,
  artist,
  watch,
}) => {
  const { day, slot, other } = await findOpenDay(artist);
  await openFilledForm(page, artist, { day, slot, values: FILLED_FORM });
  await expectOk(bookSiteSlot(artist, slot, { email: 'quick@example.com' }));
  watch.expectError(/^POST \/api\/v1\/appointments\/request\/service.*: 409$/);
  await button(page, 'Save').click();
  await expect(toast(page, TIME_TAKEN_TEXT)).toBeVisible();
  await pickNearTime(page, other);
  await expect(page.getByText(selectedTimeText(other))).toBeVisible();
  await expect(toast(page, TIME_TAKEN_TEXT)).toHaveCount(0);
  await expectFieldValues(page, FILLED_FORM);
});
