import type { Instant, LocalDate } from './time.ts';
import { addDays, addMonths, dateAt } from './time.ts';

/** How far ahead clients may book. Dates are the studio's and both ends are included. */
export type BookingRange =
  | { readonly kind: 'rolling'; readonly days: number }
  | { readonly kind: 'fixed'; readonly start: LocalDate; readonly end: LocalDate }
  | { readonly kind: 'open' };

/** What a new artist starts with. */
export const NEW_BOOKING_RANGE: BookingRange = { kind: 'rolling', days: 60 };

/** Nothing further ahead than this is ever listed (contract, `me/booking_range`). */
const MONTHS_LISTED = 24;

/** First and last bookable date in the studio's zone, both included; `last < first` when there is none. */
export function bookableDates(
  range: BookingRange,
  zone: string,
  now: Instant,
): { first: LocalDate; last: LocalDate } {
  const today = dateAt(zone, now);
  const furthest = addMonths(today, MONTHS_LISTED);
  switch (range.kind) {
    case 'rolling':
      return { first: today, last: earlier(addDays(today, range.days), furthest) };
    case 'fixed':
      return { first: later(range.start, today), last: earlier(range.end, furthest) };
    case 'open':
      return { first: today, last: furthest };
  }
}

/** The earlier of two dates. */
export function earlier(a: LocalDate, b: LocalDate): LocalDate {
  return a < b ? a : b;
}

/** The later of two dates. */
export function later(a: LocalDate, b: LocalDate): LocalDate {
  return a > b ? a : b;
}
