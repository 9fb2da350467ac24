import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { newSiteArtist } from '#support/browser_api.ts';
import { button, waitForHydration } from '#support/browser_booking.ts';
import { logInAs } from '#support/browser_login.ts';
import type { TestArtist } from '#support/new_artist.ts';

const CLOSED = { weekly: [], minimum_notice_minutes: 0, slot_interval_minutes: 60 };

async function openHours(page: Page, artist: TestArtist): Promise<void> {
  await logInAs(page, artist);
  await page.goto('/studio/hours');
  await waitForHydration(page);
  await expect(page.getByRole('heading', { name: 'Weekly hours' })).toBeVisible();
  await expect(page.getByText('Loading')).toHaveCount(0);
}

async function save(page: Page): Promise<void> {
  await button(page, 'Save').click();
  await expect(page.getByText('Hours saved.')).toBeVisible();
  await expect(page.getByText('Not saved yet')).toHaveCount(0);
}

/** The slots of the preview, by the heading of their day. */
async function readPreview(page: Page): Promise<Record<string, string[]>> {
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

test('a new artist sets hours on a phone, with a preview of the slots, and leaving unsaved asks first', async ({
  page,
}) => {
  const artist = await newSiteArtist({ schedule: CLOSED });
  await openHours(page, artist);
  await expect(page.getByText('You have no hours yet')).toBeVisible();
  await button(page, 'Start with Tuesday to Saturday, 10 to 6').click();
  await page.getByLabel('Wednesday, until').fill('12:00');
  await expect(page.getByText(/^\d+ times in the next two weeks/)).toBeVisible();

  const preview = await readPreview(page);
  const wednesdays = Object.keys(preview).filter((day) => day.startsWith('Wednesday'));
  expect(preview[wednesdays.at(-1) ?? '']).toEqual(['10:00 AM', '11:00 AM']);
  expect(Object.keys(preview).filter((day) => /^(Sunday|Monday)/.test(day))).toEqual([]);

  const dialogOpened = page.waitForEvent('dialog');
  const navigation = page.goto('/studio/calendar').catch(() => null);
  const dialog = await dialogOpened;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await navigation;
  await expect(page.getByLabel('Wednesday, until')).toHaveValue('12:00');

  await save(page);
  await page.reload();
  await expect(page.getByLabel('Wednesday, until')).toHaveValue('12:00');
});
