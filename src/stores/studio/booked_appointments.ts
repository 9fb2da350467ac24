// The times of appointments. In this file `end` is excluded; in the API it is the last minute, included.
import { atom } from 'nanostores';
import type { Appointment } from '#contract/appointment.ts';
import { listAppointmentsInRange, listClientAppointments } from '#contract/endpoints.ts';
import { occupiesCalendar } from '#domain/appointments/appointment.ts';
import { type BufferedTime, blockedRange, type TimeRange } from '#domain/booking/availability.ts';
import { addDays, type DateRange, midnightUtc } from '#domain/time/calendar_date.ts';
import { formatDayWithYear, formatTimeRange, localDateAt } from '#domain/time/format_time.ts';
import { HOUR_MS, MINUTE_MS, toRfc3339 } from '#domain/time/time.ts';
import { type StudioZone, zoneOf } from '#domain/time/zone_offsets.ts';
import { callAsArtist } from '../session.ts';
import { createQueryOf, fetchAllPages } from './queries.ts';

/** Parses the times that the API returns; null while the appointment has no time. */
export function parseAppointmentTime(appointment: Appointment): BufferedTime | null {
  const { start, end, blocked_until } = appointment;
  if (start === null || end === null) return null;
  const endExcluded = Date.parse(end) + MINUTE_MS;
  return {
    start: Date.parse(start),
    end: endExcluded,
    blockedUntil: blocked_until === null ? endExcluded : Date.parse(blocked_until) + MINUTE_MS,
  };
}

/** The day and the time of an appointment in the studio's zone; null while there is no time. */
export function formatAppointmentTime(appointment: Appointment, studio: StudioZone): string | null {
  const { start, end } = appointment;
  const zone = zoneOf(studio, appointment);
  if (start === null || end === null) return null;
  return `${formatDayWithYear(start, zone)}, ${formatTimeRange(start, end, zone)}`;
}

/** Converts a time range to the API's form, where `end` is the last minute, included. */
export function toApiRange({ start, end }: TimeRange): { start: string; end: string } {
  return { start: toRfc3339(start), end: toRfc3339(end - MINUTE_MS) };
}

/** An appointment whose status, such as confirmed, reserves its time. */
export interface BookedAppointment extends BufferedTime {
  readonly appointment: Appointment;
}

/** The appointments that reserve their time, sorted by start. */
export function toBookedAppointments(appointments: readonly Appointment[]): BookedAppointment[] {
  const booked: BookedAppointment[] = [];
  for (const appointment of appointments) {
    const time = parseAppointmentTime(appointment);
    if (time !== null && occupiesCalendar(appointment.status))
      booked.push({ ...time, appointment });
  }
  return booked.toSorted((a, b) => a.start - b.start);
}

/** The times that clients cannot book, buffers included. */
export function toBlockedTimes(booked: readonly BookedAppointment[]): TimeRange[] {
  return booked.map(blockedRange);
}

/** All appointments of a client, the newest first. @throws ApiError */
export function fetchClientAppointments(client_id: string): Promise<readonly Appointment[]> {
  return fetchAllPages((query) =>
    callAsArtist(listClientAppointments, { path: { client_id }, query }),
  );
}

/** How far a zone can be ahead of UTC, and behind it. */
const MAX_AHEAD_MS = 14 * HOUR_MS;
const MAX_BEHIND_MS = 12 * HOUR_MS;

/**
 * Lists the appointments on these dates of the studio, buffers included. The offsets that come with each
 * appointment tell its date, also far ahead, where the studio's own offsets are not known.
 */
export async function listAppointmentsOnDates(dates: DateRange): Promise<readonly Appointment[]> {
  const { first, last } = dates;
  const start = midnightUtc(first) - MAX_AHEAD_MS;
  const end = midnightUtc(addDays(last, 1)) + MAX_BEHIND_MS;
  const query = toApiRange({ start, end });
  const { data } = await callAsArtist(listAppointmentsInRange, { query });
  return data.filter((appointment) => {
    const time = parseAppointmentTime(appointment);
    // Only the offsets matter here, not the name of the zone.
    const dateOf = (instant: number) => localDateAt({ time_zone: '', ...appointment }, instant);
    return time !== null && dateOf(time.start) <= last && dateOf(time.blockedUntil - 1) >= first;
  });
}

/** The dates whose booked appointments are shown, such as those that the artist takes off. */
export const $shownDates = atom<DateRange | null>(null);

/** The booked appointments that touch `$shownDates`, their buffers included. */
export const $bookedOnDates = createQueryOf($shownDates, ['appointments', 'dates'], async (dates) =>
  toBookedAppointments(await listAppointmentsOnDates(dates)),
);

/** Whether an appointment, without its buffer, touches dates of the studio. */
export function touchesDates(
  { start, end, appointment }: BookedAppointment,
  { first, last }: DateRange,
  studio: StudioZone,
): boolean {
  const zone = zoneOf(studio, appointment);
  return localDateAt(zone, start) <= last && localDateAt(zone, end - MINUTE_MS) >= first;
}
