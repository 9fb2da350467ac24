// Calendars and clocks follow the visitor's locale; the words stay English.
import { conventionsOf } from '#domain/time/date_conventions.ts';
import {
  formatDayWithYear,
  formatShortDayAndTime,
  formatTimeRange,
} from '#domain/time/format_time.ts';
import { expect, test } from '#support/browser.ts';
import { bookSiteSlot, findOpenDay } from '#support/browser_api.ts';
import { expectAccessible } from '#support/browser_axe.ts';
import { openBookingForm, waitForHydration } from '#support/browser_booking.ts';
import { expectFits } from '#support/browser_layout.ts';
import { expectOk } from '#support/call_api.ts';

const LOCALES = [
  // Day first, 24 hours, weeks from Monday.
  { locale: 'de-DE', weekdays: 'MoTuWeThFrSaSu', time: /^[A-Z]\w+, \d+ [A-Z]\w+, \d\d:\d\d$/ },
  // Day first, AM and PM, weeks from Saturday; with Latin digits.
  {
    locale: 'ar-EG',
    weekdays: 'SaSuMoTuWeThFr',
    time: /^[A-Z]\w+, \d+ [A-Z]\w+, \d+:\d\d [AP]M$/,
  },
];

for (const { locale, weekdays, time } of LOCALES)
  test.describe(locale, () => {
    test.use({ locale });

    test(`the booking form and the page of an appointment have the week, clock and date order of ${locale}`, {
      tag: locale === 'de-DE' ? [] : '@all',
    }, async ({ page, artist }) => {
      await openBookingForm(page, artist);
      await expect(page.locator('.calendar-days thead')).toHaveText(weekdays);
      const chips = page.getByRole('list', { name: 'Soonest times' }).getByRole('button');
      await expect(chips).toHaveCount(3);
      const [soonest, next] = await chips.allTextContents();
      expect(soonest?.replace('Soonest: ', '')).toMatch(time);
      expect(next).toMatch(time);
      await chips.first().click();
      await expect(
        page.locator('.bottom-bar').getByText(soonest?.replace('Soonest: ', '') ?? ''),
      ).toBeVisible();
      await expectFits(page);
      await expectAccessible(page);

      const { slot } = await findOpenDay(artist);
      const { id } = await expectOk(bookSiteSlot(artist, slot));
      await page.goto(`/${artist.username}/confirmation/${id}/`);
      await waitForHydration(page);
      await page.getByText('What happened so far').click();
      const conventions = conventionsOf(locale);
      const zone = artist.self.studio.time_zone;
      for (const text of [
        formatDayWithYear(slot.start, zone, conventions),
        formatTimeRange(slot.start, slot.end, zone, conventions),
        `You chose ${formatShortDayAndTime(slot.start, zone, conventions)}.`,
      ])
        await expect(page.getByText(text, { exact: true })).toBeVisible();
    });
  });
