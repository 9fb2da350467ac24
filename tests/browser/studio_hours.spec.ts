import type { Page } from '@playwright/test';
import type { ArtistSelf } from '#contract/artist.ts';
import type { Availability } from '#contract/availability.ts';
import { expect, test } from '#support/browser.ts';
import { button, clock, headingOf, STUDIO_ZONE, scriptsDone } from '#support/browser_booking.ts';
import { booked, openDay } from '#support/browser_calendar.ts';
import { expectFits } from '#support/browser_layout.ts';
import { logInAgain, logInAs } from '#support/browser_login.ts';
import { call, dateIn, newArtist } from '#support/browser_studio.ts';
import { expectOk } from '#support/calls.ts';
import type { TestArtist } from '#support/new_artist.ts';

const CLOSED = { weekly: [], minimum_notice_minutes: 0, slot_interval_minutes: 60 };
const DAY_MS = 24 * 60 * 60_000;

async function openHours(page: Page, artist: TestArtist): Promise<void> {
  await logInAs(page, artist);
  await page.goto('/studio/hours');
  await scriptsDone(page);
  await expect(page.getByRole('heading', { name: 'Weekly hours' })).toBeVisible();
  await expect(page.getByText('Loading')).toHaveCount(0);
}

async function save(page: Page): Promise<void> {
  await button(page, 'Save').click();
  await expect(page.getByText('Hours saved.')).toBeVisible();
  await expect(page.getByText('Not saved yet')).toHaveCount(0);
}

function readMe({ token }: TestArtist): Promise<ArtistSelf> {
  return expectOk(call<ArtistSelf>('GET /users/me', { token }));
}

/** The times of the preview, by the heading of their day. */
async function previewed(page: Page): Promise<Record<string, string[]>> {
  const lists = page.getByRole('list', { name: /^Times on / });
  return Object.fromEntries(
    await lists.evaluateAll((all) =>
      all.map((list) => [
        (list.getAttribute('aria-label') ?? '').replace('Times on ', ''),
        [...list.children].map((item) => item.textContent ?? ''),
      ]),
    ),
  );
}

/** The same from the API, as clients get it. */
async function listed({ service }: TestArtist): Promise<Record<string, string[]>> {
  const today = dateIn(STUDIO_ZONE, Date.now());
  const last = dateIn(STUDIO_ZONE, Date.parse(`${today}T17:00:00Z`) + 13 * DAY_MS);
  const months = [...new Set([today, last].map((date) => date.slice(0, 7)))];
  const answers = await Promise.all(
    months.map((month) => {
      const [year, number] = month.split('-').map(Number);
      const query = `year=${year}&month=${number}`;
      return expectOk(call<Availability>(`GET /services/${service.id}/availability?${query}`));
    }),
  );
  return Object.fromEntries(
    answers
      .flatMap(({ data }) => data)
      .filter(({ date }) => date >= today && date <= last)
      .map(({ date, windows }) => [
        headingOf(date),
        windows.map(({ start }) => clock(start, STUDIO_ZONE)),
      ]),
  );
}

/** The preview is what clients get; looked at again where a time began between the two. */
async function expectOffered(page: Page, artist: TestArtist): Promise<void> {
  await expect(async () => {
    expect(await previewed(page)).toEqual(await listed(artist));
  }).toPass({ timeout: 10_000 });
}

test('a newcomer sets hours on a phone, and sees at once what clients will see', async ({
  page,
}) => {
  const artist = await newArtist({ schedule: CLOSED });
  await openHours(page, artist);
  await expect(page.getByText('You have no hours yet')).toBeVisible();
  await button(page, 'Start with Tuesday to Saturday, 10 to 6').click();
  await page.getByLabel('Wednesday, until').fill('12:00');
  await expect(page.getByText(/^\d+ times in the next two weeks/)).toBeVisible();

  const preview = await previewed(page);
  const wednesdays = Object.keys(preview).filter((day) => day.startsWith('Wednesday'));
  expect(preview[wednesdays.at(-1) ?? '']).toEqual(['10:00 AM', '11:00 AM']);
  expect(Object.keys(preview).filter((day) => /^(Sunday|Monday)/.test(day))).toEqual([]);
  expect(await listed(artist)).toEqual({});

  await save(page);
  await expectOffered(page, artist);
  await page.reload();
  await expect(page.getByLabel('Wednesday, until')).toHaveValue('12:00');
});

