import { expect, type Locator, type Page } from '@playwright/test';
import { Temporal } from 'temporal-polyfill';
import type { Appointment } from '#contract/appointment.ts';
import { callSite, type Slot } from './browser_api.ts';
import { button } from './browser_booking.ts';
import { expectOk } from './call_api.ts';

/** A date of New York so many days from now. */
export function dateAhead(days: number): string {
  return Temporal.Now.plainDateISO('America/New_York').add({ days }).toString();
}

/** A slot of the API: its end is the last minute inside, not the first one after it. */
export function slotFrom(start: number, minutes: number): Slot {
  const seconds = (when: number) => `${new Date(when).toISOString().slice(0, 19)}Z`;
  return { start: seconds(start), end: seconds(start + (minutes - 1) * 60_000) };
}

/** The instant of a full hour in New York; not for hours that a clock change skips. */
export function newYorkInstant(date: string, hour: number): number {
  return Temporal.PlainDate.from(date).toZonedDateTime({
    timeZone: 'America/New_York',
    plainTime: { hour },
  }).epochMilliseconds;
}

/** The artist enters an appointment over the API. */
export function enterAppointment(
  token: string,
  slot: Slot & { service_id?: string },
  client: { first_name?: string; last_name?: string; email?: string; phone_number?: string },
): Promise<Appointment> {
  return expectOk(
    callSite<Appointment>('POST /appointments', { token, json: { ...slot, client } }),
  );
}

/** Picks a day and a time in an open dialog. */
export async function pickTimeInDialog(
  dialog: Locator,
  { date, time, minutes }: { date?: string; time?: string; minutes?: string },
): Promise<void> {
  if (date !== undefined) await dialog.getByLabel('Day', { exact: true }).fill(date);
  if (time !== undefined) await dialog.getByLabel('Start').fill(time);
  if (minutes !== undefined) await dialog.getByLabel('Minutes').fill(minutes);
}

export function appointmentList(page: Page): Locator {
  return page.getByRole('list', { name: 'Appointments', exact: true });
}

/** Opens an appointment from the visible list. */
export async function openAppointment(page: Page, client: string): Promise<void> {
  await appointmentList(page).getByRole('link', { name: client }).click();
  await expect(page.getByRole('heading', { name: client, level: 2 })).toBeFocused();
}

export function appointmentDetail(page: Page): Locator {
  return page.getByRole('region', { name: 'The appointment that is open' });
}

/** Presses an action of the open appointment and waits for its dialog. */
export async function openActionDialog(
  page: Page,
  action: string,
  dialog: string | RegExp,
): Promise<Locator> {
  await button(page, action).click();
  const opened = page.getByRole('dialog', { name: dialog });
  await expect(opened).toBeVisible();
  return opened;
}
