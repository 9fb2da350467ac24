// The times of appointments. `end` is excluded here; in the API it is the last minute, included.
import type { Appointment } from '#contract/appointment.ts';
import { occupiesCalendar } from '#domain/appointment.ts';
import type { TimeRange } from '#domain/availability.ts';
import { type Instant, MINUTE_MS, toRfc3339 } from '#domain/time.ts';

/** The time of an appointment and of the buffer after it; `end` excludes the buffer. */
export interface TimeWithBuffer extends TimeRange {
  /** The end of the buffer, excluded; equal to `end` if there is no buffer. */
  readonly blockedUntil: Instant;
}

/** Parses the times that the API returns; null while the appointment has no time. */
export function parseAppointmentTime(appointment: Appointment): TimeWithBuffer | null {
  const { start, end, blocked_until } = appointment;
  if (start === null || end === null) return null;
  const endExcluded = Date.parse(end) + MINUTE_MS;
  return {
    start: Date.parse(start),
    end: endExcluded,
    blockedUntil: blocked_until === null ? endExcluded : Date.parse(blocked_until) + MINUTE_MS,
  };
}

/** Converts a time range to the API's form, where `end` is the last minute, included. */
export function toApiRange({ start, end }: TimeRange): { start: string; end: string } {
  return { start: toRfc3339(start), end: toRfc3339(end - MINUTE_MS) };
}

/** An appointment whose status, such as confirmed, reserves its time. */
export interface BookedAppointment extends TimeWithBuffer {
  readonly appointment: Appointment;
}

/** The appointments that reserve their time, sorted by start. */
export function toBookedAppointments(appointments: readonly Appointment[]): BookedAppointment[] {
  return appointments
    .flatMap((appointment) => {
      const time = occupiesCalendar(appointment.status) ? parseAppointmentTime(appointment) : null;
      return time === null ? [] : [{ ...time, appointment }];
    })
    .toSorted((a, b) => a.start - b.start);
}

/** The times that clients cannot book, buffers included. */
export function toBlockedTimes(booked: readonly BookedAppointment[]): TimeRange[] {
  return booked.map(({ start, blockedUntil }) => ({ start, end: blockedUntil }));
}
