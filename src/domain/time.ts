/** An instant: milliseconds since 1970-01-01T00:00Z. */
export type Instant = number;
/** A calendar date, `YYYY-MM-DD`, without a zone; it is usually the studio's. */
export type LocalDate = string;
/** First and last date, both included. */
export interface DateRange {
  readonly first: LocalDate;
  readonly last: LocalDate;
}
/** Minutes of wall-clock time since a date's 00:00; 1440 is the next date's 00:00. */
export type WallMinute = number;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The UTC offset in milliseconds from `from`, included, to `until`, excluded. */
interface OffsetPeriod {
  readonly from: Instant;
  readonly until: Instant;
  readonly offset: number;
}

/** The instant of a wall-clock time on a date. */
export interface ResolvedTime {
  /** Whether a change of clocks skips this wall-clock time. */
  readonly isSkipped: boolean;
  /** The first occurrence; for a skipped time the next minute that exists. */
  readonly instant: Instant;
}

export type WallTimeResolver = (minute: WallMinute) => ResolvedTime;

// Cached by zone and year: `Intl` takes longer for one offset than all other code in this file.
const offsetPeriodsByZone = new Map<string, Map<number, readonly OffsetPeriod[]>>();

/** The offsets of a zone in a UTC year and one month before and after it, oldest first. */
function offsetPeriods(zone: string, year: number): readonly OffsetPeriod[] {
  const cached = offsetPeriodsByZone.get(zone)?.get(year);
  if (cached) return cached;
  const periods = computeOffsetPeriods(zone, year);
  const years = offsetPeriodsByZone.get(zone) ?? new Map<number, readonly OffsetPeriod[]>();
  offsetPeriodsByZone.set(zone, years.set(year, periods));
  return periods;
}

function computeOffsetPeriods(zone: string, year: number): OffsetPeriod[] {
  const end = Date.UTC(year + 1, 1, 1);
  const periods: OffsetPeriod[] = [];
  let from = Date.UTC(year - 1, 11, 1);
  let offset = computeOffset(zone, from);
  for (let before = from; before < end; before += DAY_MS) {
    const next = computeOffset(zone, before + DAY_MS);
    if (next === offset) continue;
    const until = findOffsetChange(zone, next, before, before + DAY_MS);
    periods.push({ from, until, offset });
    from = until;
    offset = next;
  }
  return [...periods, { from, until: end, offset }];
}

/** Reads the cache but never fills it: a whole year costs too much for one instant. */
function offsetAt(zone: string, instant: Instant): number {
  const periods = offsetPeriodsByZone.get(zone)?.get(new Date(instant).getUTCFullYear());
  const period = periods?.find(({ from, until }) => from <= instant && instant < until);
  return period?.offset ?? computeOffset(zone, instant);
}

/** The UTC offset at an instant, in milliseconds, from the platform's zone data. */
function computeOffset(zone: string, instant: Instant): number {
  const wholeSecond = Math.floor(instant / 1000) * 1000;
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatterFor(zone).formatToParts(wholeSecond))
    parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - wholeSecond;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(zone: string): Intl.DateTimeFormat {
  const cached = formatters.get(zone);
  if (cached) return cached;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(zone, formatter);
  return formatter;
}

/** Binary search for the minute, after `from` and up to `until`, in which `offset` begins. */
function findOffsetChange(zone: string, offset: number, from: Instant, until: Instant): Instant {
  let before = from;
  let after = until;
  while (after - before > MINUTE_MS) {
    const middle = before + Math.floor((after - before) / 2 / MINUTE_MS) * MINUTE_MS;
    if (computeOffset(zone, middle) === offset) after = middle;
    else before = middle;
  }
  return after;
}

/** The instant of a wall-clock minute of a date in an IANA zone. */
export function resolveWallTime(zone: string, date: LocalDate, minute: WallMinute): ResolvedTime {
  return createWallTimeResolver(zone, date)(minute);
}

