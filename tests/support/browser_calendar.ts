import type { Locator, Page } from '@playwright/test';
import { bookSiteSlot, confirmAppointment, type OpenDay } from './browser_api.ts';
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
