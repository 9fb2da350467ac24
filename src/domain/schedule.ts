import type { LocalDate, WallMinute } from './time.ts';
import { wallMinute, weekdayOf } from './time.ts';

/** Open wall-clock time on one day, `HH:MM` to `HH:MM`; the end is exclusive and may be `24:00`. */
export interface WallWindow {
  readonly start: string;
  readonly end: string;
}

/** `weekday` is ISO: 1 Monday to 7 Sunday. */
export interface WeekdayHours {
  readonly weekday: number;
  readonly windows: readonly WallWindow[];
}

/** Replaces a date's weekly windows; no windows means closed. */
interface ScheduleException {
  readonly date: LocalDate;
  readonly windows: readonly WallWindow[];
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
export const MOST_BUFFER_MINUTES = 1440;

/** What an artist has before they set hours of their own: closed. */
export const NEW_SCHEDULE: Schedule = {
  weekly: [],
  exceptions: [],
  slot_interval_minutes: 30,
  buffer_minutes: 0,
  minimum_notice_minutes: 120,
};

/** The windows of a date, in the order of their starts. */
export function windowsOn(
  { weekly, exceptions }: Pick<Schedule, 'weekly' | 'exceptions'>,
  date: LocalDate,
): readonly WallWindow[] {
  const exception = exceptions.find((one) => one.date === date);
  return inOrder(exception ? exception.windows : weekdayWindows(weekly, weekdayOf(date)));
}

/** Tells the windows of one date after the other, each as `windowsOn` does, in minutes. */
export function openMinutes({
  weekly,
  exceptions,
}: Pick<Schedule, 'weekly' | 'exceptions'>): (date: LocalDate) => readonly OpenMinutes[] {
  const week = [1, 2, 3, 4, 5, 6, 7].map((weekday) => inMinutes(weekdayWindows(weekly, weekday)));
  const exceptional = new Map(exceptions.map(({ date, windows }) => [date, inMinutes(windows)]));
  return (date) => exceptional.get(date) ?? week[weekdayOf(date) - 1] ?? [];
}

/** A window in minutes of its date; the end is exclusive. */
export interface OpenMinutes {
  readonly opens: WallMinute;
  readonly closes: WallMinute;
}

function inMinutes(windows: readonly WallWindow[]): OpenMinutes[] {
  return windows
    .map(({ start, end }) => ({ opens: wallMinute(start), closes: wallMinute(end) }))
    .toSorted((a, b) => a.opens - b.opens);
}

function weekdayWindows(weekly: Schedule['weekly'], weekday: number): WallWindow[] {
  return weekly.filter((one) => one.weekday === weekday).flatMap(({ windows }) => windows);
}

function inOrder(windows: readonly WallWindow[]): WallWindow[] {
  return windows.toSorted((a, b) => wallMinute(a.start) - wallMinute(b.start));
}

/** Whether each window ends after it starts and none reaches into the next. */
export function windowsFit(windows: readonly WallWindow[]): boolean {
  const sorted = inOrder(windows);
  return sorted.every((window, index) => {
    const next = sorted[index + 1];
    return (
      wallMinute(window.start) < wallMinute(window.end) &&
      (next === undefined || wallMinute(window.end) <= wallMinute(next.start))
    );
  });
}
