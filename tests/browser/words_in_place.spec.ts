import type { Locator, Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { bookSiteSlot, FILLED_FORM, findOpenDay } from '#support/browser_api.ts';
import {
  button,
  openFilledForm,
  TIME_TAKEN_TEXT,
  toast,
  waitForHydration,
} from '#support/browser_booking.ts';
import { runStatement } from '#support/browser_database.ts';
import { expectOk } from '#support/call_api.ts';

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

test('a refused confirmation stays clear of its toast, and so does the answer to a wish about data', {
  tag: '@all',
}, async ({ page, artist, watch }) => {
  const { slot } = await findOpenDay(artist);
  const { id } = await expectOk(bookSiteSlot(artist, slot));
  await page.goto(`/${artist.username}/confirmation/${id}/`);
  await waitForHydration(page);
  await page.route('**/api/v1/appointments/confirmation/**', (route) =>
    route.fulfill({ status: 503, json: { detail: 'A lot is going on right now.' } }),
  );
  watch.expectError(/^POST \/api\/v1\/appointments\/confirmation\/.*: 503$/);
  await button(page, 'Confirm Appointment').click();
  await expect(toast(page, 'A lot is going on right now.')).toBeVisible();
  await expectClearOfToasts(page, button(page, 'Confirm Appointment'));
  await page.unrouteAll();
  // As if the client had used a mailed link.
  const proof = 'UPDATE appointments SET mail_link_used = true, email_proven = true WHERE id = $1';
  await runStatement(proof, [id]);
  await page.reload();
  await waitForHydration(page);
  await page.getByText('Your data').click();
  await button(page, 'Ask for a copy').click();
  await expect(page.getByText(/was told what you ask for\.$/)).toBeVisible();
  await expectClearOfToasts(page, page.getByText(/^You asked .* for a copy of your data on /));
});

test('free times near a taken one are clear of the toast', async ({ page, artist, watch }) => {
  const { day, slot } = await findOpenDay(artist);
  await openFilledForm(page, artist, { day, slot, values: FILLED_FORM });
  await expectOk(bookSiteSlot(artist, slot, { email: 'quick@example.com' }));
  watch.expectError(/^POST \/api\/v1\/appointments\/request\/service.*: 409$/);
  await button(page, 'Save').click();
  await expect(toast(page, TIME_TAKEN_TEXT)).toBeVisible();
  const words = page.getByText(/ is taken\. Free times near it:$/);
  await expect(words).toBeFocused();
  await expectClearOfToasts(page, words);
  const notice = page.getByRole('alert').filter({ hasText: 'Free times near it' });
  const nearest = notice.getByRole('listitem').getByRole('button');
  for (const near of await nearest.all()) await expectClearOfToasts(page, near);
});
