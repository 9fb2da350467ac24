import type { OpeningWindow, Schedule } from './schedule.ts';
import type { LocalDate, WallMinute } from './time.ts';
import { addDays, parseWallTime } from './time.ts';

/** A date with hours of its own; none means a day off. */
export type ExceptionDay = Schedule['exceptions'][number];

/** What keeps a window from being used. */
export type WindowError = 'blank' | 'ends_first' | 'overlaps';

/** What is wrong with each window of one day, in their order; null where nothing is. */
export function validateWindows(windows: readonly OpeningWindow[]): (WindowError | null)[] {
  return windows.map((window, index) => {
    if (window.start === '' || window.end === '') return 'blank';
    if (parseWallTime(window.start) >= parseWallTime(window.end)) return 'ends_first';
    const earlier = windows.slice(0, index).some((other) => doOverlap(window, other));
    return earlier ? 'overlaps' : null;
  });
}

function doOverlap(a: OpeningWindow, b: OpeningWindow): boolean {
  return (
    parseWallTime(a.start) < parseWallTime(b.end) && parseWallTime(b.start) < parseWallTime(a.end)
  );
}

const DEFAULT_WINDOW: OpeningWindow = { start: '10:00', end: '18:00' };
const BREAK_MINUTES: WallMinute = 60;
const NEXT_WINDOW_MINUTES: WallMinute = 180;
const END_OF_DAY: WallMinute = 1440;
/** So many a day may have (contract, Schedule). */
const MAX_WINDOWS = 24;
/** So many dates may have hours of their own (contract, Schedule). */
export const MAX_EXCEPTIONS = 1000;

/** A window to begin with, after those that the day has; null when the day is full. */
export function suggestNextWindow(windows: readonly OpeningWindow[]): OpeningWindow | null {
  if (windows.length === 0) return DEFAULT_WINDOW;
  if (windows.length >= MAX_WINDOWS) return null;
  const last = Math.max(...windows.map(({ end }) => (end === '' ? 0 : parseWallTime(end))));
  const start = last + BREAK_MINUTES < END_OF_DAY ? last + BREAK_MINUTES : last;
  if (start >= END_OF_DAY) return null;
  return {
    start: formatWallTime(start),
    end: formatWallTime(Math.min(start + NEXT_WINDOW_MINUTES, END_OF_DAY)),
  };
}

/** `HH:MM` of a minute of the day, up to `24:00`. */
export function formatWallTime(minute: WallMinute): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** The dates that still matter, in order. */
export function upcomingExceptions(
  days: readonly ExceptionDay[],
  today: LocalDate,
): ExceptionDay[] {
  return days.filter(({ date }) => date >= today).toSorted(byDate);
}

/** The dates `first` to `last`, both included, with these hours, whatever they had before. */
export function setExceptions(
  days: readonly ExceptionDay[],
  first: LocalDate,
  last: LocalDate,
  windows: readonly OpeningWindow[],
): ExceptionDay[] {
  const set: ExceptionDay[] = [];
  for (let date = first; date <= last; date = addDays(date, 1)) set.push({ date, windows });
  return [...removeExceptions(days, first, last), ...set].toSorted(byDate);
}

/** The dates `first` to `last`, both included, as the week has them. */
export function removeExceptions(
  days: readonly ExceptionDay[],
  first: LocalDate,
  last: LocalDate,
): readonly ExceptionDay[] {
  return days.filter(({ date }) => date < first || date > last);
}

/** Dates in a row that are alike. */
export interface ExceptionRun {
  readonly first: LocalDate;
  readonly last: LocalDate;
  readonly windows: readonly OpeningWindow[];
}

/** Joins days off in a row, so that a holiday reads as one; days must be in order. */
export function joinConsecutiveDaysOff(days: readonly ExceptionDay[]): ExceptionRun[] {
  const runs: ExceptionRun[] = [];
  for (const { date, windows } of days) {
    const before = runs.at(-1);
    const goesOn =
      before !== undefined &&
      before.windows.length === 0 &&
      windows.length === 0 &&
      addDays(before.last, 1) === date;
    if (goesOn) runs[runs.length - 1] = { ...before, last: date };
    else runs.push({ first: date, last: date, windows });
  }
  return runs;
}

/**
 * What one changed in a list of days, brought into what the list has become elsewhere: a day that
 * one left alone stays as others made it.
 * @param keyOf tells days apart, such as their date
 */
export function mergeDays<T>(
  before: readonly T[],
  mine: readonly T[],
  theirs: readonly T[],
  keyOf: (day: T) => string | number,
): T[] {
  const text = (days: readonly T[], key: string | number) =>
    JSON.stringify(days.find((day) => keyOf(day) === key) ?? null);
  const keys = new Set([...theirs, ...mine].map(keyOf));
  return [...keys].flatMap((key) => {
    const source = text(before, key) === text(mine, key) ? theirs : mine;
    return source.filter((day) => keyOf(day) === key);
  });
}

function byDate(a: ExceptionDay, b: ExceptionDay): number {
  return a.date < b.date ? -1 : 1;
}
