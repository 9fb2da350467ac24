/** An instant: milliseconds since 1970-01-01T00:00Z. */
export type Instant = number;
/** Minutes of wall-clock time since a date's 00:00; 1440 is the next date's 00:00. */
export type WallMinute = number;
export const END_OF_DAY: WallMinute = 1440;

export const SECOND_MS = 1000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const HOUR_SECONDS = HOUR_MS / 1000;
/** The longest delay of a timer of JavaScript. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** The earliest of these moments; null, which means never, when all are null. */
export function earliest(...times: readonly (Instant | null)[]): Instant | null {
  const known = times.filter((time) => time !== null);
  return known.length > 0 ? Math.min(...known) : null;
}

/** `HH:MM`, up to `24:00`, as minutes since 00:00. */
export function parseWallTime(time: string): WallMinute {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

/** `HH:MM` of a minute of the day, up to `24:00`. */
export function formatWallTime(minute: WallMinute): string {
  return `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;
}

/** RFC 3339 in UTC, without fractions: `2026-11-24T15:00:00Z`. */
export function toRfc3339(instant: Instant): string {
  const second = Math.floor((instant - startOfUtcDay(instant)) / SECOND_MS);
  return utcDateAt(instant) + (second % 60 === 0 ? clockOfMinute(second / 60) : clockOf(second));
}

/** The clocks of whole minutes by minute of the day: a month of free times has hundreds of them. */
const clocksOfMinutes: string[] = [];

function clockOfMinute(minute: WallMinute): string {
  const known = clocksOfMinutes[minute];
  if (known !== undefined) return known;
  const clock = clockOf(minute * 60);
  clocksOfMinutes[minute] = clock;
  return clock;
}

/** `T15:00:00Z` of a second of the day. */
function clockOf(second: number): string {
  return `T${formatWallTime(Math.floor(second / 60))}:${twoDigits(second % 60)}Z`;
}

/** The latest answer of `utcDateAt`: a calendar asks for many times of one day, one after the other. */
let latest = { start: 0, date: '1970-01-01' };

/** The UTC date of an instant, `YYYY-MM-DD`. */
export function utcDateAt(instant: Instant): string {
  const start = startOfUtcDay(instant);
  if (start !== latest.start) latest = { start, date: formatUtcDate(new Date(start)) };
  return latest.date;
}

function formatUtcDate(date: Date): string {
  const year = date.getUTCFullYear();
  // `toISOString` takes three times as long, so use it for unusual years only.
  if (!(year >= 1000 && year <= 9999)) return date.toISOString().slice(0, 10);
  return `${year}-${twoDigits(date.getUTCMonth() + 1)}-${twoDigits(date.getUTCDate())}`;
}

function startOfUtcDay(instant: Instant): Instant {
  return Math.floor(instant / DAY_MS) * DAY_MS;
}

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : `${number}`;
}
