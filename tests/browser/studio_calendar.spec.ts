import { expect, test } from '#support/browser.ts';
import { button, fullDay, STUDIO_ZONE } from '#support/browser_booking.ts';
import {
  booked,
  dragDown,
  entry,
  expectAt,
  openCalendar,
  openDay,
  readStart,
} from '#support/browser_calendar.ts';
import { tabTo } from '#support/browser_keyboard.ts';
import { expectFits } from '#support/browser_layout.ts';
import { logInAs } from '#support/browser_login.ts';
import { openDays } from '#support/browser_studio.ts';

test.describe('on a wide page', () => {
  test.use({ viewport: { width: 1280, height: 900 } });

  test('an appointment is dragged to another time, and Undo takes it back', async ({
    page,
    artist,
  }) => {
    const day = await openDay(artist);
    const id = await booked(artist, day, 0, 'Rosa');
    await logInAs(page, artist);
    await openCalendar(page, 'week', day.date);
    await expectAt(page, 'Rosa', '10:00 AM');

    await dragDown(page, 'Rosa', 2);
    await expect(page.getByText('Rosa is told by email.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Write to Rosa' })).toHaveAttribute(
      'href',
      /^mailto:rosa%40example\.com\?/,
    );
    await expectAt(page, 'Rosa', '12:00 PM');
    expect(await readStart(artist, id)).toBe(day.windows[2]?.start);

    await button(page, 'Undo').click();
    await expect(page.getByText('Moved back.')).toBeVisible();
    await expectAt(page, 'Rosa', '10:00 AM');
    expect(await readStart(artist, id)).toBe(day.windows[0]?.start);
  });

  test('its lower edge is dragged to make it longer', async ({ page, artist }) => {
    const day = await openDay(artist);
    const id = await booked(artist, day, 0, 'Rosa');
    await logInAs(page, artist);
    await openCalendar(page, 'week', day.date);
    await expectAt(page, 'Rosa', '10:00 AM');
    const box = await entry(page, 'Rosa').boundingBox();
    if (!box) throw new Error('Rosa is not on the calendar');
    const x = box.x + box.width / 2;
    const edge = box.y + box.height - 1;
    await page.mouse.move(x, edge);
    await page.mouse.down();
    await page.mouse.move(x, edge + box.height, { steps: 8 });
    await page.mouse.up();
    await expect(page.getByText('10:00 AM - 12:00 PM')).toBeVisible();
    expect(await readStart(artist, id)).toBe(day.windows[0]?.start);
  });

  test('a drag onto another appointment is refused and snaps back', async ({
    page,
    artist,
    watch,
  }) => {
    const day = await openDay(artist);
    const id = await booked(artist, day, 0, 'Rosa');
    await booked(artist, day, 2, 'Mila');
    await logInAs(page, artist);
    await openCalendar(page, 'week', day.date);
    await expectAt(page, 'Rosa', '10:00 AM');

    watch.expectTrouble(/PATCH .*appointments.*: 409/);
    await dragDown(page, 'Rosa', 2);
    await expect(page.getByRole('alert').getByText('in the way')).toBeVisible();
    await expectAt(page, 'Rosa', '10:00 AM');
    expect(await readStart(artist, id)).toBe(day.windows[0]?.start);
  });

  test('of two tabs that move the same appointment, the second is told and sees where it is', async ({
    page,
    context,
    artist,
    watch,
  }) => {
    // The browser hardly attends to a tab in the background.
    test.slow();
    const day = await openDay(artist);
    const id = await booked(artist, day, 0, 'Rosa');
    const other = await context.newPage();
    for (const tab of [page, other]) {
      await logInAs(tab, artist);
      await openCalendar(tab, 'week', day.date);
      await expectAt(tab, 'Rosa', '10:00 AM');
    }

    await dragDown(page, 'Rosa', 1);
    await expectAt(page, 'Rosa', '11:00 AM');
    await expect(page.getByText('Moved.')).toBeVisible();

    watch.expectTrouble(/PATCH .*appointments.*: 409/);
    await dragDown(other, 'Rosa', 3);
    await expect(other.getByRole('alert').getByText('changed elsewhere')).toBeVisible();
    await expectAt(other, 'Rosa', '11:00 AM');
    expect(await readStart(artist, id)).toBe(day.windows[1]?.start);
  });

  test('the address keeps view and date', async ({ page, artist }) => {
    const day = await openDay(artist);
    await booked(artist, day, 1, 'Rosa');
    await logInAs(page, artist);
    await openCalendar(page, 'week', day.date);
    await button(page, 'Month').click();
    await expectAt(page, 'Rosa', '11:00 AM');
    await expect(page).toHaveURL(new RegExp(`view=month&date=${day.date}`));
    await page.reload();
    await expect(button(page, 'Month')).toHaveAttribute('aria-pressed', 'true');
    await expectAt(page, 'Rosa', '11:00 AM');
  });

  test.describe('far from the studio', () => {
    test.use({ timezoneId: 'Asia/Tokyo' });

    test('all times are the studio’s, also where a drag leads', async ({ page, artist }) => {
      const day = await openDay(artist);
      const id = await booked(artist, day, 0, 'Rosa');
      await logInAs(page, artist);
      await openCalendar(page, 'week', day.date);
      await expect(page.getByText(`Times in ${STUDIO_ZONE}`)).toContainText(
        'This device is in Asia/Tokyo.',
      );
      await expectAt(page, 'Rosa', '10:00 AM');
      await dragDown(page, 'Rosa', 3);
      await expectAt(page, 'Rosa', '1:00 PM');
      await expect(page.getByText('Moved.')).toBeVisible();
      expect(await readStart(artist, id)).toBe(day.windows[3]?.start);
    });
  });
});

