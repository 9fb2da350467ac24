// What clients do on the page of their appointment, at the width of a phone, and what artists see of it.
import { expect, test } from '#support/browser.ts';
import {
  bookSiteSlot,
  confirmAppointment,
  FILLED_FORM,
  findOpenDay,
  listOpenDays,
  newSiteArtist,
  requestAppointment,
  updateAppointment,
} from '#support/browser_api.ts';
import { appointmentDetail } from '#support/browser_appointments.ts';
import {
  button,
  expectFieldValues,
  field,
  fillFields,
  pickDay,
  saveAndOpenConfirmation,
  selectedTimeText,
  slotButton,
  waitForHydration,
} from '#support/browser_booking.ts';
import { expectFits } from '#support/browser_layout.ts';
import { logInAs } from '#support/browser_login.ts';
import { expectOk } from '#support/call_api.ts';
import { createDailySchedule } from '#support/sample_people.ts';

const SCHEDULE = { ...createDailySchedule('10:00', '14:00'), client_move_notice_hours: 24 };

test('a client moves a booked appointment and then cancels it; the freed times are listed, and the artist reads both', async ({
  page,
}) => {
  const artist = await newSiteArtist({ schedule: SCHEDULE });
  const { day, slot, other } = await findOpenDay(artist);
  const { id } = await expectOk(bookSiteSlot(artist, slot));
  await confirmAppointment(id);
  const listedStarts = async () =>
    (await listOpenDays(artist)).flatMap(({ windows }) => windows.map(({ start }) => start));
  expect(await listedStarts()).not.toContain(slot.start);

  await page.goto(`/${artist.username}/confirmation/${id}/`);
  await waitForHydration(page);
  await button(page, 'Move to another time').click();
  await pickDay(page, day.date);
  await slotButton(page, other).click();
  await expect(page.getByRole('button', { name: /^Move to / })).toBeInViewport({ ratio: 1 });
  await expect(page.getByText(/^You give up .* which goes to others at once\./)).toBeVisible();
  await expectFits(page);
  await page.getByRole('button', { name: /^Move to / }).click();
  await expect(page.getByText(/^You moved it to /)).toBeVisible();
  await expect(button(page, 'Keep my time')).toHaveCount(0);
  expect(await listedStarts()).toContain(slot.start);
  expect(await listedStarts()).not.toContain(other.start);

  await page.getByText('Cancel appointment').click();
  await expect(page.getByText(/^The time goes to others at once/)).toBeVisible();
  await page.getByLabel(/^A word to/).fill('I broke my arm.');
  await button(page, 'Cancel this appointment').click();
  await expect(
    page.getByRole('heading', { name: 'This appointment was cancelled.' }),
  ).toBeFocused();
  expect(await listedStarts()).toContain(other.start);

  await logInAs(page, artist);
  await page.goto(`/studio/appointments?id=${id}`);
  const detail = appointmentDetail(page);
  await expect(detail.getByText('I broke my arm.')).toBeVisible();
});

test('a client declines an offer with a word, and the artist can offer another time', async ({
  page,
  managedArtist,
}) => {
  const { id } = await expectOk(requestAppointment(managedArtist.username));
  const { slot } = await findOpenDay(managedArtist);
  await updateAppointment(managedArtist.token, id, slot);
  await page.goto(`/${managedArtist.username}/confirmation/${id}/`);
  await waitForHydration(page);
  await page.getByText('Decline this offer').click();
  await page.getByLabel(/^A word to/).fill('Mornings only, please.');
  await button(page, 'Decline').click();
  await expect(page.getByRole('heading', { name: 'Thanks for your request, Rosa' })).toBeFocused();
  await expect(page.getByText('You declined the offer.', { exact: true })).toBeVisible();

  await logInAs(page, managedArtist);
  await page.goto(`/studio/appointments?id=${id}`);
  const detail = appointmentDetail(page);
  await expect(detail.getByText('Mornings only, please.').first()).toBeVisible();
  await expect(detail.getByRole('button', { name: 'Offer a time' })).toBeVisible();
});

test('“Pick another time” frees the held time and leads back to the form with all that was typed', async ({
  page,
  artist,
}) => {
  const { day, slot, other } = await findOpenDay(artist);
  await page.goto(`/${artist.username}/scheduling?service=${artist.service.id}`);
  await waitForHydration(page);
  await pickDay(page, day.date);
  await slotButton(page, slot).click();
  await fillFields(page, FILLED_FORM);
  await saveAndOpenConfirmation(page, artist.username);
  await waitForHydration(page);
  await button(page, 'Pick another time').click();
  await page.waitForURL(/scheduling/);
  await waitForHydration(page);
  await expectFieldValues(page, FILLED_FORM);
  await pickDay(page, day.date);
  await expect(slotButton(page, slot)).toBeVisible();
  await slotButton(page, other).click();
  await expect(page.getByText(selectedTimeText(other))).toBeVisible();
});

test('“Book again” on a cancelled appointment opens the form with what the page knows', async ({
  page,
  artist,
}) => {
  const { slot } = await findOpenDay(artist);
  const { id } = await expectOk(bookSiteSlot(artist, slot));
  await updateAppointment(artist.token, id, { status: 'cancelled' });
  await page.goto(`/${artist.username}/confirmation/${id}/`);
  await waitForHydration(page);
  await page.getByRole('link', { name: 'Book again' }).click();
  await page.waitForURL(/scheduling/);
  await waitForHydration(page);
  // The page does not know the other contact details: a stranger may have the link.
  for (const name of ['location', 'size', 'customer_notes', 'first_name'] as const)
    await expect(field(page, name)).toHaveValue(FILLED_FORM[name]);
});
