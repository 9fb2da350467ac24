import { expect, type Locator, type Page } from '@playwright/test';
import type { OpenDay, Slot } from './browser_api.ts';
import type { TestArtist } from './new_artist.ts';

export const STUDIO_ZONE = 'America/New_York';
export const TIME_TAKEN_TEXT = 'That time is no longer available. Please pick another.';

/** The form's fields and their labels, in the order of the page. */
const FIELDS = [
  ['location', 'Location on the body'],
  ['size', 'Size'],
  ['customer_notes', 'Notes'],
  ['first_name', 'First name'],
  ['last_name', 'Last name'],
  ['pronouns', 'Pronouns'],
  ['phone_number', 'Phone number'],
  ['email', 'Email (required)'],
  ['preferred_contact', 'Preferred contact'],
] as const;
const FIELD_LABELS: ReadonlyMap<FieldName, string> = new Map(FIELDS);
type FieldName = (typeof FIELDS)[number][0];
type FieldValues = Partial<Record<FieldName, string>>;
const SELECT_FIELDS: readonly string[] = ['location', 'size', 'preferred_contact'];

export function field(page: Page, name: FieldName): Locator {
  return page.getByLabel(FIELD_LABELS.get(name) ?? name, { exact: true });
}

export function button(page: Page, name: string): Locator {
  return page.getByRole('button', { name, exact: true });
}

/** An error message in the corner. */
export function toast(page: Page, text: string): Locator {
  return page.getByRole('alert').filter({ hasText: 'Something went wrong.' }).filter({
    hasText: text,
  });
}

/** Opens the booking form of the artist's service. */
export async function openBookingForm(
  page: Page,
  { username, service }: TestArtist,
): Promise<void> {
  await page.goto(`/${username}/scheduling?service=${service.id}`);
  await waitForHydration(page);
}

/** Opens the form, picks a time, and fills in these fields. */
export async function openFilledForm(
  page: Page,
  artist: TestArtist,
  { day, slot, values }: { day: OpenDay; slot: Slot; values: FieldValues },
): Promise<void> {
  await openBookingForm(page, artist);
  await pickSlot(page, day, slot);
  await fillFields(page, values);
}

/** Waits until every island on the page is hydrated. */
export async function waitForHydration(page: Page): Promise<void> {
  await expect(page.locator('astro-island')).not.toHaveCount(0);
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
}

/** A day of the visible month. Its name may also contain `today` or `selected`. */
export function dayButton(page: Page, date: string): Locator {
  const { weekday, month, day, year } = dateParts(date);
  const name = new RegExp(`${weekday}, ${month} ${day}(st|nd|rd|th)?, ${year}`);
  return page.getByRole('grid', { name: `${month} ${year}` }).getByRole('button', { name });
}

/** Pages to the month of the date: the calendar may have opened on any month with free times. */
async function showMonth(page: Page, date: string): Promise<void> {
  const { month, year } = dateParts(date);
  const label = `${month} ${year}`;
  const grid = page.getByRole('grid');
  const wanted = page.getByRole('grid', { name: label });
  await expect(grid).toBeVisible();
  while (!(await wanted.isVisible())) {
    const current = (await grid.getAttribute('aria-label')) ?? '';
    const isLater = Date.parse(`1 ${label}`) > Date.parse(`1 ${current}`);
    await button(page, isLater ? 'Next' : 'Previous').click();
    await expect(grid).not.toHaveAttribute('aria-label', current);
  }
}

export async function pickDay(page: Page, date: string): Promise<void> {
  await showMonth(page, date);
  await dayButton(page, date).click();
  await expect(page.getByRole('heading', { name: formatDayHeading(date) })).toBeVisible();
}

export function slotButton(page: Page, slot: Slot, zone = STUDIO_ZONE): Locator {
  return button(page, formatTime(slot.start, zone));
}

export async function pickSlot(page: Page, day: OpenDay, slot: Slot): Promise<void> {
  await pickDay(page, day.date);
  await slotButton(page, slot).click();
  await expect(page.getByText(selectedTimeText(slot))).toBeVisible();
}

/** 'Selected Time: 10:00 AM - 11:00 AM'. */
export function selectedTimeText({ start, end }: Slot, zone = STUDIO_ZONE): string {
  return `Selected Time: ${formatTimeRange({ start, end }, zone)}`;
}

/** '10:00 AM - 11:00 AM': the end is the minute after the slot's last one. */
export function formatTimeRange({ start, end }: Slot, zone: string): string {
  return `${formatTime(start, zone)} - ${formatTime(Date.parse(end) + 60_000, zone)}`;
}

/** 'On your clock: Tuesday, December 1, 2026, 4:00 PM - 5:00 PM (Europe/Berlin)'. */
export function onYourClock(slot: Slot, zone: string): string {
  return `On your clock: ${formatFullDay(slot.start, zone)}, ${formatTimeRange(slot, zone)} (${zone})`;
}

/** '10:00 AM'. */
export function formatTime(when: string | number, zone: string): string {
  return formatInstant(when, zone, { hour: 'numeric', minute: '2-digit' });
}

/** 'Tuesday, December 1, 2026'. */
export function formatFullDay(when: string | number, zone: string): string {
  return formatInstant(when, zone, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    year: 'numeric',
  });
}

/** 'Tuesday, December 1'. */
export function formatDayHeading(date: string): string {
  const { weekday, month, day } = dateParts(date);
  return `${weekday}, ${month} ${day}`;
}

export async function fillFields(page: Page, values: FieldValues): Promise<void> {
  for (const [name] of FIELDS) {
    const text = values[name];
    if (text === undefined) continue;
    if (SELECT_FIELDS.includes(name)) await field(page, name).selectOption(text);
    else await field(page, name).fill(text);
  }
}

/** Every field has its value; fields that are left out are blank. */
export async function expectFieldValues(page: Page, values: FieldValues): Promise<void> {
  for (const [name] of FIELDS) await expect(field(page, name)).toHaveValue(values[name] ?? '');
}

/** Saves, waits for the confirmation page and returns the appointment's id. */
export async function saveAndOpenConfirmation(page: Page, username: string): Promise<string> {
  await button(page, 'Save').click();
  return waitForConfirmation(page, username);
}

export async function waitForConfirmation(page: Page, username: string): Promise<string> {
  await page.waitForURL(`**/${username}/confirmation/*/`);
  await waitForHydration(page);
  return new URL(page.url()).pathname.split('/')[3] ?? '';
}

function dateParts(date: string) {
  const noon = Date.parse(`${date}T12:00:00Z`);
  return {
    weekday: formatInstant(noon, 'UTC', { weekday: 'long' }),
    month: formatInstant(noon, 'UTC', { month: 'long' }),
    day: formatInstant(noon, 'UTC', { day: 'numeric' }),
    year: formatInstant(noon, 'UTC', { year: 'numeric' }),
  };
}

function formatInstant(
  when: string | number,
  zone: string,
  options: Intl.DateTimeFormatOptions,
): string {
  return new Intl.DateTimeFormat('en-US', { ...options, timeZone: zone })
    .format(new Date(when))
    .replace(/[\u202f\u00a0]/g, ' ');
}
