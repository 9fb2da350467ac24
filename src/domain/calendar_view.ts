import type { Stretch } from './availability.ts';
import { type Schedule, windowsOn } from './schedule.ts';
import {
  addDays,
  addMonths,
  dateAt,
  type LocalDate,
  MINUTE,
  readWallClock,
  type WallMinute,
  wallMinute,
  weekdayOf,
} from './time.ts';

/** How much of a calendar is shown at once. */
export const CALENDAR_VIEWS = ['day', 'week', 'month', 'list'] as const;
export type CalendarView = (typeof CALENDAR_VIEWS)[number];

/** First and last date that a view shows around a date, both included. Weeks start on Sunday. */
export function datesShown(
  view: CalendarView,
  date: LocalDate,
): { first: LocalDate; last: LocalDate } {
  if (view === 'day') return { first: date, last: date };
  if (view === 'week' || view === 'list') return weekOf(date);
  const month = firstOfMonth(date);
  const lastOfMonth = addDays(addMonths(month, 1), -1);
  return { first: weekOf(month).first, last: weekOf(lastOfMonth).last };
}

/** The date to show after turning so many pages of a view, back when negative. */
export function turnPages(view: CalendarView, date: LocalDate, pages: number): LocalDate {
  if (view === 'day') return addDays(date, pages);
  if (view === 'month') return addMonths(firstOfMonth(date), pages);
  return addDays(date, 7 * pages);
}

const USUAL_START: WallMinute = 9 * 60;
const USUAL_END: WallMinute = 18 * 60;
const HOUR: WallMinute = 60;
const DAY: WallMinute = 24 * 60;

/**
 * From which to which hour the days `first` to `last` need to be drawn, so that all open hours and
 * everything booked on them is in sight, with an hour to spare.
 */
export function hoursShown(
  schedule: Pick<Schedule, 'weekly' | 'exceptions'>,
  zone: string,
  { first, last }: { first: LocalDate; last: LocalDate },
  booked: readonly Stretch[],
): { start: WallMinute; end: WallMinute } {
  const starts: WallMinute[] = [];
  const ends: WallMinute[] = [];
  for (let date = first; date <= last; date = addDays(date, 1))
    for (const { start, end } of windowsOn(schedule, date)) {
      starts.push(wallMinute(start));
      ends.push(wallMinute(end));
    }
  for (const { start, end } of booked) {
    const isOneDay = dateAt(zone, start) === dateAt(zone, end - 1);
    starts.push(isOneDay ? minuteOf(zone, start) : 0);
    ends.push(isOneDay ? minuteOf(zone, end - 1) : DAY);
  }
  if (starts.length === 0) return { start: USUAL_START, end: USUAL_END };
  return {
    start: Math.max(0, Math.floor((Math.min(...starts) - HOUR) / HOUR) * HOUR),
    end: Math.min(DAY, Math.ceil((Math.max(...ends) + HOUR) / HOUR) * HOUR),
  };
}

/** Minutes since the studio's midnight, as its clock shows them on a day without a change. */
function minuteOf(zone: string, instant: number): WallMinute {
  const midnight = readWallClock(zone, dateAt(zone, instant), 0).instant;
  return Math.floor((instant - midnight) / MINUTE);
}

function weekOf(date: LocalDate): { first: LocalDate; last: LocalDate } {
  const first = addDays(date, -(weekdayOf(date) % 7));
  return { first, last: addDays(first, 6) };
}

function firstOfMonth(date: LocalDate): LocalDate {
  return `${date.slice(0, 7)}-01`;
}
