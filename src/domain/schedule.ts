import type { LocalDate, WallMinute } from './time.ts';
import { parseWallTime, weekdayOf } from './time.ts';

/** Open wall-clock time on one day, `HH:MM` to `HH:MM`; the end is exclusive and may be `24:00`. */
export interface OpeningWindow {
  readonly start: string;
  readonly end: string;
}

/** `weekday` is ISO: 1 Monday to 7 Sunday. */
export interface WeekdayHours {
  readonly weekday: number;
  readonly windows: readonly OpeningWindow[];
}

/** Replaces a date's weekly windows; no windows means closed. */
interface ScheduleException {
  readonly date: LocalDate;
  readonly windows: readonly OpeningWindow[];
}

export interface Schedule {
  readonly weekly: readonly WeekdayHours[];
  readonly exceptions: readonly ScheduleException[];
  readonly slot_interval_minutes: number;
  /** Follows every appointment. */
  readonly buffer_minutes: number;
  /** A start is offered when it is at or after now plus this. */
  readonly minimum_notice_minutes: number;
}

/** No artist keeps more minutes free after an appointment (contract, Schedule). */
export const MAX_BUFFER_MINUTES = 1440;

/** What an artist has before they set hours of their own: closed. */
export const DEFAULT_SCHEDULE: Schedule = {
  weekly: [],
  exceptions: [],
  slot_interval_minutes: 30,
  buffer_minutes: 0,
  minimum_notice_minutes: 120,
};

/** The windows of a date, in the order of their starts. */
export function openingWindowsOn(
  { weekly, exceptions }: Pick<Schedule, 'weekly' | 'exceptions'>,
  date: LocalDate,
): readonly OpeningWindow[] {
  const exception = exceptions.find((one) => one.date === date);
  return sortWindows(
    exception ? exception.windows : openingWindowsOfWeekday(weekly, weekdayOf(date)),
  );
}

/** Tells the windows of one date after the other, each as `openingWindowsOn` does, in minutes. */
export function createOpeningMinutesLookup({
  weekly,
  exceptions,
}: Pick<Schedule, 'weekly' | 'exceptions'>): (date: LocalDate) => readonly OpeningMinutes[] {
  const week = [1, 2, 3, 4, 5, 6, 7].map((weekday) =>
    toOpeningMinutes(openingWindowsOfWeekday(weekly, weekday)),
  );
  const exceptional = new Map(
    exceptions.map(({ date, windows }) => [date, toOpeningMinutes(windows)]),
  );
  return (date) => exceptional.get(date) ?? week[weekdayOf(date) - 1] ?? [];
}

/** A window in minutes of its date; the end is exclusive. */
export interface OpeningMinutes {
  readonly opens: WallMinute;
  readonly closes: WallMinute;
}

function toOpeningMinutes(windows: readonly OpeningWindow[]): OpeningMinutes[] {
  return windows
    .map(({ start, end }) => ({ opens: parseWallTime(start), closes: parseWallTime(end) }))
    .toSorted((a, b) => a.opens - b.opens);
}

function openingWindowsOfWeekday(weekly: Schedule['weekly'], weekday: number): OpeningWindow[] {
  return weekly.filter((one) => one.weekday === weekday).flatMap(({ windows }) => windows);
}

function sortWindows(windows: readonly OpeningWindow[]): OpeningWindow[] {
  return windows.toSorted((a, b) => parseWallTime(a.start) - parseWallTime(b.start));
}

/** Whether each window ends after it starts and none reaches into the next. */
export function areWindowsValid(windows: readonly OpeningWindow[]): boolean {
  const sorted = sortWindows(windows);
  return sorted.every((window, index) => {
    const next = sorted[index + 1];
    return (
      parseWallTime(window.start) < parseWallTime(window.end) &&
      (next === undefined || parseWallTime(window.end) <= parseWallTime(next.start))
    );
  });
}
