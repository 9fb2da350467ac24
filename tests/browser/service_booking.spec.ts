import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import ICAL from 'ical.js';
import { expect, test } from '#support/browser.ts';
import {
  arriveAtConfirmation,
  button,
  clock,
  dayButton,
  field,
  fullDay,
  headingOf,
  openForm,
  pickSlot,
  STUDIO_ZONE,
  saveAndGo,
  scriptsDone,
  selectedTime,
  showMonthOf,
  slotButton,
  timeRange,
} from '#support/browser_booking.ts';
import { tabAndPress, tabAndType, tabTo } from '#support/browser_keyboard.ts';
import { appointmentsOf, FILLED_FORM, openDays, type Slot } from '#support/browser_studio.ts';

test('a client books a time by keyboard alone', { tag: '@desktop' }, async ({ page, artist }) => {
  const { username, token } = artist;
  const days = await openDays(artist);
  // The first open day of next month and the one after it: both are always there.
  const nextMonth = days.filter(({ date }) => date.slice(0, 7) > (days[0]?.date.slice(0, 7) ?? ''));
  const [first, day] = nextMonth;
  const slot = day?.windows[1];
  if (!first || !day || !slot) throw new Error('No open days');

  await page.goto(`/${username}/services`);
  await tabAndPress(page, page.getByRole('link', { name: 'Book Now!' }), 'Enter');
  await page.waitForURL('**/scheduling?service=*');
  await scriptsDone(page);
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
  await expect(page.getByRole('heading', { name: headingOf(day.date) })).toBeVisible();
  await expect(page.getByText(`Time zone: ${STUDIO_ZONE}`)).toBeVisible();
  await tabAndPress(page, slotButton(page, slot), 'Space');
  await expect(page.getByText(selectedTime(slot))).toBeVisible();

  await tabTo(page, field(page, 'location'));
  await page.keyboard.press('ArrowDown');
  await tabAndType(page, field(page, 'size'), 'Medium');
  await tabAndType(page, field(page, 'customer_notes'), 'A swallow.');
  await tabAndType(page, field(page, 'first_name'), 'Rosa');
  await tabAndType(page, field(page, 'last_name'), 'Quint');
  await tabAndType(page, field(page, 'pronouns'), 'she/her');
  await tabAndType(page, field(page, 'phone_number'), '(212) 555-0100');
  await tabAndType(page, field(page, 'email'), 'rosa@example.com');
  await tabAndType(page, field(page, 'preferred_contact'), 'Text');
  await tabAndPress(page, button(page, 'Save'), 'Enter');

  const id = await arriveAtConfirmation(page, username);
  const heading = page.getByRole('heading', { name: 'Confirm your appointment.' });
  await expect(heading).toBeVisible();
  await tabAndPress(page, button(page, 'Confirm Appointment'), 'Enter');
  const booked = page.getByRole('heading', { name: "You're booked!" });
  await expect(booked).toBeFocused();
  await expect(page.getByRole('status').filter({ hasText: 'Success!' })).toContainText(
    'Appointment created successfully.',
  );
  await expect(page.getByText(fullDay(slot.start, STUDIO_ZONE))).toBeVisible();
  await expect(page.getByText(timeRange(slot, STUDIO_ZONE))).toBeVisible();

  for (const name of ['Google', 'Outlook'])
    await tabTo(page, page.getByRole('link', { name, exact: true }));
  await expectCalendarFile(page, id, slot);

  expect(await appointmentsOf(token)).toMatchObject([
    {
      id,
      ...slot,
      status: 'confirmed',
      client: {
        first_name: 'Rosa',
        last_name: 'Quint',
        pronouns: 'she/her',
        email: 'rosa@example.com',
        phone_number: '+12125550100',
        preferred_contact: 'text',
      },
      location: 'arms',
      size: 'medium',
      customer_notes: 'A swallow.',
    },
  ]);
});

