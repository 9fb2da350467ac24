import type { Page } from '@playwright/test';
import type { Availability } from '#contract/availability.ts';
import { dateIn, monthLabel, monthOf, monthParts } from '#domain/show_time.ts';
import { expect, test } from '#support/browser.ts';
import { dayButton, openForm, STUDIO_ZONE, slotButton } from '#support/browser_booking.ts';
import { call, newArtist } from '#support/browser_studio.ts';
import { expectOk } from '#support/calls.ts';
import type { TestArtist } from '#support/new_artist.ts';

const ASKING = '**/availability?*';

/** The studio's month as the API lists it, and the words with which the calendar tells it. */
async function firstMonth({ service }: TestArtist) {
  const month = monthOf(dateIn(STUDIO_ZONE, Date.now()));
  const { year, number } = monthParts(month);
  const { data } = await expectOk(
    call<Availability>(`GET /services/${service.id}/availability?year=${year}&month=${number}`),
  );
  const label = monthLabel(month);
  const count = data.length === 1 ? '1 day' : `${data.length} days`;
  const words =
    data.length === 0
      ? `No available days in ${label}.`
      : `${count} with available times in ${label}.`;
  return { days: data, words };
}

/** The month is there, and the times of its last open day, if it has one left. */
async function expectShown(page: Page, { days, words }: Awaited<ReturnType<typeof firstMonth>>) {
  await expect(page.getByText(words)).toBeAttached();
  const day = days.at(-1);
  if (!day) return;
  await dayButton(page, day.date).click();
  for (const slot of day.windows) await expect(slotButton(page, slot)).toBeVisible();
}

test('the times of the first month are on show before the API is asked, which then never answers', async ({
  page,
  artist,
}) => {
  const month = await firstMonth(artist);
  const asked: Promise<number>[] = [];
  await page.route(ASKING, () => {
    asked.push(page.getByText(month.words).count());
  });
  await openForm(page, artist);
  await expectShown(page, month);
  await expect(page.getByText(/^Loading/)).toHaveCount(0);
  await expect.poll(() => asked.length).toBe(1);
  expect(await Promise.all(asked)).toEqual([1]);
});

test('the times of the first month stay on show when the API cannot be reached', async ({
  page,
  artist,
  watch,
}) => {
  const month = await firstMonth(artist);
  watch.expectTrouble(/availability.*ERR_FAILED/);
  const failed = page.waitForEvent('requestfailed');
  await page.route(ASKING, (route) => route.abort());
  await openForm(page, artist);
  await failed;
  await expectShown(page, month);
  await expect(page.getByText('could not be loaded')).toHaveCount(0);
});

test('of a service that clients cannot book no times come with the page', async ({ page }) => {
  const [artist, other] = await Promise.all([newArtist(), newArtist()]);
  for (const id of [other.service.id, 'nonsense']) {
    await page.goto(`/${artist.username}/scheduling?service=${id}`);
    await expect(page.getByRole('heading', { name: 'Select Appointment' })).toBeVisible();
    expect(await page.locator('astro-island').getAttribute('props')).not.toContain('windows');
  }
});
