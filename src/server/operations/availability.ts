import type { Availability, MonthQuery } from '#contract/availability.ts';
import {
  type Calendar,
  calendarSpan,
  type FreeDay,
  listedUntil,
  listFreeStretches,
  listSlots,
} from '#domain/availability.ts';
import { tag } from '#domain/keeping.ts';
import { refuse } from '#domain/refusal.ts';
import { standsUntil, takesBookings } from '#domain/subscription.ts';
import { type Instant, type LocalDate, MINUTE, monthDates, rfc3339 } from '#domain/time.ts';
import {
  type BlockedStretch,
  type OpenCalendar,
  readBlocked,
  readOpenCalendar,
} from '#server/database/calendar.ts';
import type { Database } from '#server/database/connect.ts';
import { findAvailableService } from '#server/database/services.ts';
import type { Keepable } from './keepable.ts';
import type { Parts } from './parts.ts';
import { readStanding } from './standing.ts';

/** The slots of a service in a month of the studio; none while the artist takes no bookings. */
export async function readSlots(
  parts: Parts,
  serviceId: string,
  { year, month }: MonthQuery,
  now: Instant,
): Promise<Keepable<Availability>> {
  const service = await findAvailableService(parts.database, serviceId);
  if (!service) throw refuse('not_found');
  const { artist_id, duration_minutes } = service;
  const listed = await listFree(parts, artist_id, monthDates(year, month), now, (calendar, days) =>
    listSlots(calendar, duration_minutes, days.first, days.last, now),
  );
  return { ...listed, tags: [...listed.tags, tag.services(artist_id)] };
}

/** The free stretches of an artist in a month; none while they take no bookings. */
export async function readFreeStretches(
  parts: Parts,
  artistId: string,
  { year, month }: MonthQuery,
  now: Instant,
): Promise<Keepable<Availability>> {
  return listFree(parts, artistId, monthDates(year, month), now, (calendar, days) =>
    listFreeStretches(calendar, days.first, days.last, now),
  );
}

/** Dates from the first to the last, both included. */
interface Days {
  readonly first: LocalDate;
  readonly last: LocalDate;
}

async function listFree(
  parts: Parts,
  artistId: string,
  days: Days,
  now: Instant,
  list: (calendar: Calendar, days: Days) => FreeDay[],
): Promise<Keepable<Availability>> {
  const [calendar, standing] = await Promise.all([
    readCalendar(parts.database, artistId, days.first, days.last, now),
    readStanding(parts, artistId, now),
  ]);
  const listed = takesBookings(standing) ? list(calendar, days) : [];
  const lapses = calendar.blocked.flatMap(({ lapsesAt }) => lapsesAt ?? []);
  const until = listedUntil(calendar, listed, lapses, now);
  return {
    answer: show(listed),
    tags: [tag.artist(artistId), tag.availability(artistId)],
    until: Math.min(until, standsUntil(standing) ?? until),
  };
}

/** All that decides when the artist can be booked on the dates `first` to `last`, both included. */
export async function readCalendar(
  database: Database,
  artistId: string,
  first: string,
  last: string,
  now: Instant,
): Promise<OpenCalendar & { blocked: BlockedStretch[] }> {
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
