import type { Appointment } from '#contract/appointment.ts';
import { occupiesCalendar } from '#domain/appointment.ts';
import type { TimeRange } from '#domain/availability.ts';
import { type Instant, MINUTE_MS } from '#domain/time.ts';

/** When an appointment is, as instants; `end` is excluded. */
export interface BufferedTime extends TimeRange {
  /** With the buffer that it was booked with; excluded. */
  readonly blockedUntil: Instant;
}

/** The times of an appointment; null while it has none. */
export function toBufferedTime({
  start,
  end,
  blocked_until,
}: Pick<Appointment, 'start' | 'end' | 'blocked_until'>): BufferedTime | null {
  if (start === null || end === null) return null;
  const until = Date.parse(end) + MINUTE_MS;
  return {
    start: Date.parse(start),
    end: until,
    blockedUntil: blocked_until === null ? until : Date.parse(blocked_until) + MINUTE_MS,
  };
}

/** An appointment that keeps its time free of others. */
export interface BookedAppointment extends BufferedTime {
  readonly appointment: Appointment;
}

/** Those that keep their time, in order. */
export function toBookedAppointments(appointments: readonly Appointment[]): BookedAppointment[] {
  return appointments
    .flatMap((appointment) => {
      const times = occupiesCalendar(appointment.status) ? toBufferedTime(appointment) : null;
      return times === null ? [] : [{ ...times, appointment }];
    })
    .toSorted((a, b) => a.start - b.start);
}

/** What they block for clients, buffers included. */
export function toBlockedTimes(booked: readonly BookedAppointment[]): TimeRange[] {
  return booked.map(({ start, blockedUntil }) => ({ start, end: blockedUntil }));
}
