/** Edits a draft of an artist's opening hours. */

import { addDays, type DateRange, datesBetween, type LocalDate } from './calendar_date.ts';
import type { OpeningHours, OpeningWindow } from './schedule.ts';
import { END_OF_DAY, formatWallTime, parseWallTime } from './time.ts';

/** A date with its own hours instead of the weekday's; no windows means a day off. */
export type ExceptionDay = OpeningHours['exceptions'][number];

export type WindowError = 'blank' | 'ends_first' | 'overlaps';

/** The error of each window of one day, in their order; null for a valid one. */
export function validateWindows(windows: readonly OpeningWindow[]): (WindowError | null)[] {
  return windows.map((window, index) => {
    if (window.start === '' || window.end === '') return 'blank';
    if (parseWallTime(window.start) >= parseWallTime(window.end)) return 'ends_first';
    return windows.slice(0, index).some((other) => doOverlap(window, other)) ? 'overlaps' : null;
  });
}

function doOverlap(a: OpeningWindow, b: OpeningWindow): boolean {
  return (
    parseWallTime(a.start) < parseWallTime(b.end) && parseWallTime(b.start) < parseWallTime(a.end)
  );
}

const DEFAULT_WINDOW: OpeningWindow = { start: '10:00', end: '18:00' };
const BREAK_MINUTES = 60;
const NEXT_WINDOW_MINUTES = 180;
// The API refuses more windows on a day, and more dates with exceptions.
const MAX_WINDOWS = 24;
export const MAX_EXCEPTIONS = 1000;

/** The window to add after the existing ones of a day; null when there is no room. */
export function suggestNextWindow(windows: readonly OpeningWindow[]): OpeningWindow | null {
  if (windows.length === 0) return DEFAULT_WINDOW;
  if (windows.length >= MAX_WINDOWS) return null;
  const last = Math.max(...windows.map(({ end }) => (end === '' ? 0 : parseWallTime(end))));
  const start = last + BREAK_MINUTES < END_OF_DAY ? last + BREAK_MINUTES : last;
  if (start >= END_OF_DAY) return null;
  const end = Math.min(start + NEXT_WINDOW_MINUTES, END_OF_DAY);
  return { start: formatWallTime(start), end: formatWallTime(end) };
}

/** The exceptions from a date on, in order. */
export function upcomingExceptions(days: readonly ExceptionDay[], from: LocalDate): ExceptionDay[] {
  return days.filter(({ date }) => date >= from).toSorted(byDate);
}

/** Gives the dates `first` to `last`, both included, these hours in place of any earlier ones. */
export function setExceptions(
  days: readonly ExceptionDay[],
  first: LocalDate,
  last: LocalDate,
  windows: readonly OpeningWindow[],
): ExceptionDay[] {
  const added = datesBetween(first, last).map((date) => ({ date, windows }));
  return [...removeExceptions(days, first, last), ...added].toSorted(byDate);
}

/** Gives the dates `first` to `last`, both included, the hours of their weekday again. */
export function removeExceptions(
  days: readonly ExceptionDay[],
  first: LocalDate,
  last: LocalDate,
): readonly ExceptionDay[] {
  return days.filter(({ date }) => date < first || date > last);
}

/** Consecutive dates with the same hours. */
export interface ExceptionRun extends DateRange {
  readonly windows: readonly OpeningWindow[];
}

/** Joins consecutive days off, so that a holiday is one entry; days must be in order. */
export function joinConsecutiveDaysOff(days: readonly ExceptionDay[]): ExceptionRun[] {
  const runs: ExceptionRun[] = [];
  for (const { date, windows } of days) {
    const before = runs.at(-1);
    const isConsecutive =
      before?.windows.length === 0 && windows.length === 0 && addDays(before.last, 1) === date;
    if (isConsecutive) runs[runs.length - 1] = { ...before, last: date };
    else runs.push({ first: date, last: date, windows });
  }
  return runs;
}

/**
 * Three-way merge: applies the changes from `before` to `mine` to `theirs`, the version that was
 * saved meanwhile. A day without a change in `mine` is taken from `theirs`.
 * @param keyOf identifies a day, for example by its date
 */
export function mergeDays<T>(
  before: readonly T[],
  mine: readonly T[],
  theirs: readonly T[],
  keyOf: (day: T) => string | number,
): T[] {
  const toJson = (days: readonly T[], key: string | number) =>
    JSON.stringify(days.find((day) => keyOf(day) === key) ?? null);
  const keys = new Set([...theirs, ...mine].map(keyOf));
  return [...keys].flatMap((key) => {
    const source = toJson(before, key) === toJson(mine, key) ? theirs : mine;
    return source.filter((day) => keyOf(day) === key);
  });
}

function byDate(a: ExceptionDay, b: ExceptionDay): number {
  return a.date < b.date ? -1 : 1;
}
