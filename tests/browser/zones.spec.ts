import type { Availability } from '#contract/availability.ts';
import { expect, test } from '#support/browser.ts';
import {
  clock,
  dayButton,
  fillIn,
  fullDay,
  headingOf,
  openForm,
  pickDay,
  pickSlot,
  STUDIO_ZONE,
  saveAndGo,
  selectedTime,
  slotButton,
  timeRange,
} from '#support/browser_booking.ts';
import { call, dateIn, newArtist, openDays, type Slot } from '#support/browser_studio.ts';
import { expectOk } from '#support/calls.ts';

const HOUR = 60 * 60_000;

/** 'On your clock: Tuesday, December 1, 2026, 4:00 PM - 5:00 PM (Europe/Berlin)'. */
function onYourClock(slot: Slot, zone: string): string {
  return `On your clock: ${fullDay(slot.start, zone)}, ${timeRange(slot, zone)} (${zone})`;
}

// Berlin; one whose day is another than the studio's; one where it is tomorrow already.
for (const zone of ['Europe/Berlin', 'Pacific/Honolulu', 'Pacific/Kiritimati']) {
  test.describe(`a client in ${zone}`, () => {
    test.use({ timezoneId: zone });

    test('sees the studio’s time and their own, before and after booking', async ({
      page,
      artist,
    }) => {
      const [day] = await openDays(artist);
      const slot = day?.windows[0];
      if (!day || !slot) throw new Error('No open days');
      await openForm(page, artist);
      await pickSlot(page, day, slot);
      await expect(page.getByRole('heading', { name: headingOf(day.date) })).toBeVisible();
      await expect(page.getByText(`Time zone: ${STUDIO_ZONE}`)).toBeVisible();
      await expect(page.getByText(onYourClock(slot, zone))).toBeVisible();

      await fillIn(page, { email: 'rosa@example.com' });
      await saveAndGo(page, artist.username);
      await expect(page.getByText(fullDay(slot.start, STUDIO_ZONE), { exact: true })).toBeVisible();
      await expect(page.getByText(timeRange(slot, STUDIO_ZONE), { exact: true })).toBeVisible();
      await expect(page.getByText(`Time zone: ${STUDIO_ZONE}`)).toBeVisible();
      await expect(page.getByText(onYourClock(slot, zone))).toBeVisible();
    });
  });
}

test('a client whose clock agrees with the studio’s is shown one time', async ({
  page,
  artist,
}) => {
  const [day] = await openDays(artist);
  const slot = day?.windows[0];
  if (!day || !slot) throw new Error('No open days');
  await openForm(page, artist);
  await pickSlot(page, day, slot);
  await expect(page.getByText('On your clock')).toHaveCount(0);
  await fillIn(page, { email: 'rosa@example.com' });
  await saveAndGo(page, artist.username);
  await expect(page.getByText('On your clock')).toHaveCount(0);
});

test.describe('where the client’s clocks change on other days', () => {
  test.use({ timezoneId: 'Europe/Berlin' });

  test('the day on which the studio’s clocks change shows the studio’s times', async ({ page }) => {
    const date = nextSpringForward(STUDIO_ZONE);
    const artist = await newArtist({
      schedule: {
        weekly: [],
        exceptions: [{ date, windows: [{ start: '01:00', end: '05:00' }] }],
        slot_interval_minutes: 60,
        minimum_notice_minutes: 0,
      },
    });
    await expectOk(
      call('PATCH /users/me/booking_range', {
        token: artist.token,
        json: { kind: 'fixed', start: date, end: date },
      }),
    );
    const { data } = await expectOk(
      call<Availability>(
        `GET /services/${artist.service.id}/availability?year=${date.slice(0, 4)}&month=${Number(date.slice(5, 7))}`,
      ),
    );
    const windows = data[0]?.windows ?? [];
    // There is no two o'clock that night.
    expect(windows.map(({ start }) => clock(start, STUDIO_ZONE))).toEqual([
      '1:00 AM',
      '3:00 AM',
      '4:00 AM',
    ]);

    await openForm(page, artist);
    await pickDay(page, date);
    await expect(dayButton(page, date)).toBeEnabled();
    await expect(page.getByRole('group', { name: headingOf(date) }).getByRole('button')).toHaveText(
      ['1:00 AM', '3:00 AM', '4:00 AM'],
    );
    const three = windows[1];
    if (!three) throw new Error('No three o’clock');
    await slotButton(page, three).click();
    await expect(page.getByText(selectedTime(three))).toBeVisible();
    await expect(page.getByText(onYourClock(three, 'Europe/Berlin'))).toBeVisible();
  });
});

/** The next date on which clocks in the zone leave an hour out. */
function nextSpringForward(zone: string): string {
  const hoursOf = (date: string) =>
    Array.from(
      { length: 27 },
      (_, hour) => Date.parse(`${date}T00:00:00Z`) + (hour + 3) * HOUR,
    ).filter((instant) => dateIn(zone, instant) === date).length;
  for (let ahead = 2; ahead < 400; ahead += 1) {
    const date = dateIn('UTC', Date.now() + ahead * 24 * HOUR);
    if (hoursOf(date) === 23) return date;
  }
  throw new Error(`Clocks in ${zone} do not change`);
}
