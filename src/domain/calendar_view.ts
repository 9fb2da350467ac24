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
import { localDateAt } from './format_time.ts';
import { type OpeningHours, openingWindowsOn } from './schedule.ts';
import { type Instant, MINUTE_MS, parseWallTime, type WallMinute } from './time.ts';
import { resolveWallTime } from './wall_clock.ts';

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
 */
export function visibleHours(
  hours: OpeningHours,
  zone: string,
  { first, last }: DateRange,
  booked: readonly TimeRange[],
): { start: WallMinute; end: WallMinute } {
  const windows = datesBetween(first, last).flatMap((date) => openingWindowsOn(hours, date));
  const starts = windows.map(({ start }) => parseWallTime(start));
  const ends = windows.map(({ end }) => parseWallTime(end));
  for (const { start, end } of booked) {
    const isOneDay = localDateAt(zone, start) === localDateAt(zone, end - 1);
    starts.push(isOneDay ? minuteOfDay(zone, start) : 0);
    ends.push(isOneDay ? minuteOfDay(zone, end - 1) : DAY);
  }
  if (starts.length === 0) return DEFAULT_HOURS;
  return {
    start: Math.max(0, Math.floor(Math.min(...starts) / HOUR - 1) * HOUR),
    end: Math.min(DAY, Math.ceil(Math.max(...ends) / HOUR + 1) * HOUR),
  };
}

/** Minutes elapsed since the studio's midnight; an hour off after a change of clocks. */
function minuteOfDay(zone: string, instant: Instant): WallMinute {
  const midnight = resolveWallTime(zone, localDateAt(zone, instant), 0).instant;
  return Math.floor((instant - midnight) / MINUTE_MS);
}

function weekOf(date: LocalDate): DateRange {
  const first = startOfWeek(date);
  return { first, last: addDays(first, 6) };
}

function firstDateOfMonth(date: LocalDate): LocalDate {
  return `${date.slice(0, 7)}-01`;
}
