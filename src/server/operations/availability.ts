import type { Cacheable } from '#cache/policy.ts';
import { tag } from '#cache/policy.ts';
import type { Availability, MonthQuery } from '#contract/availability.ts';
import {
  calendarSpan,
  type FreeDay,
  listedUntil,
  listFreeStretches,
  listSlots,
} from '#domain/availability.ts';
import { refuse } from '#domain/refusal.ts';
import { MOST_BUFFER_MINUTES } from '#domain/schedule.ts';
import { standsUntil, takesBookings } from '#domain/subscription.ts';
import { type Instant, type LocalDate, MINUTE, monthDates, rfc3339 } from '#domain/time.ts';
import * as calendars from '#server/database/calendar.ts';
import type { Database } from '#server/database/connect.ts';
import type { Context } from './context.ts';
import { readStanding } from './standing.ts';

/** The slots of a service in a month of the studio; none while the artist takes no bookings. */
export async function readSlots(
  context: Context,
  serviceId: string,
  { year, month }: MonthQuery,
  now: Instant,
): Promise<Cacheable<Availability>> {
  const { first, last } = monthDates(year, month);
  const question = ask(first, last, now);
  const found = await calendars.readCalendarOfService(context.database, serviceId, question);
  if (!found) throw refuse('not_found');
  const { artistId, durationMinutes, calendar } = found;
  const slots = () => listSlots(calendar, durationMinutes, first, last, now);
  const listed = await listFree(context, artistId, calendar, now, slots);
  return { ...listed, tags: [...listed.tags, tag.services(artistId)] };
}

/** The free stretches of an artist in a month; none while they take no bookings. */
export async function readFreeStretches(
  context: Context,
  artistId: string,
  { year, month }: MonthQuery,
  now: Instant,
): Promise<Cacheable<Availability>> {
  const { first, last } = monthDates(year, month);
  const calendar = await readCalendar(context.database, artistId, first, last, now);
  return listFree(context, artistId, calendar, now, () =>
    listFreeStretches(calendar, first, last, now),
  );
}

/** What is free, unless the artist takes no bookings; and until when all that stays as it is. */
async function listFree(
  context: Context,
  artistId: string,
  calendar: calendars.BookedCalendar,
  now: Instant,
  list: () => FreeDay[],
): Promise<Cacheable<Availability>> {
  const standing = await readStanding(context, artistId, now);
  const listed = takesBookings(standing) ? list() : [];
  const lapses = calendar.blocked.flatMap(({ lapsesAt }) => lapsesAt ?? []);
  const until = listedUntil(calendar, listed, lapses, now);
  return {
    value: show(listed),
    tags: [tag.artist(artistId), tag.availability(artistId)],
    until: Math.min(until, standsUntil(standing) ?? until),
  };
}

/** All that decides when the artist can be booked on the dates `first` to `last`, both included. */
export async function readCalendar(
  database: Database,
  artistId: string,
  first: LocalDate,
  last: LocalDate,
  now: Instant,
): Promise<calendars.BookedCalendar> {
  const calendar = await calendars.readCalendar(database, artistId, ask(first, last, now));
  if (!calendar) throw refuse('not_found');
  return calendar;
}

function ask(first: LocalDate, last: LocalDate, now: Instant): calendars.CalendarQuestion {
  // How long the artist's own buffer is, is part of the answer.
  return { first, last, now, span: calendarSpan(first, last, MOST_BUFFER_MINUTES) };
}

function show(days: readonly FreeDay[]): Availability {
  return {
    data: days.map(({ date, windows }) => ({
      date,
      windows: windows.map(({ start, end }) => ({
        start: rfc3339(start),
        end: rfc3339(end - MINUTE),
      })),
    })),
  };
}
