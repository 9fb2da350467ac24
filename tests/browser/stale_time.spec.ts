import { expect, test } from '#support/browser.ts';
import {
  button,
  expectTyped,
  fillIn,
  openForm,
  pickDay,
  pickSlot,
  saveAndGo,
  scriptsDone,
  selectedTime,
  slotButton,
  TAKEN,
  toast,
} from '#support/browser_booking.ts';
import { lapse } from '#support/browser_lapse.ts';
import {
  appointmentsOf,
  bookSlot,
  change,
  confirm,
  FILLED_FORM,
  openDays,
} from '#support/browser_studio.ts';
import { expectOk } from '#support/calls.ts';
import type { TestArtist } from '#support/new_artist.ts';

async function twoSlots(artist: TestArtist) {
  const [day] = await openDays(artist);
  const [slot, other] = day?.windows ?? [];
  if (!day || !slot || !other) throw new Error('No open days');
  return { day, slot, other };
}

test('a time that somebody else took is told, the calendar refreshes and the details stay', {
  tag: '@desktop',
}, async ({ page, artist, watch }) => {
  const { day, slot, other } = await twoSlots(artist);
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

test('a picked time that is gone after a reload is let go with the same words', async ({
  page,
  artist,
}) => {
  const { day, slot, other } = await twoSlots(artist);
  await openForm(page, artist);
  await pickSlot(page, day, slot);
  await fillIn(page, FILLED_FORM);
  await bookSlot(artist, slot, { email: 'quick@example.com' });
  await page.reload();
  await expect(toast(page, TAKEN)).toBeVisible();
  await expect(slotButton(page, slot)).toHaveCount(0);
  await expect(slotButton(page, other)).toBeVisible();
  await expectTyped(page, FILLED_FORM);
});

test('the last time of a day that is taken leaves the day without times', async ({
  page,
  artist,
  watch,
}) => {
  const { day, slot } = await twoSlots(artist);
  await openForm(page, artist);
  await pickSlot(page, day, slot);
  await fillIn(page, FILLED_FORM);
  for (const window of day.windows) await bookSlot(artist, window);
  watch.expectTrouble(/request\/service.*: 409$/);
  await button(page, 'Save').click();
  await expect(toast(page, TAKEN)).toBeVisible();
  await expect(page.getByText('No available times')).toBeVisible();
  await expectTyped(page, FILLED_FORM);
});

test('a hold that lapsed can still be confirmed while its time is free', async ({
  page,
  artist,
}) => {
  const { slot } = await twoSlots(artist);
  const { id } = await expectOk(bookSlot(artist, slot));
  await lapse(id);
  await page.goto(`/${artist.username}/confirmation/${id}/`);
  await scriptsDone(page);
  await expect(
    page.getByRole('heading', { name: 'This appointment was not confirmed in time.' }),
  ).toBeVisible();
  await button(page, 'Confirm Appointment').click();
  await expect(page.getByRole('heading', { name: "You're booked!" })).toBeVisible();
});

test('a hold that lapsed and was taken by somebody else says so', async ({
  page,
  artist,
  watch,
}) => {
  const { day, slot } = await twoSlots(artist);
  const { id } = await expectOk(bookSlot(artist, slot));
  await lapse(id);
  await openForm(page, artist);
  await pickDay(page, day.date);
  await expect(slotButton(page, slot)).toBeVisible();
  const quicker = await expectOk(bookSlot(artist, slot, { email: 'quick@example.com' }));
  await confirm(quicker.id);
  await page.goto(`/${artist.username}/confirmation/${id}/`);
  await scriptsDone(page);
  watch.expectTrouble(/^POST \/api\/v1\/appointments\/confirmation\/.*: 409$/);
  await button(page, 'Confirm Appointment').click();
  await expect(toast(page, TAKEN)).toBeVisible();
  await expect(
    page.getByRole('heading', { name: 'This appointment was not confirmed in time.' }),
  ).toBeVisible();
});

test('an appointment that the artist cancelled meanwhile shows so instead of confirming', async ({
  page,
  artist,
  watch,
}) => {
  const { slot } = await twoSlots(artist);
  const { id } = await expectOk(bookSlot(artist, slot));
  await page.goto(`/${artist.username}/confirmation/${id}/`);
  await scriptsDone(page);
  await change(artist.token, id, { status: 'cancelled' });
  watch.expectTrouble(/^POST \/api\/v1\/appointments\/confirmation\/.*: 409$/);
  await button(page, 'Confirm Appointment').click();
  await expect(toast(page, 'This appointment has changed in the meantime')).toBeVisible();
  await expect(
    page.getByRole('heading', { name: 'This appointment was cancelled.' }),
  ).toBeVisible();
  await expect(button(page, 'Confirm Appointment')).toHaveCount(0);
});
