import { expect, type Locator, type Page } from '@playwright/test';
import type { Appointment } from '#contract/appointment.ts';
import { bookSiteSlot, callSite, confirmAppointment, type OpenDay } from './browser_api.ts';
import { waitForHydration } from './browser_booking.ts';
import { expectOk } from './call_api.ts';
import type { TestArtist } from './new_artist.ts';

/** A client's confirmed appointment at the nth free hour of the day. */
export async function bookAppointment(
  artist: TestArtist,
  { windows }: OpenDay,
  nth: number,
  first_name: string,
): Promise<string> {
  const slot = windows[nth];
  if (!slot) throw new Error('No such slot');
  const email = `${first_name.toLowerCase()}@example.com`;
  const { id } = await expectOk(bookSiteSlot(artist, slot, { first_name, email }));
  await confirmAppointment(id);
  return id;
}

export async function loadStart({ token }: TestArtist, id: string): Promise<string | null> {
  return (await expectOk(callSite<Appointment>(`GET /appointments/${id}`, { token }))).start;
}

/** Opens the calendar and waits for its entries. */
export async function openCalendar(page: Page, view: string, date: string): Promise<void> {
  const loaded = page.waitForResponse(/appointments\/schedule/);
  await page.goto(`/studio/calendar?view=${view}&date=${date}`);
  await waitForHydration(page);
  await loaded;
}

/** An appointment on the calendar, by the name of its client. */
export function calendarAppointment(page: Page, name: string): Locator {
  return page.locator('.studio-calendar .entry').filter({ hasText: name });
}

/** Drags a one-hour appointment so many hours later on its day. */
export async function dragAppointmentDown(page: Page, name: string, hours: number): Promise<void> {
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
export async function expectTime(page: Page, name: string, time: string): Promise<void> {
  await expect(calendarAppointment(page, name)).toHaveCount(1);
  await expect(calendarAppointment(page, name)).toContainText(time);
}