test('several windows a day, and midnight as the end', async ({ page }) => {
  const artist = await newArtist({ schedule: CLOSED });
  await openHours(page, artist);
  await button(page, 'Open on Monday').click();
  await button(page, 'Add hours on Monday').click();
  await page.getByLabel('Monday, hours 2, from').fill('20:00');
  await page.getByLabel('Monday, hours 2, until').fill('00:00');
  await save(page);
  expect((await readMe(artist)).schedule.weekly.find(({ weekday }) => weekday === 1)).toEqual({
    weekday: 1,
    windows: [
      { start: '10:00', end: '18:00' },
      { start: '20:00', end: '24:00' },
    ],
  });
  await expectOffered(page, artist);
});

test('a day is copied to others', async ({ page }) => {
  const artist = await newArtist({ schedule: CLOSED });
  await openHours(page, artist);
  await button(page, 'Open on Tuesday').click();
  await page.getByLabel('Tuesday, from').fill('09:00');
  await button(page, 'Copy to… other days, from Tuesday').click();
  await page.getByRole('checkbox', { name: 'Friday' }).check();
  await page.getByRole('checkbox', { name: 'Sunday' }).check();
  await button(page, 'Copy').click();
  await save(page);
  const { weekly } = (await readMe(artist)).schedule;
  const open = weekly.filter(({ windows }) => windows.length > 0);
  expect(open.map(({ weekday }) => weekday)).toEqual([2, 5, 7]);
  expect(new Set(open.map(({ windows }) => JSON.stringify(windows))).size).toBe(1);
});

test('hours that overlap or end before they start are told beside them, and kept', async ({
  page,
  artist,
}) => {
  await openHours(page, artist);
  await button(page, 'Add hours on Monday').click();
  await page.getByLabel('Monday, hours 2, from').fill('11:00');
  await expect(page.getByText('Overlaps the hours above')).toBeVisible();
  await expect(page.getByLabel('Monday, hours 2, from')).toHaveAccessibleDescription(
    'Overlaps the hours above',
  );
  await page.getByLabel('Tuesday, until').fill('09:00');
  await expect(page.getByText('Must end after it starts')).toBeVisible();

  await button(page, 'Save').click();
  await expect(page.getByLabel('Monday, hours 2, from')).toBeFocused();
  await expect(page.getByText('Not saved yet')).toBeVisible();
  await expect(page.getByLabel('Tuesday, until')).toHaveValue('09:00');
  await button(page, 'Discard').click();
  await expect(page.getByLabel('Tuesday, until')).toHaveValue('14:00');
});

test('the preview equals what clients are then offered, whatever is set', async ({
  page,
  artist,
}) => {
  const day = await openDay(artist);
  await booked(artist, day, 1, 'Rosa');
  await openHours(page, artist);
  await expectOffered(page, artist);

  await page.getByLabel('A start every').selectOption('15');
  await page.getByLabel('Kept free after each').selectOption('30');
  await page.getByLabel('Notice you need').selectOption('2880');
  await save(page);
  await expectOffered(page, artist);

  await page.getByLabel('A start every').selectOption('other');
  await page.getByLabel('A start every, in minutes').fill('25');
  await page.getByLabel('Days ahead').fill('6');
  await expect(page.getByText('Cannot be booked yet').first()).toBeVisible();
  await save(page);
  await expectOffered(page, artist);
  expect((await readMe(artist)).schedule.slot_interval_minutes).toBe(25);
  expect((await readMe(artist)).booking_range).toEqual({ kind: 'rolling', days: 6 });
});

