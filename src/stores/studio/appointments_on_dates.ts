import type { Appointment } from '#contract/appointment.ts';
import type { ListPage } from '#contract/common.ts';
import { listAppointmentsInRange } from '#contract/endpoints.ts';
import { addDays, type LocalDate, midnightUtc } from '#domain/calendar_date.ts';
import { localDateAt } from '#domain/format_time.ts';
import { HOUR_MS } from '#domain/time.ts';
import { callAsArtist } from '../session.ts';
import { parseAppointmentTime, toApiRange } from './booked_appointments.ts';

/** The most hours by which a zone is ahead of UTC, and behind it. */
const [MOST_AHEAD, MOST_BEHIND] = [14, 12];

/**
 * Lists the appointments on the dates `first` to `last`, both included, of their studio. Each answer
 * has the offsets of its own instants, also of dates that those of the artist do not cover.
 */
export async function listAppointmentsOnDates(
  first: LocalDate,
  last: LocalDate,
): Promise<ListPage<Appointment>> {
  const start = midnightUtc(first) - MOST_AHEAD * HOUR_MS;
  const end = midnightUtc(addDays(last, 1)) + MOST_BEHIND * HOUR_MS;
  const list = await callAsArtist(listAppointmentsInRange, { query: toApiRange({ start, end }) });
  const data = list.data.filter((appointment) => {
    const time = parseAppointmentTime(appointment);
    const dateOf = (instant: number) => localDateAt({ time_zone: '', ...appointment }, instant);
    return time !== null && dateOf(time.start) <= last && dateOf(time.blockedUntil - 1) >= first;
  });
  return { data, count: data.length };
}
