// The time that a form suggests for an offer, the next session of a tattoo, or another appointment.
import { serverNow } from '#client/server_clock.ts';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { isConfirmed, occupiesCalendar } from '#domain/appointments/appointment.ts';
import { findFirstFreeDay } from '#domain/booking/availability.ts';
import { addDays, type LocalDate, laterDate } from '#domain/time/calendar_date.ts';
import { localDateAt } from '#domain/time/format_time.ts';
import { type Instant, MINUTE_MS } from '#domain/time/time.ts';
import { coversDate } from '#domain/time/zone_offsets.ts';
import { fetchSessions } from './appointments.ts';
import {
  listAppointmentsOnDates,
  parseAppointmentTime,
  toBlockedTimes,
  toBookedAppointments,
} from './booked_appointments.ts';

/** What the time is for: an offer for a request, or the next session of a tattoo. */
type TimePurpose = 'offer' | 'next_session';

export type TimeSuggestion =
  /** `about` is the request, or the last session. */
  | { readonly purpose: TimePurpose; readonly about: Appointment }
  /** Another appointment: on this date only, or on the first free date if null. */
  | { readonly purpose: 'entry'; readonly date: LocalDate | null };

/** How many days after the last session the suggestions begin. Skin heals for about three weeks. */
const DAYS_AFTER: Record<TimePurpose, number> = { offer: 1, next_session: 21 };

/** Each load covers this many days, and there are at most this many loads. */
const DAYS_PER_LOAD = 35;
const MAX_LOADS = 6;

/** The first date to suggest: after today, and after these earlier sessions. */
export function firstDateToSuggest(
  { studio }: CurrentArtist,
  purpose: TimePurpose,
  sessions: readonly Appointment[],
): LocalDate {
  const tomorrow = addDays(localDateAt(studio, serverNow()), 1);
  const times = sessions.map(parseAppointmentTime).filter((time) => time !== null);
  if (times.length === 0) return tomorrow;
  const lastEnd = Math.max(...times.map(({ end }) => end));
  const lastDate = localDateAt(studio, lastEnd - MINUTE_MS);
  return laterDate(tomorrow, addDays(lastDate, DAYS_AFTER[purpose]));
}

/** The first free start for `minutes`, after earlier sessions of the same tattoo; null for none. @throws ApiError */
export async function fetchFreeStart(
  me: CurrentArtist,
  suggestion: TimeSuggestion,
  minutes: number,
): Promise<Instant | null> {
  const onlyDate = suggestion.purpose === 'entry' ? suggestion.date : null;
  const maxLoads = onlyDate === null ? MAX_LOADS : 1;
  let first = await fetchFirstDate(me, suggestion);
  for (let loads = 0; loads < maxLoads && coversDate(me.studio, first); loads += 1) {
    const last = onlyDate ?? addDays(first, DAYS_PER_LOAD - 1);
    // An appointment of the day before may last into the first day, and a time on the last day beyond it.
    const dates = { first: addDays(first, -1), last: addDays(last, 2) };
    const appointments = await listAppointmentsOnDates(dates);
    const calendar = {
      zone: me.studio,
      // The minimum notice and the booking range apply to clients only.
      schedule: { ...me.schedule, minimum_notice_minutes: 0 },
      bookingRange: { kind: 'open' } as const,
      blocked: toBlockedTimes(toBookedAppointments(appointments)),
    };
    const day = findFirstFreeDay(calendar, minutes, { first, last }, serverNow());
    if (day?.times[0]) return day.times[0].start;
    first = addDays(last, 1);
  }
  return null;
}

/** The first date to search; loads the other sessions of the tattoo. */
async function fetchFirstDate(me: CurrentArtist, suggestion: TimeSuggestion): Promise<LocalDate> {
  if (suggestion.purpose === 'entry') return suggestion.date ?? localDateAt(me.studio, serverNow());
  const { purpose, about } = suggestion;
  const { project_id: id, client } = about;
  const sessions = id === null ? [] : await fetchSessions({ id, client_id: client.id });
  const booked = sessions.filter(({ status }) => occupiesCalendar(status) || isConfirmed(status));
  return firstDateToSuggest(me, purpose, [about, ...booked]);
}
