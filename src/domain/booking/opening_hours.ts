/**
 * Edits a draft of an artist's opening hours. A night is a window that lasts past midnight: artists type it as
 * one window, and it is stored as two, an evening until 24:00 and a morning from 00:00.
 */

import {
  addDays,
  type DateRange,
  datesBetween,
  type LocalDate,
  weekdayOf,
} from '../time/calendar_date.ts';
import { END_OF_DAY, formatWallTime, parseWallTime, type WallMinute } from '../time/time.ts';
import {
  type OpeningHours,
  type OpeningWindow,
  openingWindowsOn,
  sortWindows,
} from './schedule.ts';

/** A date with its own hours instead of the weekday's; no windows means a day off. */
export type ExceptionDay = OpeningHours['exceptions'][number];

/** Whether a typed window is a night: its end is earlier than its start. */
export function endsNextDay({ start, end }: OpeningWindow): boolean {
  return start !== '' && end !== '' && parseWallTime(end) < parseWallTime(start);
}

/** Stored hours as artists type them, with all weekdays, and exceptions from the day before `today` on. */
export function toTypedHours(stored: OpeningHours, today: LocalDate) {
  const { ofWeekday, onDate, hasException } = createLookup(stored);
  const weekly = ISO_WEEKDAYS.map((weekday) => ({
    weekday,
    windows: joinNights(ofWeekday(weekday - 1), ofWeekday(weekday), ofWeekday(weekday + 1)),
  }));
  const changed = stored.exceptions.flatMap(({ date }) =>
    [-1, 0, 1].map((by) => addDays(date, by)),
  );
  const exceptions = uniqueDates(changed).flatMap((date) => {
    const weekday = weekdayOf(date);
    const windows = joinNights(onDate(addDays(date, -1)), onDate(date), onDate(addDays(date, 1)));
    // A stored exception that differs from its weekday only by the morning of the night before is not the artist's.
    const ofDate = onDate(date);
    const isOfArtist =
      hasException(date) && (ofDate.length === 0 || areSame(ofDate, ofWeekday(weekday)));
    const isUsual = areSame(windows, weekly[weekday - 1]?.windows);
    return isOfArtist || !isUsual ? [{ date, windows }] : [];
  });
  // The hours of yesterday may last until today.
  return { weekly, exceptions: upcomingExceptions(exceptions, addDays(today, -1)) };
}

/** Typed hours as they are stored. A date whose night before differs from the week is an exception, too. */
export function toStoredHours(typed: OpeningHours) {
  const { ofWeekday, onDate, hasException } = createLookup(typed);
  const weekly = ISO_WEEKDAYS.map((weekday) => ({
    weekday,
    windows: splitNights(ofWeekday(weekday - 1), ofWeekday(weekday)),
  }));
  const changed = typed.exceptions.flatMap(({ date }) => [date, addDays(date, 1)]);
  const exceptions = uniqueDates(changed).flatMap((date) => {
    const windows = splitNights(onDate(addDays(date, -1)), onDate(date));
    const isUsual = areSame(windows, weekly[weekdayOf(date) - 1]?.windows);
    return hasException(date) || !isUsual ? [{ date, windows }] : [];
  });
  return { weekly, exceptions };
}

const ISO_WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];

/** Finds the windows of a weekday or a date, sorted. `ofWeekday` takes 0 for Sunday and 8 for Monday, too. */
function createLookup({ weekly, exceptions }: OpeningHours) {
  const copy = (windows: readonly OpeningWindow[]) =>
    sortWindows(windows).map(({ start, end }) => ({ start, end }));
  const week = new Map(weekly.map(({ weekday, windows }) => [weekday % 7, copy(windows)]));
  const ofDates = new Map(exceptions.map(({ date, windows }) => [date, copy(windows)]));
  const ofWeekday = (weekday: number) => week.get(weekday % 7) ?? [];
  const onDate = (date: LocalDate) => ofDates.get(date) ?? ofWeekday(weekdayOf(date));
  return { ofWeekday, onDate, hasException: (date: LocalDate) => ofDates.has(date) };
}

function uniqueDates(dates: readonly LocalDate[]): LocalDate[] {
  return [...new Set(dates)].toSorted();
}

function areSame(a: readonly OpeningWindow[], b: readonly OpeningWindow[] = []): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The stored windows of a day as typed: with its night as one, and without the morning of the night before. */
function joinNights(
  before: readonly OpeningWindow[],
  windows: readonly OpeningWindow[],
  after: readonly OpeningWindow[],
): OpeningWindow[] {
  const own = nightOf(before.at(-1), windows[0]) ? windows.slice(1) : windows;
  const night = nightOf(own.at(-1), after[0]);
  return night ? [...own.slice(0, -1), night] : [...own];
}

