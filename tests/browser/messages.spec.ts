import { expect, test } from '#support/browser.ts';
import { bookSiteSlot, findOpenDay, listAppointments } from '#support/browser_api.ts';
import {
  button,
  expectFieldMessage,
  field,
  fillFields,
  openBookingForm,
  pickSlot,
  saveAndOpenConfirmation,
} from '#support/browser_booking.ts';

test('invalid input is not sent, every field shows the API’s message, and the first one gets the focus', async ({
  page,
  artist,
}) => {
  const { day, slot } = await findOpenDay(artist);
  await openBookingForm(page, artist);
  await pickSlot(page, day, slot);
  await fillFields(page, { phone_number: '12', email: 'nowhere' });
  await button(page, 'Save').click();
  await expectFieldMessage(page, 'phone_number', 'Invalid phone number');
  await expectFieldMessage(page, 'email', 'Invalid email address');
  await expect(field(page, 'phone_number')).toBeFocused();
  expect(await listAppointments(artist.token)).toEqual([]);

  const { status, body } = await bookSiteSlot(artist, slot, {
    phone_number: '12',
    email: 'nowhere',
  });
  expect(status).toBe(422);
  expect(body.detail.map(({ loc, msg }) => [...loc, msg])).toEqual([
    ['body', 'phone_number', 'Invalid phone number'],
    ['body', 'email', 'Invalid email address'],
  ]);

  await fillFields(page, { phone_number: '', email: 'rosa@example.com' });
  await saveAndOpenConfirmation(page, artist.username);
});
