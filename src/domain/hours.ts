import type { Schedule, WallWindow } from './schedule.ts';
import type { LocalDate, WallMinute } from './time.ts';
import { addDays, wallMinute } from './time.ts';

/** A date with hours of its own; none means a day off. */
export type OwnDay = Schedule['exceptions'][number];

/** What keeps a window from being used. */
export type WindowFault = 'blank' | 'ends_first' | 'overlaps';

/** What is wrong with each window of one day, in their order; null where nothing is. */
export function windowFaults(windows: readonly WallWindow[]): (WindowFault | null)[] {
  return windows.map((window, index) => {
    if (window.start === '' || window.end === '') return 'blank';
    if (wallMinute(window.start) >= wallMinute(window.end)) return 'ends_first';
    const earlier = windows.slice(0, index).some((other) => overlap(window, other));
    return earlier ? 'overlaps' : null;
  });
}

function overlap(a: WallWindow, b: WallWindow): boolean {
  return wallMinute(a.start) < wallMinute(b.end) && wallMinute(b.start) < wallMinute(a.end);
}

const FIRST_WINDOW: WallWindow = { start: '10:00', end: '18:00' };
const PAUSE: WallMinute = 60;
const NEXT_LASTS: WallMinute = 180;
const DAY_ENDS: WallMinute = 1440;
/** So many a day may have (contract, Schedule). */
const MOST_WINDOWS = 24;
/** So many dates may have hours of their own (contract, Schedule). */
export const MOST_DATES = 1000;

/** A window to begin with, after those that the day has; null when the day is full. */
export function nextWindow(windows: readonly WallWindow[]): WallWindow | null {
  if (windows.length === 0) return FIRST_WINDOW;
  if (windows.length >= MOST_WINDOWS) return null;
  const last = Math.max(...windows.map(({ end }) => (end === '' ? 0 : wallMinute(end))));
  const start = last + PAUSE < DAY_ENDS ? last + PAUSE : last;
  if (start >= DAY_ENDS) return null;
  return { start: wallTime(start), end: wallTime(Math.min(start + NEXT_LASTS, DAY_ENDS)) };
}

/** `HH:MM` of a minute of the day, up to `24:00`. */
export function wallTime(minute: WallMinute): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** The dates that still matter, in order. */
export function upcomingDays(days: readonly OwnDay[], today: LocalDate): OwnDay[] {
  return days.filter(({ date }) => date >= today).toSorted(byDate);
}

/** The dates `first` to `last`, both included, with these hours, whatever they had before. */
export function setDays(
  days: readonly OwnDay[],
  first: LocalDate,
  last: LocalDate,
  windows: readonly WallWindow[],
): OwnDay[] {
  const set: OwnDay[] = [];
  for (let date = first; date <= last; date = addDays(date, 1)) set.push({ date, windows });
  return [...clearDays(days, first, last), ...set].toSorted(byDate);
}

/** The dates `first` to `last`, both included, as the week has them. */
export function clearDays(
  days: readonly OwnDay[],
  first: LocalDate,
  last: LocalDate,
): readonly OwnDay[] {
  return days.filter(({ date }) => date < first || date > last);
}

/** Dates in a row that are alike. */
export interface DayRun {
  readonly first: LocalDate;
  readonly last: LocalDate;
  readonly windows: readonly WallWindow[];
}

/** Joins days off in a row, so that a holiday reads as one; days must be in order. */
export function runsOf(days: readonly OwnDay[]): DayRun[] {
  const runs: DayRun[] = [];
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

function byDate(a: OwnDay, b: OwnDay): number {
  return a.date < b.date ? -1 : 1;
}