/** The windows as one, if they touch at midnight and together are shorter than a day. */
function nightOf(evening?: OpeningWindow, morning?: OpeningWindow): OpeningWindow | null {
  if (evening?.end !== '24:00' || morning?.start !== '00:00') return null;
  const night = { start: evening.start, end: morning.end };
  return endsNextDay(night) ? night : null;
}

/** The typed windows of a day as stored: with the morning of the night before, and the evening of its own. */
function splitNights(
  before: readonly OpeningWindow[],
  windows: readonly OpeningWindow[],
): OpeningWindow[] {
  const mornings = before.filter(endsNextDay).map(({ end }) => ({ start: '00:00', end }));
  return [...mornings, ...endAtMidnight(windows)];
}

function endAtMidnight(windows: readonly OpeningWindow[]): OpeningWindow[] {
  return windows.map((window) => (endsNextDay(window) ? { ...window, end: '24:00' } : window));
}

/** When, on this date, the night that began the day before ends, `HH:MM`; null without such a night. */
export function nightBeforeEnd(typed: OpeningHours, date: LocalDate): string | null {
  return openingWindowsOn(typed, addDays(date, -1)).find(endsNextDay)?.end ?? null;
}

/** The typed exceptions, with one more: the night before the date ends at midnight. */
export function endNightBefore(typed: OpeningHours, date: LocalDate): readonly ExceptionDay[] {
  const before = addDays(date, -1);
  const windows = endAtMidnight(openingWindowsOn(typed, before));
  return setExceptions(typed.exceptions, before, before, windows);
}

/** Takes back `endNightBefore` of a day off, if the hours of the day before are still as it made them. */
export function restoreNightBefore(typed: OpeningHours, date: LocalDate): readonly ExceptionDay[] {
  const { exceptions } = typed;
  const isDayOff = exceptions.some((day) => day.date === date && day.windows.length === 0);
  const before = addDays(date, -1);
  const weekly = openingWindowsOn({ ...typed, exceptions: [] }, before);
  const isEnded =
    weekly.some(endsNextDay) && areSame(openingWindowsOn(typed, before), endAtMidnight(weekly));
  return isDayOff && isEnded ? removeExceptions(exceptions, before, before) : exceptions;
}

/** Why a typed window is not valid. */
export type WindowError =
  | 'blank'
  | 'ends_first'
  | 'overlaps'
  | 'overlaps_night_before'
  | 'overlaps_next_day';

/** The windows of the days before and after one. */
export interface NeighborDays {
  readonly before: readonly OpeningWindow[];
  readonly after: readonly OpeningWindow[];
}

/** The error of each typed window of one day, in their order; null for a valid one. */
export function validateWindows(
  windows: readonly OpeningWindow[],
  { before, after }: NeighborDays = { before: [], after: [] },
): (WindowError | null)[] {
  return windows.map((window, index) => {
    if (window.start === '' || window.end === '') return 'blank';
    if (window.start === window.end) return 'ends_first';
    if (windows.slice(0, index).some((other) => doOverlap(window, other))) return 'overlaps';
    if (before.some((night) => reachesInto(night, window))) return 'overlaps_night_before';
    return after.some((next) => reachesInto(window, next)) ? 'overlaps_next_day' : null;
  });
}

function doOverlap(a: OpeningWindow, b: OpeningWindow): boolean {
  return parseWallTime(a.start) < endMinute(b) && parseWallTime(b.start) < endMinute(a);
}

/** Whether a window lasts until after the start of one of the next day. */
function reachesInto(window: OpeningWindow, next: OpeningWindow): boolean {
  return next.start !== '' && endMinute(window) > END_OF_DAY + parseWallTime(next.start);
}

/** When a window, as artists type it, ends: since 00:00 of the day on which it starts. */
export function endMinute(window: OpeningWindow): WallMinute {
  return parseWallTime(window.end) + (endsNextDay(window) ? END_OF_DAY : 0);
}

const DEFAULT_WINDOW: OpeningWindow = { start: '10:00', end: '18:00' };
const DEFAULT_END = parseWallTime(DEFAULT_WINDOW.end);
const BREAK_MINUTES = 60;
const NEXT_WINDOW_MINUTES = 180;
/** The API refuses more windows on a day. */
const MAX_WINDOWS = 24;

/** The window to add after the existing ones of a day, or before a night; null when there is no room. */
export function suggestNextWindow(windows: readonly OpeningWindow[]): OpeningWindow | null {
  if (windows.length === 0) return DEFAULT_WINDOW;
  if (windows.length >= MAX_WINDOWS) return null;
  const last = Math.max(...windows.map(endMinute));
  const start = last + BREAK_MINUTES < END_OF_DAY ? last + BREAK_MINUTES : last;
  if (start >= END_OF_DAY) {
    const isFree = windows.every((window) => parseWallTime(window.start) > DEFAULT_END);
    return isFree ? DEFAULT_WINDOW : null;
  }
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
