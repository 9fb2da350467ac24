import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { listAppointments, listOpenDays } from '#support/browser_api.ts';
import {
  button,
  dayButton,
  field,
  formatDayHeading,
  formatFullDay,
  formatTimeRange,
  STUDIO_ZONE,
  selectedTimeText,
  slotButton,
  waitForConfirmation,
  waitForHydration,
} from '#support/browser_booking.ts';
import { waitForMail } from '#support/browser_inbox.ts';
import { tabAndPress, tabAndType, tabTo } from '#support/browser_keyboard.ts';
import { readEntry, readMailedEntry } from '#support/mail_calendar.ts';

test('a client books a slot using only the keyboard', async ({ page, artist }) => {
  const { username, token } = artist;
  const email = `rosa-${crypto.randomUUID()}@example.com`;
  const days = await listOpenDays(artist);
  // The first two open days of next month always exist.
  const nextMonth = days.filter(({ date }) => date.slice(0, 7) > (days[0]?.date.slice(0, 7) ?? ''));
  const [first, day] = nextMonth;
  const slot = day?.windows[1];
  if (!first || !day || !slot) throw new Error('No open days');

  await page.goto(`/${username}/services`);
  await tabAndPress(page, page.getByRole('link', { name: 'Book Now!' }), 'Enter');
  await page.waitForURL('**/scheduling?service=*');
  await waitForHydration(page);
  await expect(page.getByText('60 minute appt.')).toBeVisible();

  await tabTo(page, button(page, 'Next'));
  while (!(await dayButton(page, day.date).isVisible())) {
    await page.keyboard.press('Enter');
    await expect(page.getByText('Loading')).toHaveCount(0);
  }
  await tabTo(page, dayButton(page, first.date));
  await page.keyboard.press('ArrowRight');
  await expect(dayButton(page, day.date)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: formatDayHeading(day.date) })).toBeVisible();
  await expect(page.getByText(`Time zone: ${STUDIO_ZONE}`)).toBeVisible();
  await tabAndPress(page, slotButton(page, slot), 'Space');
  await expect(page.getByText(selectedTimeText(slot))).toBeVisible();
  // The client is in the studio's zone.
  await expect(page.getByText('On your clock')).toHaveCount(0);

  await tabTo(page, field(page, 'location'));
  await page.keyboard.press('ArrowDown');
  await tabAndType(page, field(page, 'size'), 'Medium');
  await tabAndType(page, field(page, 'customer_notes'), 'A swallow.');
  await tabAndType(page, field(page, 'first_name'), 'Rosa');
  await tabAndType(page, field(page, 'last_name'), 'Quint');
  await tabAndType(page, field(page, 'pronouns'), 'she/her');
  await tabAndType(page, field(page, 'phone_number'), '(212) 555-0100');
  await tabAndType(page, field(page, 'email'), email);
  await tabAndType(page, field(page, 'preferred_contact'), 'Text');
  await tabAndPress(page, button(page, 'Save'), 'Enter');

  const id = await waitForConfirmation(page, username);
  const heading = page.getByRole('heading', { name: 'Confirm your appointment.' });
  await expect(heading).toBeVisible();
  await expect(page.getByText('On your clock')).toHaveCount(0);
  await tabAndPress(page, button(page, 'Confirm Appointment'), 'Enter');
  const booked = page.getByRole('heading', { name: "You're booked!" });
  await expect(booked).toBeFocused();
  await expect(page.getByRole('status').filter({ hasText: 'Success!' })).toContainText(
    'Appointment created successfully.',
  );
  await expect(page.getByText(formatFullDay(slot.start, STUDIO_ZONE))).toBeVisible();
  await expect(page.getByText(formatTimeRange(slot, STUDIO_ZONE))).toBeVisible();

  for (const name of ['Google', 'Outlook'])
    await tabTo(page, page.getByRole('link', { name, exact: true }));
  const file = await downloadCalendarFile(page);
  const mailed = readMailedEntry(await waitForMail(email, /^Booked/));
  const { uid, sequence, organizer } = readEntry(file);
  expect(mailed).toMatchObject({ uid, sequence, organizer });
  expect(organizer).toBe(`mailto:${artist.self.email}`);

  expect(await listAppointments(token)).toMatchObject([
    {
      id,
      ...slot,
      status: 'confirmed',
      client: { first_name: 'Rosa', email, phone_number: '+12125550100' },
      location: 'arms',
      size: 'medium',
      customer_notes: 'A swallow.',
    },
  ]);
});

/** Downloads the Apple calendar file by keyboard. */
async function downloadCalendarFile(page: Page): Promise<string> {
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('link', { name: 'Apple', exact: true })).toBeFocused();
  const downloading = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/\.ics$/);
  return readFile(await download.path(), 'utf8');
}
