import { expect } from 'vitest';
import {
  bookSiteSlot,
  confirmAppointment,
  findOpenDay,
  listAppointments,
  newSiteArtist,
} from '#support/browser_api.ts';
import { formatDayHeading, formatTime, STUDIO_ZONE } from '#support/browser_booking.ts';
import { expectOk } from '#support/call_api.ts';
import { createDailySchedule } from '#support/sample_people.ts';
import type { Tab } from '../tab.ts';
import { button, heading, label, link, text } from '../targets.ts';

const SCHEDULE = { ...createDailySchedule('10:00', '14:00'), client_move_notice_hours: 24 };

export async function moveAndCancel(tab: Tab): Promise<void> {
  const artist = await newSiteArtist({ schedule: SCHEDULE });
  const { day, slot, other } = await findOpenDay(artist);
  const { id } = await expectOk(bookSiteSlot(artist, slot));
  await confirmAppointment(id);

  await tab.open(`/${artist.username}/confirmation/${id}/`);
  await tab.press(link('move it here'));
  await tab.see(button(/^Soonest: /));
  const dayButton = button(new RegExp(`${formatDayHeading(day.date)}, `));
  // The calendar opens on the first month with free times.
  if (!(await tab.isVisible(dayButton))) await tab.press(button('Next'));
  await tab.press(dayButton);
  const timeButton = button(formatTime(other.start, STUDIO_ZONE));
  await tab.press(timeButton);
  await tab.see(text(/^You give up .* which goes to others at once\./));
  await tab.press(button(/^Move to /));
  await tab.waitUntilGone(button('Keep my time'));
  await tab.press(text('What happened so far'));
  await tab.see(text(/^You moved it to /));
  expect(await listAppointments(artist.token)).toMatchObject([{ id, ...other }]);

  await tab.press(text('Cancel appointment'));
  await tab.type(label(/^A word to/), 'I broke my arm.');
  await tab.press(button('Cancel this appointment'));
  await tab.see(heading('This appointment was cancelled.'));
  expect(await tab.evaluate(() => document.activeElement?.textContent)).toBe(
    'This appointment was cancelled.',
  );
  expect(await listAppointments(artist.token)).toMatchObject([{ id, status: 'cancelled' }]);
}
