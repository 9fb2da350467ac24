import type { Page } from '@playwright/test';
import { Temporal } from 'temporal-polyfill';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { expect, test } from '#support/browser.ts';
import { callSite, findOpenDay, newSiteArtist } from '#support/browser_api.ts';
import { button, formatFullDay } from '#support/browser_booking.ts';
import { bookAppointment, calendarAppointment, openCalendar } from '#support/browser_calendar.ts';
import { logInAs } from '#support/browser_login.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';

/** Makes a change and waits until the calendar has reloaded, which can move entries again. */
async function andReload(page: Page, change: () => Promise<void>): Promise<void> {
  const reloaded = page.waitForResponse(/appointments\/schedule/);
  await change();
  await reloaded;
}

async function loadStart({ token }: TestArtist, id: string): Promise<string | null> {
  return (await expectOk(callSite<Appointment>(`GET /appointments/${id}`, { token }))).start;
}

/** Drags a one-hour appointment so many hours later on its day. */
async function dragAppointmentDown(page: Page, name: string, hours: number): Promise<void> {
  const box = await calendarAppointment(page, name).boundingBox();
  if (!box) throw new Error(`${name} is not on the calendar`);
  const x = box.x + box.width / 2;
  const y = box.y + 12;
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + 10, { steps: 3 });
  await page.mouse.move(x, y + hours * box.height, { steps: 8 });
  await page.mouse.up();
}

/** The entry shows this time. */
async function expectTime(page: Page, name: string, time: string): Promise<void> {
  await expect(calendarAppointment(page, name)).toHaveCount(1);
  await expect(calendarAppointment(page, name)).toContainText(time);
}

test.describe('on a wide page in another time zone', () => {
  test.use({ viewport: { width: 1280, height: 900 }, timezoneId: 'Asia/Tokyo' });

  test('dragging moves and lengthens appointments in the studio’s zone, and not onto each other', async ({
    page,
    artist,
    watch,
  }) => {
    const { day } = await findOpenDay(artist);
    const id = await bookAppointment(artist, day, 0, 'Rosa');
    const other = await bookAppointment(artist, day, 3, 'Mila');
    await logInAs(page, artist);
    await openCalendar(page, 'week', day.date);
    await expectTime(page, 'Rosa', '10:00 AM');
    await expectTime(page, 'Mila', '1:00 PM');

    await test.step('to another time, and back with Undo', async () => {
      await andReload(page, () => dragAppointmentDown(page, 'Rosa', 1));
      await expect(page.getByText('Rosa is told by email.')).toBeVisible();
      await expectTime(page, 'Rosa', '11:00 AM');
      expect(await loadStart(artist, id)).toBe(day.windows[1]?.start);

      await andReload(page, () => button(page, 'Undo').click());
      await expect(page.getByText('Moved back.')).toBeVisible();
      await expectTime(page, 'Rosa', '10:00 AM');
      expect(await loadStart(artist, id)).toBe(day.windows[0]?.start);
    });

    await test.step('longer, by dragging the lower edge', async () => {
      const box = await calendarAppointment(page, 'Rosa').boundingBox();
      if (!box) throw new Error('Rosa is not on the calendar');
      const x = box.x + box.width / 2;
      const edge = box.y + box.height - 1;
      await andReload(page, async () => {
        await page.mouse.move(x, edge);
        await page.mouse.down();
        await page.mouse.move(x, edge + box.height, { steps: 8 });
        await page.mouse.up();
      });
      await expect(page.getByText('10:00 AM - 12:00 PM')).toBeVisible();
      expect(await loadStart(artist, id)).toBe(day.windows[0]?.start);
    });

    await test.step('onto another appointment: it is refused and snaps back', async () => {
      watch.expectError(/PATCH .*appointments.*: 409/);
      await andReload(page, () => dragAppointmentDown(page, 'Mila', -2));
      await expect(page.getByRole('alert').getByText('in the way')).toBeVisible();
      await expectTime(page, 'Mila', '1:00 PM');
      expect(await loadStart(artist, other)).toBe(day.windows[3]?.start);
    });
  });
});

test.describe('on a device in Tokyo', () => {
  test.use({ timezoneId: 'Asia/Tokyo' });

  for (const zone of ['Asia/Tokyo', 'America/New_York'])
    test(`a day of a studio in ${zone} can be taken off by tapping it in the month`, {
      tag: zone === 'Asia/Tokyo' ? [] : '@all',
    }, async ({ page }) => {
      const tapped = Temporal.Now.plainDateISO(zone).add({ days: 9 });
      const date = tapped.toString();
      // Of the same week, so that the month shows both.
      const other = tapped.add({ days: tapped.dayOfWeek === 7 ? 1 : -1 }).toString();
      const json = { exceptions: [{ date: other, windows: [{ start: '10:00', end: '11:00' }] }] };
      const artist = await newSiteArtist({ time_zone: zone });
      const { token } = artist;
      await expectOk(callSite('PATCH /users/me/schedule', { token, json }));
      await logInAs(page, artist);
      await openCalendar(page, 'month', date);
      const label = await page.getByText('Other hours').boundingBox();
      const cell = await page.locator(`.studio-calendar [data-date="${other}"]`).boundingBox();
      expect(label?.x, 'the label fits').toBeGreaterThanOrEqual(cell?.x ?? NaN);
      const day = page.locator(`.studio-calendar [data-date="${date}"]`);
      await day.click();
      await expect(
        page.getByRole('heading', { name: formatFullDay(`${date}T00:00:00Z`, 'UTC') }),
      ).toBeVisible();
      await button(page, 'Take this day off').click();
      await expect(page.locator('.kind-off')).toHaveAttribute('data-date', date);
      const { schedule } = await expectOk(callSite<CurrentArtist>('GET /users/me', { token }));
      expect(schedule.exceptions).toContainEqual({ date, windows: [] });
    });
});
