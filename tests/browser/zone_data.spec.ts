// Browsers whose zone data differs from the server's, or that lack the zone of the studio.
import type { Page } from '@playwright/test';
import type { Appointment } from '#contract/appointment.ts';
import { expect, test } from '#support/browser.ts';
import { callSite, confirmAppointment, findOpenDay, newSiteArtist } from '#support/browser_api.ts';
import {
  button,
  fillFields,
  formatFullDay,
  formatTime,
  formatTimeRange,
  onYourClock,
  openBookingForm,
  pickDay,
  saveAndOpenConfirmation,
  selectedTimeText,
  slotButton,
  waitForHydration,
} from '#support/browser_booking.ts';
import { waitForMail } from '#support/browser_inbox.ts';
import { logInAs } from '#support/browser_login.ts';
import { expectOk } from '#support/call_api.ts';
import { fetchSite } from '#support/html_page.ts';
import { readEntry, readMailedEntry } from '#support/mail_calendar.ts';

const STUDIOS = [
  'Europe/Berlin',
  'Asia/Tokyo',
  'America/Los_Angeles',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
];

/** What the browser makes of the studio's zone, and the zone that it reports as its own. */
const BROWSERS = [
  { name: 'another rule for the zone', becomes: 'Asia/Kolkata', own: null },
  { name: 'no data for the zone', becomes: null, own: null },
  { name: 'no data for the zone and its own', becomes: null, own: 'Etc/Unknown' },
  { name: 'a clock that is a day ahead', becomes: null, own: 'Pacific/Kiritimati' },
];

/** Which combinations run in `npm test`. */
const COMMON = [
  'Asia/Kathmandu another rule for the zone',
  'Asia/Tokyo no data for the zone and its own',
];

/** Replaces `Intl.DateTimeFormat` in every document that the page opens. */
function replaceZoneData(page: Page, studio: string, { becomes, own }: (typeof BROWSERS)[number]) {
  return page.addInitScript(
    ([studioZone, otherZone, ownZone]) => {
      const Platform = Intl.DateTimeFormat;
      class OtherFormat extends Platform {
        constructor(locale?: Intl.LocalesArgument, options: Intl.DateTimeFormatOptions = {}) {
          const isStudio = options.timeZone === studioZone;
          if ((isStudio && otherZone === null) || options.timeZone === 'Etc/Unknown')
            throw new RangeError(`Invalid time zone specified: ${options.timeZone}`);
          super(locale, isStudio && otherZone ? { ...options, timeZone: otherZone } : options);
        }
        override resolvedOptions() {
          const options = super.resolvedOptions();
          return ownZone ? { ...options, timeZone: ownZone } : options;
        }
      }
      Object.defineProperty(Intl, 'DateTimeFormat', {
        // Also called without `new`.
        value: new Proxy(OtherFormat, {
          apply: (_, __, [locale, options]) => new OtherFormat(locale, options),
        }),
      });
    },
    [studio, becomes, own] as const,
  );
}

for (const zone of STUDIOS)
  for (const browser of BROWSERS)
    test(`page, studio, mail, calendar file and API agree on the times of a studio in ${zone} in a browser with ${browser.name}`, {
      tag: COMMON.includes(`${zone} ${browser.name}`) ? [] : '@all',
    }, async ({ page }) => {
      await using _ = await replaceZoneData(page, zone, browser);
      const artist = await newSiteArtist({ time_zone: zone });
      const { day, slot } = await findOpenDay(artist);
      await openBookingForm(page, artist);
      await pickDay(page, day.date);
      await slotButton(page, slot, zone).click();
      await expect(page.getByText(selectedTimeText(slot, zone))).toBeVisible();
      const email = `rosa-${artist.username}@example.com`;
      await fillFields(page, { email });
      const id = await saveAndOpenConfirmation(page, artist.username);
      await expect(page.getByText(formatFullDay(slot.start, zone), { exact: true })).toBeVisible();
      await expect(page.getByText(formatTimeRange(slot, zone), { exact: true })).toBeVisible();
      await expect(page.getByText(`Time zone: ${zone}`)).toBeVisible();

      const ownZone = browser.own ?? 'America/New_York';
      await expect(
        page.getByText(ownZone === 'Etc/Unknown' ? 'On your clock' : onYourClock(slot, ownZone)),
      ).toHaveCount(ownZone === 'Etc/Unknown' ? 0 : 1);

      await confirmAppointment(id);
      const mail = await waitForMail(email, /^Booked/);
      expect(mail.text).toContain(formatFullDay(slot.start, zone));
      expect(mail.text).toContain(formatTimeRange(slot, zone));
      const file = await fetchSite(`/${artist.username}/confirmation/${id}/appointment.ics`);
      const entries = [readMailedEntry(mail), readEntry(await file.text())];
      expect(entries.map((entry) => entry?.start)).toEqual(Array(2).fill(Date.parse(slot.start)));

      await logInAs(page, artist);
      await page.goto(`/studio/calendar?view=day&date=${day.date}`);
      await waitForHydration(page);
      const entry = page.locator('.studio-calendar .entry');
      await expect(entry).toContainText(formatTime(slot.start, zone));
      await entry.click();
      await button(page, 'Move to another time').click();
      await page.getByLabel('Start').fill('12:00');
      await button(page, 'Move it').click();
      await expect(page.getByText('Moved.')).toBeVisible();
      const { token } = artist;
      const { start } = await expectOk(callSite<Appointment>(`GET /appointments/${id}`, { token }));
      expect(formatTime(start ?? '', zone)).toBe('12:00 PM');

      await page.goto('/studio/profile');
      await waitForHydration(page);
      await page.getByRole('textbox', { name: 'City' }).fill('Elsewhere');
      await button(page, 'Save studio').click();
      await button(page, 'No, I only corrected it').click();
      await expect(page.getByText('No client is mailed.')).toBeVisible();
    });
