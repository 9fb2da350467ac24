import { expect, test } from '#support/browser.ts';
import {
  button,
  expectTyped,
  fillIn,
  openForm,
  pickSlot,
  saveAndGo,
  selectedTime,
  slotButton,
  TAKEN,
  toast,
} from '#support/browser_booking.ts';
import { appointmentsOf, bookSlot, FILLED_FORM, openDays } from '#support/browser_studio.ts';

test('a time that somebody else took is told, the calendar refreshes and the details stay', async ({
  page,
  artist,
  watch,
}) => {
  const [day] = await openDays(artist);
  const [slot, other] = day?.windows ?? [];
  if (!day || !slot || !other) throw new Error('No open days');
  await openForm(page, artist);
  await pickSlot(page, day, slot);
  await fillIn(page, FILLED_FORM);

  const taken = await bookSlot(artist, slot, { email: 'quick@example.com' });
  expect(taken.status).toBe(201);
  watch.expectTrouble(/^POST \/api\/v1\/appointments\/request\/service.*: 409$/);
  await button(page, 'Save').click();

  await expect(toast(page, TAKEN)).toBeVisible();
  await expect(slotButton(page, other)).toBeVisible();
  await expect(slotButton(page, slot)).toHaveCount(0);
  await expect(page.getByText('Selected Time')).toHaveCount(0);
  await expectTyped(page, FILLED_FORM);

  await slotButton(page, other).click();
  await expect(page.getByText(selectedTime(other))).toBeVisible();
  const id = await saveAndGo(page, artist.username);
  const mine = (await appointmentsOf(artist.token)).filter(
    ({ client }) => client.email === FILLED_FORM.email,
  );
  expect(mine).toMatchObject([{ id, ...other, status: 'held' }]);
});
