import type { TimeRange } from './availability.ts';
import { openingWindowsOn, type Schedule } from './schedule.ts';
import {
  addDays,
  addMonths,
  type LocalDate,
  localDateAt,
  MINUTE_MS,
  parseWallTime,
  resolveWallTime,
  type WallMinute,
  weekdayOf,
} from './time.ts';

/** How much of a calendar is shown at once. */
export const CALENDAR_VIEWS = ['day', 'week', 'month', 'list'] as const;
export type CalendarView = (typeof CALENDAR_VIEWS)[number];

/** First and last date that a view shows around a date, both included. Weeks start on Sunday. */
export function visibleDates(
  view: CalendarView,
  date: LocalDate,
): { first: LocalDate; last: LocalDate } {
  if (view === 'day') return { first: date, last: date };
  if (view === 'week' || view === 'list') return weekOf(date);
  const month = firstDateOfMonth(date);
  const lastOfMonth = addDays(addMonths(month, 1), -1);
  return { first: weekOf(month).first, last: weekOf(lastOfMonth).last };
}

/** The date to show after turning so many pages of a view, back when negative. */
export function addPages(view: CalendarView, date: LocalDate, pages: number): LocalDate {
  if (view === 'day') return addDays(date, pages);
  if (view === 'month') return addMonths(firstDateOfMonth(date), pages);
  return addDays(date, 7 * pages);
}

const DEFAULT_START: WallMinute = 9 * 60;
const DEFAULT_END: WallMinute = 18 * 60;
const HOUR_MINUTES: WallMinute = 60;
const DAY_MINUTES: WallMinute = 24 * 60;

/**
 * From which to which hour the days `first` to `last` need to be drawn, so that all open hours and
 * everything booked on them is in sight, with an hour to spare.
 */
export function visibleHours(
  schedule: Pick<Schedule, 'weekly' | 'exceptions'>,
  zone: string,
  { first, last }: { first: LocalDate; last: LocalDate },
  booked: readonly TimeRange[],
): { start: WallMinute; end: WallMinute } {
  const starts: WallMinute[] = [];
  const ends: WallMinute[] = [];
  for (let date = first; date <= last; date = addDays(date, 1))
    for (const { start, end } of openingWindowsOn(schedule, date)) {
      starts.push(parseWallTime(start));
      ends.push(parseWallTime(end));
    }
  for (const { start, end } of booked) {
    const isOneDay = localDateAt(zone, start) === localDateAt(zone, end - 1);
    starts.push(isOneDay ? minuteOfDay(zone, start) : 0);
    ends.push(isOneDay ? minuteOfDay(zone, end - 1) : DAY_MINUTES);
  }
  if (starts.length === 0) return { start: DEFAULT_START, end: DEFAULT_END };
  return {
    start: Math.max(
      0,
      Math.floor((Math.min(...starts) - HOUR_MINUTES) / HOUR_MINUTES) * HOUR_MINUTES,
    ),
    end: Math.min(
      DAY_MINUTES,
      Math.ceil((Math.max(...ends) + HOUR_MINUTES) / HOUR_MINUTES) * HOUR_MINUTES,
    ),
  };
}

/** Minutes since the studio's midnight, as its clock shows them on a day without a change. */
function minuteOfDay(zone: string, instant: number): WallMinute {
  const midnight = resolveWallTime(zone, localDateAt(zone, instant), 0).instant;
  return Math.floor((instant - midnight) / MINUTE_MS);
}

function weekOf(date: LocalDate): { first: LocalDate; last: LocalDate } {
  const first = addDays(date, -(weekdayOf(date) % 7));
  return { first, last: addDays(first, 6) };
}

function firstDateOfMonth(date: LocalDate): LocalDate {
  return `${date.slice(0, 7)}-01`;
}
