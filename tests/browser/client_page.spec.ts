// What clients do on the page of their appointment, at the width of a phone, and what artists see of it.
import { expect, test } from '#support/browser.ts';
import {
  bookSiteSlot,
  confirmAppointment,
  findOpenDay,
  listOpenDays,
  newSiteArtist,
} from '#support/browser_api.ts';
import { appointmentDetail } from '#support/browser_appointments.ts';
import { button, pickDay, slotButton, waitForHydration } from '#support/browser_booking.ts';
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
  await page.getByRole('link', { name: 'move it here' }).click();
  await pickDay(page, day.date);
  await slotButton(page, other).click();
  await expect(page.getByRole('button', { name: /^Move to / })).toBeInViewport({ ratio: 1 });
  await expect(page.getByText(/^You give up .* which goes to others at once\./)).toBeVisible();
  await expectFits(page);
  await page.getByRole('button', { name: /^Move to / }).click();
  await page.getByText('What happened so far').click();
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
