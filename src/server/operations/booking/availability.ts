/** The free times that clients see, in the API's form. */
import { type Cacheable, tag } from '#cache/policy.ts';
import type { Availability, MonthQuery } from '#contract/availability.ts';
import { canTakeBookings, eligibilityValidUntil } from '#domain/accounts/subscription.ts';
import {
  computeFreeTimeRanges,
  computeSlots,
  type FreeDay,
  requiredCalendarRange,
  slotsValidUntil,
  toSlot,
} from '#domain/booking/availability.ts';
import { booksAt } from '#domain/booking/books.ts';
import { MAX_BUFFER_MINUTES, STRETCH_DAYS } from '#domain/booking/schedule.ts';
import { requireFound } from '#domain/refusal.ts';
import { offsetsRange } from '#domain/studio/studio_time.ts';
import { addDays, type DateRange, monthBounds } from '#domain/time/calendar_date.ts';
import { earliest, type Instant } from '#domain/time/time.ts';
import { listZoneOffsets } from '#domain/time/wall_clock.ts';
import * as calendars from '#server/database/calendar.ts';
import type { Context } from '../context.ts';
import { loadBookingEligibility } from './booking_eligibility.ts';

/**
 * Loads the slots (free times, each as long as the service) in a month, in the studio's time zone;
 * none while the artist takes no bookings. Closed books list them: clients move appointments that exist.
 */
export const loadServiceAvailability = createSlotsLoader('services');

/**
 * Loads the slots in a month for a design with a length of its own, as `loadServiceAvailability`.
 * @throws Refusal `not_found`, also for a design without such a length
 */
export const loadDesignAvailability = createSlotsLoader('designs');

/** @param table of the service or design, whose length the slots have */
function createSlotsLoader(table: 'services' | 'designs') {
  return async (
    context: Context,
    id: string,
    { year, month }: MonthQuery,
    now: Instant,
  ): Promise<Cacheable<Availability>> => {
    const dates = monthBounds(year, month);
    const query = toCalendarQuery(dates, now);
    const found = requireFound(
      await calendars.findCalendarOf(context.database, { table, id }, query),
    );
    const { artistId, durationMinutes, calendar } = found;
    const availability = await toAvailability(context, found, now, () =>
      computeSlots(calendar, durationMinutes, dates, now),
    );
    return { ...availability, tags: [...availability.tags, tag[table](artistId)] };
  };
}

/**
 * Loads an artist's free time ranges, of any length, in a month, in the studio's time zone; none
 * while the artist takes no bookings, or the books are closed.
 */
export async function loadArtistAvailability(
  context: Context,
  artistId: string,
  { year, month }: MonthQuery,
  now: Instant,
): Promise<Cacheable<Availability>> {
  const dates = monthBounds(year, month);
  const query = toCalendarQuery(dates, now);
  const calendar = requireFound(await calendars.findCalendar(context.database, artistId, query));
  const books = booksAt(calendar.books, now);
  const availability = await toAvailability(context, { artistId, calendar }, now, () =>
    books.isOpen ? computeFreeTimeRanges(calendar, dates, now) : [],
  );
  return { ...availability, until: earliest(availability.until, books.until) };
}

/**
 * Converts free days, and says until when they are valid.
 * @param computeDays is called only if the artist takes bookings; else no day is free
 */
async function toAvailability(
  context: Context,
  { artistId, calendar }: { artistId: string; calendar: calendars.ArtistCalendar },
  now: Instant,
  computeDays: () => readonly FreeDay[],
): Promise<Cacheable<Availability>> {
  context.noteArtist(artistId);
  const eligibility = await loadBookingEligibility(context, artistId, now);
  const shownDays = canTakeBookings(eligibility) ? computeDays() : [];
  // Unconfirmed appointments expire at a deadline. Their times are free from then on.
  const holdsExpireAt = calendar.blocked.flatMap(({ expiresAt }) => expiresAt ?? []);
  const slotsUntil = slotsValidUntil(calendar, shownDays, holdsExpireAt, now);
  const data = shownDays.map(({ date, times }) => ({ date, windows: times.map(toSlot) }));
  // Offsets from a fixed start, and not from `now`, so that the answer is the same until it expires.
  const { start } = offsetsRange(calendar.zone, now);
  const lastEnd = shownDays.at(-1)?.times.at(-1)?.end ?? start;
  return {
    value: { data, offsets: listZoneOffsets(calendar.zone, start, lastEnd) },
    tags: [tag.artist(artistId), tag.availability(artistId)],
    until: Math.min(slotsUntil, eligibilityValidUntil(eligibility) ?? slotsUntil),
  };
}

/** The query for what decides when clients can book on these dates. */
export function toCalendarQuery({ first, last }: DateRange, now: Instant): calendars.CalendarQuery {
  // The artist's buffer (free minutes after an appointment) is not read yet, so `span` assumes the
  // longest buffer.
  const span = requiredCalendarRange(first, last, MAX_BUFFER_MINUTES);
  // A slot of the last date may end on the next ones, if these are open then.
  return { firstDate: first, lastDate: addDays(last, STRETCH_DAYS), now, span };
}
