// The booked appointments on selected dates, such as those that the artist takes off.
import { atom, computed } from 'nanostores';
import type { LocalDate } from '#domain/calendar_date.ts';
import { localDateAt } from '#domain/format_time.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { type StudioZone, zoneOf } from '#domain/zone_offsets.ts';
import { listAppointmentsOnDates } from './appointments_on_dates.ts';
import { type BookedAppointment, toBookedAppointments } from './booked_appointments.ts';
import { createQuery } from './queries.ts';

/** Dates of the studio, both included. */
interface Dates {
  readonly first: LocalDate;
  readonly last: LocalDate;
}

/** While it is null, nothing is loaded. */
const $dates = atom<Dates | null>(null);
const $first = computed($dates, (dates) => dates?.first);
const $last = computed($dates, (dates) => dates?.last);

/** The booked appointments that touch the selected dates, their buffers included. */
export const $bookedOnDates = createQuery(
  ['appointments', 'dates', $first, $last],
  async (_resource, _kind, first, last) =>
    toBookedAppointments((await listAppointmentsOnDates(String(first), String(last))).data),
);

/** Selects dates; null selects none. */
export function selectDates(dates: Dates | null): void {
  $dates.set(dates);
}

/** Whether an appointment, without its buffer, touches dates of the studio. */
export function touchesDates(
  { start, end, appointment }: BookedAppointment,
  { first, last }: Dates,
  studio: StudioZone,
): boolean {
  const zone = zoneOf(studio, appointment);
  return localDateAt(zone, start) <= last && localDateAt(zone, end - MINUTE_MS) >= first;
}