test('an appointment is moved with the keyboard alone', async ({ page, artist }) => {
  const day = await openDay(artist);
  const id = await booked(artist, day, 0, 'Rosa');
  await logInAs(page, artist);
  await openCalendar(page, 'day', day.date);
  await tabTo(page, entry(page, 'Rosa'));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Rosa/ });
  await expect(dialog).toContainText('10:00 AM - 11:00 AM');
  await tabTo(page, button(page, 'Move to another time'));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Start'));
  await page.keyboard.type('1200PM');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expectAt(page, 'Rosa', '12:00 PM');
  expect(await readStart(artist, id)).toBe(day.windows[2]?.start);
});

test('a day off hides the day from clients, and opening it again brings it back', async ({
  page,
  artist,
}) => {
  const day = await openDay(artist);
  await logInAs(page, artist);
  await openCalendar(page, 'day', day.date);
  await expect(page.getByText('Open 10:00 AM – 2:00 PM.')).toBeVisible();

  await button(page, 'Add').click();
  await expect(
    page.getByRole('dialog', { name: fullDay(day.windows[0]?.start ?? 0, STUDIO_ZONE) }),
  ).toBeVisible();
  await button(page, 'Take this day off').click();
  // It tells the hours too.
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText('You have this day off.')).toBeVisible();
  expect((await openDays(artist)).map(({ date }) => date)).not.toContain(day.date);

  await button(page, 'Add').click();
  await button(page, 'Open this day again').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText('Open 10:00 AM – 2:00 PM.')).toBeVisible();
  expect((await openDays(artist)).map(({ date }) => date)).toContain(day.date);
});

test('several days off at once, and Undo', async ({ page, artist }) => {
  const [first, , third] = await openDays(artist);
  if (!first || !third) throw new Error('No open days');
  await logInAs(page, artist);
  await openCalendar(page, 'day', first.date);
  await button(page, 'Add').click();
  await page.getByLabel('Until, for several days off').fill(third.date);
  await page.getByRole('button', { name: /^Take these \d+ days off$/ }).click();
  await expect(page.getByText('Days off.')).toBeVisible();
  expect((await openDays(artist))[0]?.date.localeCompare(third.date)).toBe(1);
  await button(page, 'Undo').click();
  await expect(page.getByText('Undone.')).toBeVisible();
  expect((await openDays(artist))[0]?.date).toBe(first.date);
});

test('a tap on an empty hour leads to entering an appointment then', async ({ page, artist }) => {
  const day = await openDay(artist);
  await logInAs(page, artist);
  await openCalendar(page, 'day', day.date);
  const grid = page.locator('.studio-calendar');
  await expect(grid.getByText('11am')).toBeVisible();
  const [all, hour] = await Promise.all([grid.boundingBox(), grid.getByText('11am').boundingBox()]);
  if (!all || !hour) throw new Error('There is no calendar');
  await page.mouse.click(all.x + all.width / 2, hour.y + 8);
  await expect(
    page.getByRole('link', { name: 'Enter an appointment at 11:00 AM' }),
  ).toHaveAttribute('href', `/studio/appointments?enter=${day.windows[1]?.start}`);
});

test('day, week, month and list fit on every screen', async ({ page, artist }) => {
  const day = await openDay(artist);
  await booked(artist, day, 0, 'Maximiliana');
  await logInAs(page, artist);
  for (const view of ['day', 'week', 'month', 'list'])
    await test.step(view, async () => {
      await openCalendar(page, view, day.date);
      await expect(entry(page, 'Maximiliana')).toHaveCount(1);
      await expectFits(page);
    });
});

test('what cannot be read is told, and read on another try', async ({ page, artist, watch }) => {
  const day = await openDay(artist);
  await booked(artist, day, 0, 'Rosa');
  watch.expectTrouble(/appointments\/schedule.*ERR_FAILED/);
  await logInAs(page, artist);
  await page.route('**/appointments/schedule/?*', (route) => route.abort());
  await page.goto(`/studio/calendar?view=day&date=${day.date}`);
  await expect(page.getByText('The appointments could not be loaded.')).toBeVisible();
  await page.unroute('**/appointments/schedule/?*');
  await button(page, 'Try again').click();
  await expectAt(page, 'Rosa', '10:00 AM');
});
