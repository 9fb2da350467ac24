import type { Availability, MonthQuery } from '#contract/availability.ts';
import {
  type Calendar,
  calendarSpan,
  type FreeDay,
  listFreeStretches,
  listSlots,
} from '#domain/availability.ts';
import { refuse } from '#domain/refusal.ts';
import { type Instant, MINUTE, monthDates, rfc3339 } from '#domain/time.ts';
import { readBlocked, readOpenCalendar } from '#server/database/calendar.ts';
import type { Database } from '#server/database/connect.ts';
import { findAvailableService } from '#server/database/services.ts';
import type { Parts } from './parts.ts';
import { isTakingBookings } from './standing.ts';

/** The slots of a service in a month of the studio; none while the artist takes no bookings. */
export async function readSlots(
  parts: Parts,
  serviceId: string,
  { year, month }: MonthQuery,
  now: Instant,
): Promise<Availability> {
  const service = await findAvailableService(parts.database, serviceId);
  if (!service) throw refuse('not_found');
  const { first, last } = monthDates(year, month);
  const calendar = await readCalendar(parts.database, service.artist_id, first, last, now);
  if (!(await isTakingBookings(parts, service.artist_id, now))) return NONE;
  return show(listSlots(calendar, service.duration_minutes, first, last, now));
}

/** The free stretches of an artist in a month; none while they take no bookings. */
export async function readFreeStretches(
  parts: Parts,
  artistId: string,
  { year, month }: MonthQuery,
  now: Instant,
): Promise<Availability> {
  const { first, last } = monthDates(year, month);
  const calendar = await readCalendar(parts.database, artistId, first, last, now);
  if (!(await isTakingBookings(parts, artistId, now))) return NONE;
  return show(listFreeStretches(calendar, first, last, now));
}

const NONE: Availability = { data: [] };

/** All that decides when the artist can be booked on the dates `first` to `last`, both included. */
export async function readCalendar(
  database: Database,
  artistId: string,
  first: string,
  last: string,
  now: Instant,
): Promise<Calendar> {
  const open = await readOpenCalendar(database, artistId, first, last);
  if (!open) throw refuse('not_found');
  const span = calendarSpan(first, last, open.schedule.buffer_minutes);
  return { ...open, blocked: await readBlocked(database, artistId, span, now) };
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
