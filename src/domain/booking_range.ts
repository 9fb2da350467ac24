import type { Instant, LocalDate } from './time.ts';
import { addDays, addMonths, localDateAt } from './time.ts';

/** How far ahead clients may book. Dates are the studio's and both ends are included. */
export type BookingRange =
  | { readonly kind: 'rolling'; readonly days: number }
  | { readonly kind: 'fixed'; readonly start: LocalDate; readonly end: LocalDate }
  | { readonly kind: 'open' };

/** What a new artist starts with. */
export const DEFAULT_BOOKING_RANGE: BookingRange = { kind: 'rolling', days: 60 };

/** Nothing further ahead than this is ever listed (contract, `me/booking_range`). */
const MAX_MONTHS_AHEAD = 24;

/** First and last bookable date in the studio's zone, both included; `last < first` when there is none. */
export function bookableDates(
  range: BookingRange,
  zone: string,
  now: Instant,
): { first: LocalDate; last: LocalDate } {
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

/** The earlier of two dates. */
export function earlierDate(a: LocalDate, b: LocalDate): LocalDate {
  return a < b ? a : b;
}

/** The later of two dates. */
export function laterDate(a: LocalDate, b: LocalDate): LocalDate {
  return a > b ? a : b;
}
