/** Labelled lines about an appointment, for mails. */
import { BODY_LOCATION_LABELS, TATTOO_SIZE_LABELS } from '#domain/appointment_labels.ts';
import {
  formatDayWithYear,
  formatShortDay,
  formatTime,
  formatTimeRangeWithZone,
  formatTimeWithZone,
} from '#domain/format_time.ts';
import type { AppointmentSnapshot } from '#domain/mail.ts';
import { type Instant, MINUTE_MS } from '#domain/time.ts';
import type { DetailLine } from './mail_content.ts';

/** 'Tue, Dec 1, 2026 at 10:00 AM' in the studio's time zone; null when no time is set. */
export function formatStart({ time, studio }: AppointmentSnapshot): string | null {
  return time && formatInstant(time.start, studio.time_zone);
}

function formatInstant(instant: Instant, zone: string): string {
  return `${formatShortDay(instant, zone)} at ${formatTime(instant, zone)}`;
}

/** The time in the studio's time zone, the start before a move, the service and the design. */
export function timeDetails(appointment: AppointmentSnapshot): DetailLine[] {
  const { time, service, design } = appointment;
  const zone = appointment.studio.time_zone;
  const details: DetailLine[] = [];
  if (time !== null) {
    const { start, end } = time;
    // `end` is the instant after the appointment; `formatTimeRangeWithZone` takes the last minute.
    const hours = formatTimeRangeWithZone(start, end - MINUTE_MS, zone);
    details.push(['When', [formatDayWithYear(start, zone), hours]]);
  }
  const before = formatBefore(appointment);
  if (before !== null) details.push(['Before', [before]]);
  if (service !== null) details.push(['Service', [service]]);
  if (design !== null) details.push(['Design', [design]]);
  return details;
}

/** The start as it was, or as the studio's clocks showed it before another time zone; or null. */
function formatBefore({ time, movedFrom, studio, studioChange }: AppointmentSnapshot) {
  const start = movedFrom ?? time?.start ?? null;
  if (studioChange?.hasNewZone && start !== null)
    return formatTimeWithZone(start, studioChange.zoneBefore);
  return movedFrom === null ? null : formatInstant(movedFrom, studio.time_zone);
}

export function tattooDetails({ location, size }: AppointmentSnapshot): DetailLine[] {
  return [
    ...(location === null ? [] : [['On the body', [BODY_LOCATION_LABELS[location]]] as const]),
    ...(size === null ? [] : [['Size', [TATTOO_SIZE_LABELS[size]]] as const]),
  ];
}
