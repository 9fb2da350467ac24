import { BODY_LOCATION_LABELS, TATTOO_SIZE_LABELS } from '#domain/appointment_labels.ts';
import { formatAddressLines } from '#domain/calendar_event.ts';
import {
  formatDayWithYear,
  formatShortDay,
  formatTime,
  formatTimeRangeWithZone,
} from '#domain/format_time.ts';
import type { AppointmentSnapshot } from '#domain/mail.ts';
import { MINUTE_MS } from '#domain/time.ts';
import type { DetailLine } from './mail_content.ts';

/** The start in short, 'Tue, Dec 1, 2026 at 10:00 AM'; null when no time is set. */
export function formatShortTime({ time, studio }: AppointmentSnapshot): string | null {
  if (time === null) return null;
  const zone = studio.time_zone;
  return `${formatShortDay(time.start, zone)} at ${formatTime(time.start, zone)}`;
}

/** When it is, in the zone of the studio, and what is done. */
export function timeDetails({
  time,
  movedFrom,
  studio,
  service,
  design,
}: AppointmentSnapshot): DetailLine[] {
  const zone = studio.time_zone;
  const facts: DetailLine[] = [];
  if (time !== null) {
    const { start, end } = time;
    facts.push([
      'When',
      [formatDayWithYear(start, zone), formatTimeRangeWithZone(start, end - MINUTE_MS, zone)],
    ]);
  }
  if (movedFrom !== null)
    facts.push([
      'Before',
      [`${formatShortDay(movedFrom, zone)} at ${formatTime(movedFrom, zone)}`],
    ]);
  if (service !== null) facts.push(['Service', [service]]);
  if (design !== null) facts.push(['Design', [design]]);
  return facts;
}

/** What the client chose of their tattoo. */
export function tattooDetails({ location, size }: AppointmentSnapshot): DetailLine[] {
  return [
    ...(location === null ? [] : [['On the body', [BODY_LOCATION_LABELS[location]]] as const]),
    ...(size === null ? [] : [['Size', [TATTOO_SIZE_LABELS[size]]] as const]),
  ];
}

/** Where it is. */
export function studioDetails({ studio }: AppointmentSnapshot): DetailLine[] {
  return [['Where', [studio.name, ...formatAddressLines(studio)]]];
}
