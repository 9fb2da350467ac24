import type { Cacheable } from '#cache/policy.ts';
import { tag } from '#cache/policy.ts';
import type { Availability, MonthQuery } from '#contract/availability.ts';
import {
  computeFreeTimeRanges,
  computeSlots,
  type FreeDay,
  requiredCalendarRange,
  slotsValidUntil,
} from '#domain/availability.ts';
import { refuse } from '#domain/refusal.ts';
import { MAX_BUFFER_MINUTES } from '#domain/schedule.ts';
import { canTakeBookings, eligibilityValidUntil } from '#domain/subscription.ts';
import { type Instant, type LocalDate, MINUTE_MS, monthBounds, toRfc3339 } from '#domain/time.ts';
import * as calendars from '#server/database/calendar.ts';
import type { Database } from '#server/database/connect.ts';
import { loadBookingEligibility } from './booking_eligibility.ts';
import type { Context } from './context.ts';

/** The slots of a service in a month of the studio; none while the artist takes no bookings. */
export async function loadServiceAvailability(
  context: Context,
  serviceId: string,
  { year, month }: MonthQuery,
  now: Instant,
): Promise<Cacheable<Availability>> {
  const { first, last } = monthBounds(year, month);
  const question = toCalendarQuery(first, last, now);
  const found = await calendars.findCalendarByService(context.database, serviceId, question);
  if (!found) throw refuse('not_found');
  const { artistId, durationMinutes, calendar } = found;
  const slots = () => computeSlots(calendar, durationMinutes, first, last, now);
  const listed = await loadAvailability(context, artistId, calendar, now, slots);
  return { ...listed, tags: [...listed.tags, tag.services(artistId)] };
}

/** The free stretches of an artist in a month; none while they take no bookings. */
export async function loadArtistAvailability(
  context: Context,
  artistId: string,
  { year, month }: MonthQuery,
  now: Instant,
): Promise<Cacheable<Availability>> {
  const { first, last } = monthBounds(year, month);
  const calendar = await loadCalendar(context.database, artistId, first, last, now);
  return loadAvailability(context, artistId, calendar, now, () =>
    computeFreeTimeRanges(calendar, first, last, now),
  );
}

/** What is free, unless the artist takes no bookings; and until when all that stays as it is. */
async function loadAvailability(
  context: Context,
  artistId: string,
  calendar: calendars.ArtistCalendar,
  now: Instant,
  list: () => FreeDay[],
): Promise<Cacheable<Availability>> {
  const standing = await loadBookingEligibility(context, artistId, now);
  const listed = canTakeBookings(standing) ? list() : [];
  const lapses = calendar.blocked.flatMap(({ expiresAt }) => expiresAt ?? []);
  const until = slotsValidUntil(calendar, listed, lapses, now);
  return {
    value: toAvailability(listed),
    tags: [tag.artist(artistId), tag.availability(artistId)],
    until: Math.min(until, eligibilityValidUntil(standing) ?? until),
  };
}

/** All that decides when the artist can be booked on the dates `first` to `last`, both included. */
export async function loadCalendar(
  database: Database,
  artistId: string,
  first: LocalDate,
  last: LocalDate,
  now: Instant,
): Promise<calendars.ArtistCalendar> {
  const calendar = await calendars.findCalendar(
    database,
    artistId,
    toCalendarQuery(first, last, now),
  );
  if (!calendar) throw refuse('not_found');
  return calendar;
}

function toCalendarQuery(first: LocalDate, last: LocalDate, now: Instant): calendars.CalendarQuery {
  // How long the artist's own buffer is, is part of the answer.
  return {
    firstDate: first,
    lastDate: last,
    now,
    span: requiredCalendarRange(first, last, MAX_BUFFER_MINUTES),
  };
}

function toAvailability(days: readonly FreeDay[]): Availability {
  return {
    data: days.map(({ date, times: windows }) => ({
      date,
      windows: windows.map(({ start, end }) => ({
        start: toRfc3339(start),
        end: toRfc3339(end - MINUTE_MS),
      })),
    })),
  };
}
