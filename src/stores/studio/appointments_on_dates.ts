import type { Appointment } from '#contract/appointment.ts';
import type { ListPage } from '#contract/common.ts';
import { listAppointmentsInRange } from '#contract/endpoints.ts';
import { addDays, type LocalDate } from '#domain/calendar_date.ts';
import { resolveWallTime } from '#domain/wall_clock.ts';
import { callAsArtist } from '../session.ts';
import { toApiRange } from './booked_appointments.ts';

/** Lists the appointments on the dates `first` to `last`, both included, in the studio's `zone`. */
export function listAppointmentsOnDates(
  zone: string,
  first: LocalDate,
  last: LocalDate,
): Promise<ListPage<Appointment>> {
  const midnight = (date: LocalDate) => resolveWallTime(zone, date, 0).instant;
  const range = { start: midnight(first), end: midnight(addDays(last, 1)) };
  return callAsArtist(listAppointmentsInRange, { query: toApiRange(range) });
}
