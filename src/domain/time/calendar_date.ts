/** Dates, months and weekdays of the Gregorian calendar, without a zone. */
import { DAY_MS, type Instant, utcDateAt } from './time.ts';

/** A calendar date, `YYYY-MM-DD`, without a zone; it is usually the studio's. Sorts as text. */
export type LocalDate = string;

/** First and last date, both included. */
export interface DateRange {
  readonly first: LocalDate;
  readonly last: LocalDate;
}

/** A month, `YYYY-MM`; sorts as text. */
export type YearMonth = string;

/** 00:00 UTC of a date. */
export function midnightUtc(date: LocalDate): Instant {
  return Date.parse(date);
}

/** The date so many days later; earlier when `days` is negative. */
export function addDays(date: LocalDate, days: number): LocalDate {
  return utcDateAt(midnightUtc(date) + days * DAY_MS);
}

/** The dates from `first` to `last`, both included. */
export function datesBetween(first: LocalDate, last: LocalDate): LocalDate[] {
  const end = midnightUtc(last);
  const dates: LocalDate[] = [];
  for (let midnight = midnightUtc(first); midnight <= end; midnight += DAY_MS)
    dates.push(utcDateAt(midnight));
  return dates;
}

/** The same day of a later month, or that month's last day; earlier when `months` is negative. */
export function addMonths(date: LocalDate, months: number): LocalDate {
  const [year, month, day] = [date.slice(0, 4), date.slice(5, 7), date.slice(8, 10)].map(Number);
  const firstDay = new Date(Date.UTC(year ?? 0, (month ?? 1) - 1 + months, 1));
  // Day 0 of a month is the last day of the month before.
  const lastDay = Date.UTC(firstDay.getUTCFullYear(), firstDay.getUTCMonth() + 1, 0);
  return utcDateAt(Math.min(firstDay.getTime() + ((day ?? 1) - 1) * DAY_MS, lastDay));
}

export function earlierDate(a: LocalDate, b: LocalDate): LocalDate {
  return a < b ? a : b;
}

export function laterDate(a: LocalDate, b: LocalDate): LocalDate {
  return a > b ? a : b;
}

/** ISO weekday: 1 Monday to 7 Sunday. */
export function weekdayOf(date: LocalDate): number {
  return new Date(date).getUTCDay() || 7;
}

/**
 * The first day of the week that contains a date.
 * @param firstWeekday the ISO weekday on which weeks start; Sunday unless given
 */
export function startOfWeek(date: LocalDate, firstWeekday = 7): LocalDate {
  return addDays(date, -((weekdayOf(date) - firstWeekday + 7) % 7));
}

/** First and last date of a month; `month` counts from 1. */
export function monthBounds(year: number, month: number): DateRange {
  return {
    first: utcDateAt(Date.UTC(year, month - 1, 1)),
    // Months count from 0 here, and day 0 is the last day of the month before.
    last: utcDateAt(Date.UTC(year, month, 0)),
  };
}

/** The month of a date. */
export function toYearMonth(date: LocalDate): YearMonth {
  return date.slice(0, 7);
}

/** The month that is `count` months later; earlier when `count` is negative. */
export function addYearMonths(month: YearMonth, count: number): YearMonth {
  return toYearMonth(addMonths(`${month}-01`, count));
}

/** The year, and the `number` of the month in it, from 1. */
export function parseYearMonth(month: YearMonth): { year: number; number: number } {
  return { year: Number(month.slice(0, 4)), number: Number(month.slice(5, 7)) };
}
