/** Which dates and hours the artist's calendar shows. */
import type { TimeRange } from './availability.ts';
import {
  addDays,
  addMonths,
  type DateRange,
  datesBetween,
  type LocalDate,
  startOfWeek,
} from './calendar_date.ts';
import { type OpeningHours, openingWindowsOn } from './schedule.ts';
import { DAY_MS, MINUTE_MS, parseWallTime, utcDateAt, type WallMinute } from './time.ts';

export const CALENDAR_VIEWS = ['day', 'week', 'month', 'list'] as const;
export type CalendarView = (typeof CALENDAR_VIEWS)[number];

/** The dates that a view shows around a date, in whole weeks unless it shows one day. */
export function visibleDates(view: CalendarView, date: LocalDate): DateRange {
  if (view === 'day') return { first: date, last: date };
  if (view === 'week' || view === 'list') return weekOf(date);
  const month = firstDateOfMonth(date);
  const lastOfMonth = addDays(addMonths(month, 1), -1);
  return { first: startOfWeek(month), last: weekOf(lastOfMonth).last };
}

/** The date to show after moving a view forward by so many pages, or back when negative. */
export function addPages(view: CalendarView, date: LocalDate, pages: number): LocalDate {
  if (view === 'day') return addDays(date, pages);
  if (view === 'month') return addMonths(firstDateOfMonth(date), pages);
  return addDays(date, 7 * pages);
}

const HOUR: WallMinute = 60;
const DAY: WallMinute = 24 * HOUR;
const DEFAULT_HOURS = { start: 9 * HOUR, end: 18 * HOUR };

/**
 * The part of the day to draw for the given dates, in whole hours: all opening hours and all booked
 * times, with at least an hour before and after them.
 * @param booked the studio's wall-clock times, as instants in UTC
 */
export function visibleHours(
  hours: OpeningHours,
  { first, last }: DateRange,
  booked: readonly TimeRange[],
): { start: WallMinute; end: WallMinute } {
  const windows = datesBetween(first, last).flatMap((date) => openingWindowsOn(hours, date));
  const starts = windows.map(({ start }) => parseWallTime(start));
  const ends = windows.map(({ end }) => parseWallTime(end));
  for (const { start, end } of booked) {
    const isOneDay = utcDateAt(start) === utcDateAt(end - 1);
    starts.push(isOneDay ? (start % DAY_MS) / MINUTE_MS : 0);
    ends.push(isOneDay ? ((end - 1) % DAY_MS) / MINUTE_MS : DAY);
  }
  if (starts.length === 0) return DEFAULT_HOURS;
  return {
    start: Math.max(0, Math.floor(Math.min(...starts) / HOUR - 1) * HOUR),
    end: Math.min(DAY, Math.ceil(Math.max(...ends) / HOUR + 1) * HOUR),
  };
}

function weekOf(date: LocalDate): DateRange {
  const first = startOfWeek(date);
  return { first, last: addDays(first, 6) };
}

function firstDateOfMonth(date: LocalDate): LocalDate {
  return `${date.slice(0, 7)}-01`;
}
