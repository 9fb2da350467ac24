import { atom } from 'nanostores';
import { listAppointmentsInRange } from '#client/appointments.ts';
import { addDays, type LocalDate, MINUTE_MS, resolveWallTime, toRfc3339 } from '#domain/time.ts';
import { artistApi } from '../session.ts';
import { type BookedAppointment, toBookedAppointments } from './booked_appointments.ts';
import { createQuery } from './queries.ts';

const $from = atom<string | null>(null);
const $until = atom<string | null>(null);

/** What is on the calendar on the day that is looked at, and on its neighbours. */
export const $appointmentsAroundDay = createQuery<readonly BookedAppointment[]>(
  ['appointments', 'day', $from, $until],
  {
    fetcher: async (...[, , start, end]) => {
      const span = { start: String(start), end: String(end) };
      const { data } = await listAppointmentsInRange(artistApi(), span);
      return toBookedAppointments(data);
    },
  },
);

/** Looks at a date of the studio; null looks away. */
export function selectDay(zone: string, date: LocalDate | null): void {
  // An appointment of the day before may last into this one, and this one's into the next.
  $from.set(date && toRfc3339(resolveWallTime(zone, addDays(date, -1), 0).instant));
  $until.set(date && toRfc3339(resolveWallTime(zone, addDays(date, 3), 0).instant - MINUTE_MS));
}

/** The day's appointments that keep their time, in order; `ignoring` one that is being moved. */
export function withoutAppointment(
  around: readonly BookedAppointment[],
  ignoring: string | null,
): readonly BookedAppointment[] {
  return around.filter(({ appointment }) => appointment.id !== ignoring);
}