test('days off are added as a range and joined in the list', async ({ page, artist }) => {
  await openHours(page, artist);
  await button(page, 'Add days').click();
  await button(page, 'Add').click();
  await expect(page.getByText('Enter a day')).toBeVisible();
  const first = dateIn(STUDIO_ZONE, Date.now() + 3 * DAY_MS);
  const last = dateIn(STUDIO_ZONE, Date.now() + 5 * DAY_MS);
  await page.getByLabel('First day').fill(first);
  await page.getByLabel('Last day (optional)').fill(last);
  await button(page, 'Add').click();
  await expect(page.getByText('Day off', { exact: true })).toHaveCount(4);
  await save(page);
  expect((await readMe(artist)).schedule.exceptions.map(({ date }) => date)).toEqual([
    first,
    dateIn(STUDIO_ZONE, Date.now() + 4 * DAY_MS),
    last,
  ]);
  await expectOffered(page, artist);
});

test('what another tab changed stays, where this one did not touch it', async ({
  page,
  artist,
}) => {
  await openHours(page, artist);
  await page.getByLabel('Monday, from').fill('08:00');
  const date = dateIn(STUDIO_ZONE, Date.now() + 4 * DAY_MS);
  const { token } = artist;
  const exceptions = [{ date, windows: [] }];
  await expectOk(call('PATCH /users/me/schedule', { token, json: { exceptions } }));
  await save(page);
  const { schedule } = await readMe(artist);
  expect(schedule.exceptions).toEqual(exceptions);
  expect(schedule.weekly[0]?.windows[0]?.start).toBe('08:00');
});

test('appointments that new hours leave out are named and stay', async ({ page, artist }) => {
  const day = await openDay(artist);
  const id = await booked(artist, day, 0, 'Rosa');
  await openHours(page, artist);
  const weekday = headingOf(day.date).split(',')[0] ?? '';
  await page.getByLabel(`${weekday}, from`).fill('12:00');
  await expect(page.getByText('1 appointment is outside these hours.')).toBeVisible();
  await expect(page.getByRole('link', { name: /10:00 AM, Rosa/ })).toHaveAttribute(
    'href',
    `/studio/appointments?id=${id}`,
  );
});

test('leaving with changes asks first', async ({ page, artist }) => {
  await openHours(page, artist);
  await page.getByLabel('Monday, from').fill('08:00');
  const asked = page.waitForEvent('dialog');
  const left = page.goto('/studio/calendar').catch(() => null);
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await left;
  await expect(page.getByLabel('Monday, from')).toHaveValue('08:00');
});

test('a login that ends meanwhile leads to the login, and what was typed is there afterwards', async ({
  page,
  artist,
  watch,
}) => {
  await openHours(page, artist);
  await page.getByLabel('Monday, from').fill('08:00');
  watch.expectTrouble(/users\/me: 401/);
  await page.route('**/api/v1/users/me', (route) =>
    route.fulfill({ status: 401, json: { detail: 'Please log in' } }),
  );
  await button(page, 'Save').click();
  await page.waitForURL('**/login?next=%2Fstudio%2Fhours');
  await page.unroute('**/api/v1/users/me');
  await logInAgain(page, artist);
  await page.goto('/studio/hours');
  await expect(page.getByLabel('Monday, from')).toHaveValue('08:00');
});

test('a failed save keeps what was typed', async ({ page, artist, watch }) => {
  watch.expectTrouble(/me\/schedule.*ERR_FAILED/);
  await openHours(page, artist);
  await page.getByLabel('Monday, from').fill('08:00');
  await page.route('**/me/schedule', (route) => route.abort());
  await button(page, 'Save').click();
  await expect(page.getByText('The connection was lost.')).toBeVisible();
  await expect(page.getByLabel('Monday, from')).toHaveValue('08:00');
  await page.unroute('**/me/schedule');
  await save(page);
});

test('the page of hours fits on every screen', async ({ page, artist }) => {
  await openHours(page, artist);
  await page.getByLabel('Monday, until').fill('09:00');
  await expectFits(page);
});
