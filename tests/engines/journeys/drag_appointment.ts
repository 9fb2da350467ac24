import { Temporal } from 'temporal-polyfill';
import { expect } from 'vitest';
import { findOpenDay, listAppointments, newSiteArtist } from '#support/browser_api.ts';
import { openStudio } from '../studio.ts';
import type { Tab } from '../tab.ts';
import { button, css, label, link, text } from '../targets.ts';

/** The length that the dialog proposes. */
const ENTERED_HOURS = 2;
const ENTRY = css('.studio-calendar .entry', 'Rosa');

export async function dragAppointment(tab: Tab): Promise<void> {
  const artist = await newSiteArtist();
  const { day, slot } = await findOpenDay(artist);
  const week = `/studio/calendar?view=week&date=${day.date}`;
  await openStudio(tab, artist, week);
  await tab.press(button('Add'));
  await tab.press(link('Enter an appointment'));
  await tab.type(label('First name'), 'Rosa');
  await tab.type(label('Email'), 'rosa@example.com');
  await tab.type(label('Start'), '10:00');
  await tab.press(button('Enter appointment'));
  await tab.see(text('It is on your calendar, confirmed.'));

  await tab.open(week);
  expect(await tab.see(ENTRY)).toContain('10:00 AM');
  const start = Temporal.Instant.from(slot.start).toZonedDateTimeISO('America/New_York');
  // A week ends with Saturday.
  const days = start.dayOfWeek === 6 ? -1 : 1;
  const [width, height] = await tab.evaluate(() => {
    const drawn = document.querySelector<HTMLElement>('.studio-calendar .entry');
    const column = document.querySelector<HTMLElement>('.studio-calendar [data-date]');
    return [column?.offsetWidth ?? 0, drawn?.offsetHeight ?? 0];
  });
  await tab.drag(ENTRY, ENTRY, { x: days * width, y: height / ENTERED_HOURS });
  await tab.see(text(/^Now .*, 11:00 AM - 1:00 PM\. Rosa is told by email\.$/));
  expect(await tab.see(ENTRY)).toContain('11:00 AM');

  await tab.open(week);
  expect(await tab.see(ENTRY)).toContain('11:00 AM');
  const [appointment] = await listAppointments(artist.token);
  const moved = start.add({ days }).with({ hour: 11 });
  expect(Temporal.Instant.from(appointment?.start ?? '')).toEqual(moved.toInstant());
}