/** The Apple link's file, taken by keyboard, says what was booked and does not give the id away. */
async function expectCalendarFile(page: Page, id: string, { start, end }: Slot): Promise<void> {
  const [download] = await Promise.all([page.waitForEvent('download'), tabBackTo(page, 'Apple')]);
  expect(download.suggestedFilename()).toMatch(/\.ics$/);
  const text = await readFile(await download.path(), 'utf8');
  expect(text).not.toContain(id);
  const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
  expect(events).toHaveLength(1);
  const event = new ICAL.Event(events[0]);
  expect(event.summary).toBe('Tattoo Appointment');
  expect(event.description).toBe('Tattoo appointment at Ink & Ivory.');
  expect(event.location).toContain('1 Example Street');
  expect(event.uid).toMatch(/.+@linework$/);
  expect(event.startDate.toJSDate().getTime()).toBe(Date.parse(start));
  expect(event.endDate.toJSDate().getTime()).toBe(Date.parse(end) + 60_000);
}

async function tabBackTo(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('link', { name, exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
}

test('the calendar links carry the booked time and the studio', async ({ page, artist }) => {
  const [day] = await openDays(artist);
  const slot = day?.windows[0];
  if (!day || !slot) throw new Error('No open days');
  await openForm(page, artist);
  await pickSlot(page, day, slot);
  await field(page, 'email').fill(FILLED_FORM.email);
  await saveAndGo(page, artist.username);
  await button(page, 'Confirm Appointment').click();

  const google = await linkOf(page, 'Google');
  expect(google.hostname).toBe('calendar.google.com');
  expect(google.searchParams.get('text')).toBe('Tattoo Appointment');
  expect(google.searchParams.get('details')).toBe('Tattoo appointment at Ink & Ivory.');
  const compact = (when: number) => new Date(when).toISOString().replace(/[-:]|\.\d+/g, '');
  const until = Date.parse(slot.end) + 60_000;
  expect(google.searchParams.get('dates')).toBe(
    `${compact(Date.parse(slot.start))}/${compact(until)}`,
  );

  const outlook = await linkOf(page, 'Outlook');
  expect(outlook.hostname).toBe('outlook.live.com');
  expect(outlook.searchParams.get('subject')).toBe('Tattoo Appointment');
  expect(outlook.searchParams.get('body')).toBe('Tattoo appointment at Ink & Ivory.');
  expect(Date.parse(outlook.searchParams.get('startdt') ?? '')).toBe(Date.parse(slot.start));
  expect(Date.parse(outlook.searchParams.get('enddt') ?? '')).toBe(until);
});

async function linkOf(page: Page, name: string): Promise<URL> {
  const href = await page.getByRole('link', { name, exact: true }).getAttribute('href');
  return new URL(href ?? '');
}

test('choosing a service comes first when the address names none', async ({ page, artist }) => {
  await page.goto(`/${artist.username}/scheduling`);
  await scriptsDone(page);
  await expect(page.getByRole('heading', { name: 'Select Appointment' })).toBeVisible();
  await tabAndPress(page, page.getByRole('link', { name: 'Select Small flash' }), 'Enter');
  await expect(page.getByRole('heading', { name: 'Date and Time' })).toBeFocused();
  expect(new URL(page.url()).searchParams.get('service')).toBe(artist.service.id);
  await tabAndPress(page, page.getByRole('link', { name: 'Change appointment' }), 'Enter');
  await expect(page.getByRole('heading', { name: 'Select Appointment' })).toBeFocused();
});

test('only days with openings can be picked, and a day shows its times', async ({
  page,
  artist,
}) => {
  const days = await openDays(artist);
  const day = days[3];
  if (!day) throw new Error('No open days');
  await openForm(page, artist);
  await showMonthOf(page, day.date);
  await dayButton(page, day.date).click();
  const times = page.getByRole('group', { name: headingOf(day.date) }).getByRole('button');
  await expect(times).toHaveText(day.windows.map(({ start }) => clock(start, STUDIO_ZONE)));
  const before = new Date(Date.now() - 3 * 24 * 60 * 60_000).toISOString().slice(0, 10);
  const past = dayButton(page, before);
  if (await past.count()) await expect(past).toBeDisabled();
});

test('Save asks for a time where none is picked', async ({ page, artist }) => {
  await openForm(page, artist);
  await expect(button(page, 'Save')).toBeDisabled();
  await field(page, 'email').fill(FILLED_FORM.email);
  await button(page, 'Save').click();
  const notice = page.getByText('Please pick a date and a time before you save.');
  await expect(notice).toBeFocused();
  const [day] = await openDays(artist);
  const slot = day?.windows[0];
  if (!day || !slot) throw new Error('No open days');
  await pickSlot(page, day, slot);
  await expect(notice).toHaveCount(0);
});
