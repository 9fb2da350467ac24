import { expect, type Page } from '@playwright/test';
import { bookSiteSlot, findOpenDay, newSiteArtist } from './browser_api.ts';
import { button, waitForHydration } from './browser_booking.ts';
import { bookAppointment, calendarAppointment, openCalendar } from './browser_calendar.ts';
import { logInAs, openAs } from './browser_login.ts';
import { failsToLoad, type PageStates } from './browser_page_states.ts';
import { expectOk } from './call_api.ts';
import type { TestArtist } from './new_artist.ts';

/** States of the studio's calendar and hours. */
export const CALENDAR_PAGE_STATES: PageStates = {
  ...Object.fromEntries(
    ['day', 'week', 'month', 'list'].map((view) => [
      `the calendar, by ${view}`,
      (page: Page) => openCalendarWithAppointments(page, view),
    ]),
  ),
  'a calendar with nothing on it': async (page) => {
    const artist = await newSiteArtist({ schedule: { weekly: [] } });
    await logInAs(page, artist);
    await openCalendar(page, 'list', '2026-06-01');
    await expect(page.getByText('No appointments in this week.')).toBeVisible();
  },
  'an appointment opened on the calendar': async (page) => {
    await openCalendarWithAppointments(page, 'day');
    await calendarAppointment(page, 'Rosa').click();
    await expect(button(page, 'Move to another time')).toBeVisible();
  },
  'adding to an empty day of the calendar': async (page) => {
    await openCalendarWithAppointments(page, 'day');
    await button(page, 'Add').click();
    await expect(button(page, 'Take this day off')).toBeVisible();
  },
  'a calendar that cannot be loaded': failsToLoad(
    '/studio/calendar?view=day',
    'appointments/schedule',
  ),
  'invalid hours, with messages': async (page) => {
    await openHours(page, await artistWithBooking());
    await button(page, 'Add hours on Monday').click();
    await page.getByLabel('Monday, hours 2, from').fill('11:00');
    await page.getByLabel('A start every').selectOption('other');
    await page.getByLabel('A start every, in minutes').fill('1');
    await page.getByLabel('Days ahead').fill('');
    await button(page, 'Save').click();
    await expect(page.getByText('Between 0 and 731 days')).toBeVisible();
  },
  'the hours of a newcomer': async (page) =>
    openHours(page, await newSiteArtist({ schedule: { weekly: [] } })),
  'changed hours, with a booking outside of them': async (page) => {
    await openHours(page, await artistWithBooking());
    for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'])
      await page.getByLabel(`${day}, from`).fill('12:00');
    await page.getByLabel('Sunday, from').fill('12:00');
    await expect(page.getByText('is outside these hours')).toBeVisible();
  },
  'the dialog that copies a day': async (page) => {
    await openHours(page, await newSiteArtist());
    await button(page, 'Copy to… other days, from Tuesday').click();
    await expect(page.getByRole('checkbox', { name: 'Friday' })).toBeVisible();
  },
  'the dialog that adds days off, with messages': async (page) => {
    await openHours(page, await newSiteArtist());
    await button(page, 'Add days').click();
    await page.getByRole('radio', { name: 'open at other hours' }).check();
    await button(page, 'Add').click();
    await expect(page.getByText('Enter a day')).toBeVisible();
  },
};

/** Opens a calendar with a confirmed and an unconfirmed appointment, on the first open day. */
async function openCalendarWithAppointments(page: Page, view: string): Promise<void> {
  const artist = await newSiteArtist();
  const { day, third } = await findOpenDay(artist);
  await bookAppointment(artist, day, 0, 'Rosa');
  await expectOk(bookSiteSlot(artist, third, { first_name: 'Mila', email: 'mila@example.com' }));
  await logInAs(page, artist);
  await openCalendar(page, view, day.date);
  await expect(calendarAppointment(page, 'Rosa')).toHaveCount(1);
  await expect(calendarAppointment(page, 'Mila')).toHaveCount(1);
}

async function artistWithBooking(): Promise<TestArtist> {
  const artist = await newSiteArtist();
  await bookAppointment(artist, (await findOpenDay(artist)).day, 0, 'Rosa');
  return artist;
}

async function openHours(page: Page, artist: TestArtist): Promise<void> {
  await openAs(page, artist, '/studio/hours');
  await waitForHydration(page);
  await expect(page.getByRole('heading', { name: 'Weekly hours' })).toBeVisible();
  await expect(page.getByText('Loading')).toHaveCount(0);
}
