import { addressLines } from '#domain/calendar_entry.ts';
import { LOCATION_TEXTS, SIZE_TEXTS } from '#domain/choice_texts.ts';
import type { AppointmentFacts } from '#domain/notice.ts';
import { dayAndYear, rangeAndZone, shortDay, timeOf } from '#domain/show_time.ts';
import { MINUTE } from '#domain/time.ts';
import type { Fact } from './letter.ts';

/** The start in short, 'Tue, Dec 1, 2026 at 10:00 AM'; null when no time is set. */
export function timeInShort({ time, studio }: AppointmentFacts): string | null {
  if (time === null) return null;
  const zone = studio.time_zone;
  return `${shortDay(time.start, zone)} at ${timeOf(time.start, zone)}`;
}

/** When it is, in the zone of the studio, and what is done. */
export function timeFacts({ time, movedFrom, studio, service, design }: AppointmentFacts): Fact[] {
  const zone = studio.time_zone;
  const facts: Fact[] = [];
  if (time !== null) {
    const { start, end } = time;
    facts.push(['When', [dayAndYear(start, zone), rangeAndZone(start, end - MINUTE, zone)]]);
  }
  if (movedFrom !== null)
    facts.push(['Before', [`${shortDay(movedFrom, zone)} at ${timeOf(movedFrom, zone)}`]]);
  if (service !== null) facts.push(['Service', [service]]);
  if (design !== null) facts.push(['Design', [design]]);
  return facts;
}

/** What the client chose of their tattoo. */
export function wishFacts({ location, size }: AppointmentFacts): Fact[] {
  return [
    ...(location === null ? [] : [['On the body', [LOCATION_TEXTS[location]]] as const]),
    ...(size === null ? [] : [['Size', [SIZE_TEXTS[size]]] as const]),
  ];
}

/** Where it is. */
export function placeFacts({ studio }: AppointmentFacts): Fact[] {
  return [['Where', [studio.name, ...addressLines(studio)]]];
}
