import { atom } from 'nanostores';
import { addDays, type LocalDate } from '#domain/calendar_date.ts';
import { listAppointmentsOnDates } from './appointments_on_dates.ts';
import { toBookedAppointments } from './booked_appointments.ts';
import { createQuery } from './queries.ts';

/** The selected date in the studio's zone; while it is null, nothing is loaded. */
const $date = atom<LocalDate | null>(null);

/** The booked appointments of the days that a new appointment on the selected day could touch. */
export const $appointmentsAroundDay = createQuery(
  ['appointments', 'day', $date],
  async (_resource, _kind, date) => {
    // An appointment of the day before may last into the selected day. The appointment that the
    // artist is about to set may, with its buffer, last until two days later.
    const [first, last] = [addDays(String(date), -1), addDays(String(date), 2)];
    const { data } = await listAppointmentsOnDates(first, last);
    return toBookedAppointments(data);
  },
);

/** Selects a date of the studio; null selects none. */
export function selectDay(date: LocalDate | null): void {
  $date.set(date);
}
