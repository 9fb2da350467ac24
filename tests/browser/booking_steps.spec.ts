// The way through the booking form: few taps, and nothing typed is lost.
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { FILLED_FORM, findOpenDay, listAppointments } from '#support/browser_api.ts';
import {
  button,
  expectFieldValues,
  field,
  openBookingForm,
  openFilledForm,
  pickSlot,
  saveAndOpenConfirmation,
  selectedTimeText,
  waitForHydration,
} from '#support/browser_booking.ts';

const PHONE = { width: 390, height: 844 };
const TURNED_PHONE = { width: 844, height: 390 };

const bar = (page: Page) => page.locator('.bottom-bar');
const soonest = (page: Page) => page.getByRole('button', { name: /^Soonest: / });

/** Picks the soonest time and returns its text, as the bar shows it. */
async function pickSoonest(page: Page): Promise<string> {
  await soonest(page).click();
  return ((await soonest(page).textContent()) ?? '').replace('Soonest: ', '');
}

const heldTime = (page: Page) => page.getByRole('status').filter({ hasText: 'You hold ' });

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
  const time = await pickSoonest(page);
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

test('Back from the confirmation page, a reload and a turned phone lose nothing typed', async ({
  page,
  artist,
}) => {
  const { token, username } = artist;
  const { day, slot, other } = await findOpenDay(artist);
  await openFilledForm(page, artist, { day, slot, values: FILLED_FORM });

  await test.step('a turned phone and a reload keep the form and the time', async () => {
    await page.setViewportSize(TURNED_PHONE);
    await expectFieldValues(page, FILLED_FORM);
    await page.reload();
    await waitForHydration(page);
    await page.setViewportSize(PHONE);
    await expectFieldValues(page, FILLED_FORM);
    await expect(page.getByText(selectedTimeText(slot))).toBeVisible();
  });
  const firstId = await saveAndOpenConfirmation(page, username);

  await test.step('on the confirmation page of a turned phone, Confirm is in view', async () => {
    await page.setViewportSize(TURNED_PHONE);
    await expect(button(page, 'Confirm Appointment')).toBeInViewport({ ratio: 1 });
    await page.setViewportSize(PHONE);
  });

  await test.step('Back from the confirmation page says which time is held', async () => {
    await page.goBack();
    await waitForHydration(page);
    await expectFieldValues(page, FILLED_FORM);
    await expect(page.getByText('Selected Time')).toHaveCount(0);
    await expect(heldTime(page)).toContainText('Saving another time gives it up.');
    await expect(page.getByRole('link', { name: 'Confirm it as you saved it' })).toHaveAttribute(
      'href',
      `/${username}/confirmation/${firstId}/`,
    );
  });

  await test.step('another time replaces the held one', async () => {
    await pickSlot(page, day, other);
    const id = await saveAndOpenConfirmation(page, username);
    expect(id).not.toBe(firstId);
    const held = (await listAppointments(token)).filter(({ status }) => status === 'held');
    expect(held).toMatchObject([{ id, ...other }]);
  });
});
