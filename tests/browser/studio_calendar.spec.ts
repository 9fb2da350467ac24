import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { button } from '#support/browser_booking.ts';
import {
  bookAppointment,
  calendarAppointment,
  dragAppointmentDown,
  expectTime,
  findOpenDay,
  loadStart,
  openCalendar,
} from '#support/browser_calendar.ts';
import { tabTo } from '#support/browser_keyboard.ts';
import { logInAs } from '#support/browser_login.ts';

/** Changes what is on the calendar, which is then read anew: entries may move once more. */
async function andReadAnew(page: Page, change: () => Promise<void>): Promise<void> {
  const read = page.waitForResponse(/appointments\/schedule/);
  await change();
  await read;
}

test.describe('on a wide page, far from the studio', () => {
  test.use({ viewport: { width: 1280, height: 900 }, timezoneId: 'Asia/Tokyo' });

  test('appointments are dragged in the studio’s zone: to another time and back, longer, and not onto each other', async ({
    page,
    artist,
    watch,
  }) => {
    const day = await findOpenDay(artist);
    const id = await bookAppointment(artist, day, 0, 'Rosa');
    const other = await bookAppointment(artist, day, 3, 'Mila');
    await logInAs(page, artist);
    await openCalendar(page, 'week', day.date);
    await expectTime(page, 'Rosa', '10:00 AM');
    await expectTime(page, 'Mila', '1:00 PM');

    await test.step('to another time, and back with Undo', async () => {
      await andReadAnew(page, () => dragAppointmentDown(page, 'Rosa', 1));
      await expect(page.getByText('Rosa is told by email.')).toBeVisible();
      await expect(page.getByRole('link', { name: 'Write to Rosa' })).toHaveAttribute(
        'href',
        /^mailto:rosa%40example\.com\?/,
      );
      await expectTime(page, 'Rosa', '11:00 AM');
      expect(await loadStart(artist, id)).toBe(day.windows[1]?.start);

      await andReadAnew(page, () => button(page, 'Undo').click());
      await expect(page.getByText('Moved back.')).toBeVisible();
      await expectTime(page, 'Rosa', '10:00 AM');
      expect(await loadStart(artist, id)).toBe(day.windows[0]?.start);
    });

    await test.step('longer, by the lower edge', async () => {
      const box = await calendarAppointment(page, 'Rosa').boundingBox();
      if (!box) throw new Error('Rosa is not on the calendar');
      const x = box.x + box.width / 2;
      const edge = box.y + box.height - 1;
      await andReadAnew(page, async () => {
        await page.mouse.move(x, edge);
        await page.mouse.down();
        await page.mouse.move(x, edge + box.height, { steps: 8 });
        await page.mouse.up();
      });
      await expect(page.getByText('10:00 AM - 12:00 PM')).toBeVisible();
      expect(await loadStart(artist, id)).toBe(day.windows[0]?.start);
    });

    await test.step('onto another appointment, which is refused and snaps back', async () => {
      watch.expectError(/PATCH .*appointments.*: 409/);
      await andReadAnew(page, () => dragAppointmentDown(page, 'Mila', -2));
      await expect(page.getByRole('alert').getByText('in the way')).toBeVisible();
      await expectTime(page, 'Mila', '1:00 PM');
      expect(await loadStart(artist, other)).toBe(day.windows[3]?.start);
    });
  });
});

test('an appointment is moved with the keyboard alone, and a tap on an empty hour leads to entering one', async ({
  page,
  artist,
}) => {
  const day = await findOpenDay(artist);
  const id = await bookAppointment(artist, day, 0, 'Rosa');
  await logInAs(page, artist);
  await openCalendar(page, 'day', day.date);
  await tabTo(page, calendarAppointment(page, 'Rosa'));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Rosa/ });
  await expect(dialog).toContainText('10:00 AM - 11:00 AM');
  await tabTo(page, button(page, 'Move to another time'));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Start'));
  await page.keyboard.type('1200PM');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expectTime(page, 'Rosa', '12:00 PM');
  expect(await loadStart(artist, id)).toBe(day.windows[2]?.start);

  // The message may stand over the hour.
  await page.keyboard.press('Escape');
  await expect(page.getByText('Moved.')).toHaveCount(0);
  const grid = page.locator('.studio-calendar');
  await grid.getByText('11am').scrollIntoViewIfNeeded();
  const [all, hour] = await Promise.all([grid.boundingBox(), grid.getByText('11am').boundingBox()]);
  if (!all || !hour) throw new Error('There is no calendar');
  await page.mouse.click(all.x + all.width / 2, hour.y + 8);
  await expect(
    page.getByRole('link', { name: 'Enter an appointment at 11:00 AM' }),
  ).toHaveAttribute('href', `/studio/appointments?enter=${day.windows[1]?.start}`);
});
