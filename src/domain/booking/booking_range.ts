import {
  addDays,
  addMonths,
  type DateRange,
  earlierDate,
  type LocalDate,
  laterDate,
} from '../time/calendar_date.ts';
import { localDateAt } from '../time/format_time.ts';
import type { Instant } from '../time/time.ts';
import type { Zone } from '../time/zone_offsets.ts';

/** How far ahead clients may book. Dates are in the studio's zone, `start` and `end` included. */
export type BookingRange =
  | { readonly kind: 'rolling'; readonly days: number }
  | { readonly kind: 'fixed'; readonly start: LocalDate; readonly end: LocalDate }
  | { readonly kind: 'open' };

/** The booking range of a new artist. */
export const DEFAULT_BOOKING_RANGE: BookingRange = { kind: 'rolling', days: 60 };

/** Applies to every booking range, `open` included. */
const MAX_MONTHS_AHEAD = 24;

/** Bookable dates in the studio's zone; `last < first` when there is none. */
export function bookableDates(range: BookingRange, zone: Zone, now: Instant): DateRange {
  const today = localDateAt(zone, now);
  const furthest = addMonths(today, MAX_MONTHS_AHEAD);
  switch (range.kind) {
    case 'rolling':
      return { first: today, last: earlierDate(addDays(today, range.days), furthest) };
    case 'fixed':
      return { first: laterDate(range.start, today), last: earlierDate(range.end, furthest) };
    case 'open':
      return { first: today, last: furthest };
  }
}
