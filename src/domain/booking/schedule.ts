import { addDays, type LocalDate, weekdayOf } from '../time/calendar_date.ts';
import { END_OF_DAY, parseWallTime, type WallMinute } from '../time/time.ts';

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

/** When an artist works, in the studio's wall-clock time. */
export interface OpeningHours {
  readonly weekly: readonly WeekdayHours[];
  readonly exceptions: readonly ScheduleException[];
}

/** The opening hours, and the rules by which slots follow from them. */
export interface Schedule extends OpeningHours {
  readonly slot_interval_minutes: number;
  /** Time that stays free after every appointment. */
  readonly buffer_minutes: number;
  /** Clients see only times that start at least this many minutes from now. */
  readonly minimum_notice_minutes: number;
}

/** The longest buffer that an artist can set: a day. */
export const MAX_BUFFER_MINUTES = 1440;

/** A new artist's schedule: always closed. */
export const DEFAULT_SCHEDULE: Schedule = {
  weekly: [],
  exceptions: [],
  slot_interval_minutes: 30,
  buffer_minutes: 0,
  minimum_notice_minutes: 120,
};

/** The windows of a date, in the order of their starts. */
export function openingWindowsOn(hours: OpeningHours, date: LocalDate): readonly OpeningWindow[] {
  const exception = hours.exceptions.find((day) => day.date === date);
  return sortWindows(exception?.windows ?? windowsOfWeekday(hours.weekly, weekdayOf(date)));
}

/** Like `openingWindowsOn`, but in minutes and faster for many dates. */
export function createOpeningMinutesLookup(
  hours: OpeningHours,
): (date: LocalDate) => readonly OpeningMinutes[] {
  const week = [1, 2, 3, 4, 5, 6, 7].map((weekday) =>
    toOpeningMinutes(windowsOfWeekday(hours.weekly, weekday)),
  );
  const exceptions = new Map(
    hours.exceptions.map(({ date, windows }) => [date, toOpeningMinutes(windows)]),
  );
  return (date) => exceptions.get(date) ?? week[weekdayOf(date) - 1] ?? [];
}

/** A window in minutes since 00:00 of its date; `closes` is exclusive. */
export interface OpeningMinutes {
  readonly opens: WallMinute;
  readonly closes: WallMinute;
  /** When the last of the windows closes that follow it without a gap; at most 1440. */
  readonly stretchCloses: WallMinute;
}

function toOpeningMinutes(windows: readonly OpeningWindow[]): OpeningMinutes[] {
  const minutes: OpeningMinutes[] = [];
  for (const { start, end } of sortWindows(windows).toReversed()) {
    const closes = parseWallTime(end);
    // Windows come in reverse order, so the first of `minutes` is the one after this.
    const next = minutes[0];
    const stretchCloses = next?.opens === closes ? next.stretchCloses : closes;
    minutes.unshift({ opens: parseWallTime(start), closes, stretchCloses });
  }
  return minutes;
}

/**
 * How many dates after its own a slot can reach: it lasts at most 24 hours, and a change of clocks may
 * skip a date.
 */
export const STRETCH_DAYS = 2;

/**
 * When the stretch of a window ends, in minutes since 00:00 of its date; exclusive. It goes on after
 * midnight while the windows of the next `STRETCH_DAYS` dates touch.
 */
export function stretchEnd(
  { stretchCloses }: OpeningMinutes,
  date: LocalDate,
  windowsOn: (date: LocalDate) => readonly OpeningMinutes[],
): WallMinute {
  let closes = stretchCloses;
  for (let ahead = 1; ahead <= STRETCH_DAYS && closes === ahead * END_OF_DAY; ahead += 1) {
    const [next] = windowsOn(addDays(date, ahead));
    if (next?.opens === 0) closes += next.stretchCloses;
  }
  return closes;
}

function windowsOfWeekday(weekly: readonly WeekdayHours[], weekday: number): OpeningWindow[] {
  return weekly.filter((day) => day.weekday === weekday).flatMap(({ windows }) => windows);
}

/** In the order of their starts. */
export function sortWindows(windows: readonly OpeningWindow[]): OpeningWindow[] {
  return windows.toSorted((a, b) => parseWallTime(a.start) - parseWallTime(b.start));
}

/** Whether each window ends after it starts and no two overlap. */
export function areWindowsValid(windows: readonly OpeningWindow[]): boolean {
  const sorted = sortWindows(windows);
  return sorted.every(({ start, end }, index) => {
    const next = sorted[index + 1];
    const overlapsNext = next !== undefined && parseWallTime(end) > parseWallTime(next.start);
    return parseWallTime(start) < parseWallTime(end) && !overlapsNext;
  });
}
