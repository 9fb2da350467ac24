/** Which dates and hours the artist's calendar shows. */
import type { TimeRange } from '../booking/availability.ts';
import { endMinute, nightBeforeEnd } from '../booking/opening_hours.ts';
import { type OpeningHours, openingWindowsOn } from '../booking/schedule.ts';
import {
  addDays,
  addMonths,
  type DateRange,
  datesBetween,
  type LocalDate,
  startOfWeek,
} from '../time/calendar_date.ts';
import {
  DAY_MS,
  END_OF_DAY,
  type Instant,
  MINUTE_MS,
  parseWallTime,
  utcDateAt,
  type WallMinute,
} from '../time/time.ts';

export const CALENDAR_VIEWS = ['day', 'week', 'month', 'list'] as const;
export type CalendarView = (typeof CALENDAR_VIEWS)[number];

/** Whether a view draws hours, and so a night as one piece, below the date on which it starts. */
export function drawsHours(view: CalendarView): boolean {
  return view === 'day' || view === 'week';
}

/**
 * Today, or yesterday while its night goes on and the view draws it there.
 * @param typed hours as artists type them
 * @param wallNow the studio's wall-clock time, as an instant in UTC
 */
export function dateToOpen(view: CalendarView, typed: OpeningHours, wallNow: Instant): LocalDate {
  const today = utcDateAt(wallNow);
  const nightEnd = drawsHours(view) ? nightBeforeEnd(typed, today) : null;
  const isNight = nightEnd !== null && wallNow % DAY_MS < parseWallTime(nightEnd) * MINUTE_MS;
  return isNight ? addDays(today, -1) : today;
}

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
const DEFAULT_HOURS = { start: 9 * HOUR, end: 18 * HOUR };

interface VisibleHours {
  readonly start: WallMinute;
  /** Over 1440 where a night lasts past midnight: it is drawn below the date on which it starts. */
  readonly end: WallMinute;
  /** Whether a night lasts into the first date, but is drawn only below the date before. */
  readonly hasNightBefore: boolean;
}

/**
 * The part of the day to draw for the given dates, in whole hours and at most 24: all opening hours and
 * booked times, with at least an hour before and after them.
 * @param typed hours as artists type them
 * @param booked the studio's wall-clock times, as instants in UTC
 */
export function visibleHours(
  typed: OpeningHours,
  { first, last }: DateRange,
  booked: readonly TimeRange[],
): VisibleHours {
  const dayBefore = addDays(first, -1);
  const times = datesBetween(dayBefore, last).flatMap((date) =>
    openingWindowsOn(typed, date).map((window) => {
      return { date, start: parseWallTime(window.start), end: endMinute(window) };
    }),
  );
  const ofBookings = booked.map((time) => {
    const start = (time.start % DAY_MS) / MINUTE_MS;
    return { date: utcDateAt(time.start), start, end: start + (time.end - time.start) / MINUTE_MS };
  });
  const ends = [...times, ...ofBookings].filter(({ date }) => date <= last).map(({ end }) => end);
  // Negative when no time lasts past midnight.
  const nightEnd = Math.max(...ends) - END_OF_DAY;
  for (const { date, start, end } of ofBookings) {
    const isInNightBefore = start < nightEnd;
    if (!isInNightBefore) times.push({ date, start, end });
    else times.push({ date: addDays(date, -1), start: start + END_OF_DAY, end: end + END_OF_DAY });
  }
  const lastsIntoFirst = times.some(({ date, end }) => date === dayBefore && end > END_OF_DAY);
  const shown = times.filter(({ date }) => date >= first && date <= last);
  if (shown.length === 0) return { ...DEFAULT_HOURS, hasNightBefore: lastsIntoFirst };
  const latest = Math.max(...shown.map(({ end }) => end));
  const start = Math.max(0, Math.floor(Math.min(...shown.map((time) => time.start)) / HOUR - 1));
  const end = Math.min(latest > END_OF_DAY ? start + 24 : 24, Math.ceil(latest / HOUR + 1));
  return { start: start * HOUR, end: end * HOUR, hasNightBefore: lastsIntoFirst && start > 0 };
}

/** The date below which a time of `date`, `HH:MM`, is drawn: the day before, where a night goes on. */
export function columnDate({ start }: VisibleHours, date: LocalDate, time: string): LocalDate {
  return parseWallTime(time) < start ? addDays(date, -1) : date;
}

function weekOf(date: LocalDate): DateRange {
  const first = startOfWeek(date);
  return { first, last: addDays(first, 6) };
}

function firstDateOfMonth(date: LocalDate): LocalDate {
  return `${date.slice(0, 7)}-01`;
}
