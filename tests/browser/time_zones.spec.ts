import { Temporal } from 'temporal-polyfill';
import type { Availability } from '#contract/availability.ts';
import { expect, test } from '#support/browser.ts';
import { callSite, findOpenDay, newSiteArtist } from '#support/browser_api.ts';
import {
  dayButton,
  fillFields,
  formatDayHeading,
  formatFullDay,
  formatTime,
  formatTimeRange,
  onYourClock,
  openBookingForm,
  pickDay,
  pickSlot,
  STUDIO_ZONE,
  saveAndOpenConfirmation,
  selectedTimeText,
  slotButton,
} from '#support/browser_booking.ts';
import { expectOk } from '#support/call_api.ts';

// A day ahead of, hours ahead of, and hours behind the studio.
for (const zone of ['Pacific/Kiritimati', 'Europe/Berlin', 'Pacific/Honolulu']) {
  test.describe(`a client in ${zone}`, () => {
    test.use({ timezoneId: zone });

    test('sees the studio’s time and their own, before and after booking', {
      tag: zone === 'Pacific/Kiritimati' ? [] : '@all',
    }, async ({ page, artist }) => {
      const { day, slot } = await findOpenDay(artist);
      await openBookingForm(page, artist);
      await pickSlot(page, day, slot);
      await expect(page.getByRole('heading', { name: formatDayHeading(day.date) })).toBeVisible();
      await expect(page.getByText(`Time zone: ${STUDIO_ZONE}`)).toBeVisible();
      await expect(page.getByText(onYourClock(slot, zone))).toBeVisible();

      await fillFields(page, { email: 'rosa@example.com' });
      await saveAndOpenConfirmation(page, artist.username);
      await expect(
        page.getByText(formatFullDay(slot.start, STUDIO_ZONE), { exact: true }),
      ).toBeVisible();
      await expect(
        page.getByText(formatTimeRange(slot, STUDIO_ZONE), { exact: true }),
      ).toBeVisible();
      await expect(page.getByText(`Time zone: ${STUDIO_ZONE}`)).toBeVisible();
      await expect(page.getByText(onYourClock(slot, zone))).toBeVisible();
    });
  });
}

test.describe('where the clocks change on another date', () => {
  test.use({ timezoneId: 'Europe/Berlin' });

  test('the day of the studio’s clock change shows the slots of the studio’s zone', async ({
    page,
  }) => {
    const date = nextSpringForward(STUDIO_ZONE);
    const artist = await newSiteArtist({
      schedule: {
        weekly: [],
        exceptions: [{ date, windows: [{ start: '01:00', end: '05:00' }] }],
        slot_interval_minutes: 60,
        minimum_notice_minutes: 0,
      },
    });
    await expectOk(
      callSite('PATCH /users/me/booking_range', {
        token: artist.token,
        json: { kind: 'fixed', start: date, end: date },
      }),
    );
    const { data } = await expectOk(
      callSite<Availability>(
        `GET /services/${artist.service.id}/availability?year=${date.slice(0, 4)}&month=${Number(date.slice(5, 7))}`,
      ),
    );
    const windows = data[0]?.windows ?? [];
    // The clock change skips 2:00 AM.
    expect(windows.map(({ start }) => formatTime(start, STUDIO_ZONE))).toEqual([
      '1:00 AM',
      '3:00 AM',
      '4:00 AM',
    ]);

    await openBookingForm(page, artist);
    await pickDay(page, date);
    await expect(dayButton(page, date)).toBeEnabled();
    await expect(
      page.getByRole('group', { name: formatDayHeading(date) }).getByRole('button'),
    ).toHaveText(['1:00 AM', '3:00 AM', '4:00 AM']);
    const three = windows[1];
    if (!three) throw new Error('No three o’clock');
    await slotButton(page, three).click();
    await expect(page.getByText(selectedTimeText(three))).toBeVisible();
    await expect(page.getByText(onYourClock(three, 'Europe/Berlin'))).toBeVisible();
  });
});

/** The next date, from the day after tomorrow on, on which the clocks in the zone skip an hour. */
function nextSpringForward(zone: string): string {
  let at = Temporal.Now.zonedDateTimeISO(zone).add({ days: 2 }).startOfDay();
  for (;;) {
    const before = at.offsetNanoseconds;
    const next = at.getTimeZoneTransition('next');
    if (!next) throw new Error(`Clocks in ${zone} do not change`);
    at = next;
    if (at.offsetNanoseconds > before) return at.toPlainDate().toString();
  }
}