/** Like `resolveWallTime`, but faster for many minutes of one date. */
export function createWallTimeResolver(zone: string, date: LocalDate): WallTimeResolver {
  const midnight = midnightUtc(date);
  const periods = offsetPeriods(zone, Number(date.slice(0, 4)));
  return (minute) => {
    for (const { from, until, offset } of periods) {
      const instant = midnight + minute * MINUTE_MS - offset;
      if (instant < from) return { isSkipped: true, instant: from };
      if (instant < until) return { isSkipped: false, instant };
    }
    throw new RangeError(`${date} lies outside its own year`);
  };
}

/** The date in the zone at an instant. */
export function localDateAt(zone: string, instant: Instant): LocalDate {
  return toLocalDate(instant + offsetAt(zone, instant));
}

/** The wall-clock time, `HH:MM`, in the zone at an instant. */
export function wallTimeAt(zone: string, instant: Instant): string {
  return new Date(instant + offsetAt(zone, instant)).toISOString().slice(11, 16);
}

/** 00:00 UTC of a date. */
export function midnightUtc(date: LocalDate): Instant {
  return Date.UTC(
    Number(date.slice(0, 4)),
    Number(date.slice(5, 7)) - 1,
    Number(date.slice(8, 10)),
  );
}

export function addDays(date: LocalDate, days: number): LocalDate {
  return toLocalDate(midnightUtc(date) + days * DAY_MS);
}

/** The dates from `first` to `last`, both included. */
export function datesBetween(first: LocalDate, last: LocalDate): LocalDate[] {
  const end = midnightUtc(last);
  const dates: LocalDate[] = [];
  for (let midnight = midnightUtc(first); midnight <= end; midnight += DAY_MS)
    dates.push(toLocalDate(midnight));
  return dates;
}

/** The same day of a later month, or that month's last day; earlier when `months` is negative. */
export function addMonths(date: LocalDate, months: number): LocalDate {
  const [year, month, day] = [date.slice(0, 4), date.slice(5, 7), date.slice(8, 10)].map(Number);
  const first = new Date(Date.UTC(year ?? 0, (month ?? 1) - 1 + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return toLocalDate(first.getTime() + (Math.min(day ?? 1, last) - 1) * DAY_MS);
}

/** ISO weekday: 1 Monday to 7 Sunday. */
export function weekdayOf(date: LocalDate): number {
  return new Date(midnightUtc(date)).getUTCDay() || 7;
}

/** The Sunday on or before a date: calendars show weeks from Sunday to Saturday. */
export function startOfWeek(date: LocalDate): LocalDate {
  return addDays(date, -(weekdayOf(date) % 7));
}

/** First and last date of a month; `month` counts from 1. */
export function monthBounds(year: number, month: number): DateRange {
  return {
    first: toLocalDate(Date.UTC(year, month - 1, 1)),
    last: toLocalDate(Date.UTC(year, month, 0)),
  };
}

/** `HH:MM`, up to `24:00`, as minutes since 00:00. */
export function parseWallTime(time: string): WallMinute {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

/** RFC 3339 in UTC, without fractions: `2026-11-24T15:00:00Z`. */
export function toRfc3339(instant: Instant): string {
  const date = new Date(instant);
  const hours = twoDigits(date.getUTCHours());
  const minutes = twoDigits(date.getUTCMinutes());
  return `${toLocalDate(instant)}T${hours}:${minutes}:${twoDigits(date.getUTCSeconds())}Z`;
}

/** The UTC date of an instant. */
function toLocalDate(instant: Instant): LocalDate {
  const date = new Date(instant);
  const year = date.getUTCFullYear();
  // `toISOString` takes three times as long, so use it for unusual years only.
  if (!(year >= 1000 && year <= 9999)) return date.toISOString().slice(0, 10);
  return `${year}-${twoDigits(date.getUTCMonth() + 1)}-${twoDigits(date.getUTCDate())}`;
}

export function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : `${number}`;
}
