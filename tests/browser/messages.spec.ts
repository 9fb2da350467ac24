import { expect, test } from '#support/browser.ts';
import {
  button,
  expectMessage,
  field,
  fillIn,
  openForm,
  pickSlot,
  saveAndGo,
} from '#support/browser_booking.ts';
import { appointmentsOf, bookSlot, openDays } from '#support/browser_studio.ts';

test('saving bad input sends nothing, tells every message and leads to the first', async ({
  page,
  artist,
}) => {
  const [day] = await openDays(artist);
  const slot = day?.windows[0];
  if (!day || !slot) throw new Error('No open days');
  await openForm(page, artist);
  await pickSlot(page, day, slot);
  await fillIn(page, { phone_number: '12', email: 'nowhere' });
  await button(page, 'Save').click();
  await expectMessage(page, 'phone_number', 'Invalid phone number');
  await expectMessage(page, 'email', 'Invalid email address');
  await expect(field(page, 'phone_number')).toBeFocused();
  expect(await appointmentsOf(artist.token)).toEqual([]);

  const { status, body } = await bookSlot(artist, slot, { phone_number: '12', email: 'nowhere' });
  expect(status).toBe(422);
  expect(body.detail.map(({ loc, msg }) => [...loc, msg])).toEqual([
    ['body', 'phone_number', 'Invalid phone number'],
    ['body', 'email', 'Invalid email address'],
  ]);

  await fillIn(page, { phone_number: '', email: 'rosa@example.com' });
  await saveAndGo(page, artist.username);
});
