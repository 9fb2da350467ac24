import { expect, test } from '#support/browser.ts';
import { bookSiteSlot, FILLED_FORM, findOpenDay, listAppointments } from '#support/browser_api.ts';
import {
  button,
  expectFieldValues,
  openFilledForm,
  saveAndOpenConfirmation,
  selectedTimeText,
  slotButton,
  TIME_TAKEN_TEXT,
  toast,
} from '#support/browser_booking.ts';

test('booking a slot that another client has taken shows a message, refreshes the slots and keeps the details', async ({
  page,
  artist,
  watch,
}) => {
  const { day, slot, other } = await findOpenDay(artist);
  await openFilledForm(page, artist, { day, slot, values: FILLED_FORM });

  const taken = await bookSiteSlot(artist, slot, { email: 'quick@example.com' });
  expect(taken.status).toBe(201);
  watch.expectError(/^POST \/api\/v1\/appointments\/request\/service.*: 409$/);
  await button(page, 'Save').click();

  await expect(toast(page, TIME_TAKEN_TEXT)).toBeVisible();
  await expect(slotButton(page, other)).toBeVisible();
  await expect(slotButton(page, slot)).toHaveCount(0);
  await expect(page.getByText('Selected Time')).toHaveCount(0);
  await expectFieldValues(page, FILLED_FORM);

  await slotButton(page, other).click();
  await expect(page.getByText(selectedTimeText(other))).toBeVisible();
  const id = await saveAndOpenConfirmation(page, artist.username);
  const ownAppointments = (await listAppointments(artist.token)).filter(
    ({ client }) => client.email === FILLED_FORM.email,
  );
  expect(ownAppointments).toMatchObject([{ id, ...other, status: 'held' }]);
});
