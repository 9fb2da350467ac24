import { expect, test } from '#support/browser.ts';
import { callSite, FILLED_FORM } from '#support/browser_api.ts';
import { addDesigns } from '#support/browser_artwork.ts';
import { expectAccessible } from '#support/browser_axe.ts';
import {
  button,
  fillFields,
  waitForConfirmation,
  waitForHydration,
} from '#support/browser_booking.ts';
import { setTextSize } from '#support/browser_layout.ts';
import { expectOk } from '#support/call_api.ts';

const PHONE = { width: 390, height: 844 };
test('a design with a length of its own is booked without a choice of a service, by terms that are read before', async ({
  page,
  artist,
}) => {
  const { token } = artist;
  const [design] = await addDesigns(artist, ['Swallow', 'Moth']);
  const facts = { duration: 60, price: { kind: 'from', amount: 15_000 } };
  await expectOk(callSite(`PATCH /designs/${design?.id}`, { token, json: facts }));
  const booking_policy = 'Deposits are not refunded.\nPlease come rested.';
  const terms = { booking_policy, deposit: { amount: 5_000 } };
  await expectOk(callSite('PATCH /users/me', { token, json: terms }));
  await page.goto(`/${artist.username}/`);
  const card = page.getByRole('article').filter({ hasText: 'Swallow' });
  await card.getByRole('link', { name: 'Book Now!' }).click();
  await waitForHydration(page);
  const main = page.getByRole('main');
  await expect(page.getByRole('heading', { name: 'Select Appointment' })).toHaveCount(0);
  await expect(main.locator('form').getByText('60 minute appt.')).toBeVisible();
  // Once, on the card of the design.
  await expect(main.getByText('From $150')).toHaveCount(1);
  await expect(main.getByText('A deposit of $50 is expected.')).toBeVisible();
  await expect(main.getByText('Deposits are not refunded.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: /^Soonest: / }).click();
  await fillFields(page, FILLED_FORM);
  await button(page, 'Save').click();
  await waitForConfirmation(page, artist.username);
  await waitForHydration(page);
  await expect(main.getByText('From $150')).toBeVisible();
  await expect(main.getByText('Deposits are not refunded.')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(PHONE);
  await setTextSize(page, '200%');
  const name = await main.getByText('Swallow', { exact: true }).boundingBox();
  expect(name?.height, 'large text does not break the name of the design').toBeLessThan(60);
  await setTextSize(page, '');
  await button(page, 'Confirm Appointment').click();
  await expect(page.getByRole('heading', { name: "You're booked!" })).toBeVisible();
});
