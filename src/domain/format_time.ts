/**
 * Words for dates and times. Zones are IANA names and locales are arguments, so that the server
 * and every browser write the same. Works on the platform's own zone data alone: browsers load it.
 */

/** An instant: RFC 3339, or milliseconds since 1970-01-01T00:00Z. */
export type InstantLike = string | number;
/** A month of the studio's calendar, `YYYY-MM`; sorts as text. */
export type YearMonth = string;

const MINUTE_MS = 60_000;
const DEFAULT_LOCALE = 'en-US';

// Making a formatter costs more than using it, and a day has many slots.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(
  locale: string,
  zone: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, zone, options]);
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
  formatters.set(key, made);
  return made;
}

function formatInstant(
  when: InstantLike,
  locale: string,
  zone: string,
  options: Intl.DateTimeFormatOptions,
) {
  // Platforms differ in the space before AM and PM; pages must not differ with them.
  return formatterFor(locale, zone, options)
    .format(new Date(when))
    .replace(/[\u202f\u00a0]/g, ' ');
}

/** Milliseconds of the minute after a window's last one: what people are shown as its end. */
export function toExclusiveEnd(end: InstantLike): number {
  return new Date(end).getTime() + MINUTE_MS;
}

/** The date, `YYYY-MM-DD`, that a wall calendar in the zone shows at an instant. */
export function localDateIn(zone: string, when: InstantLike): string {
  const parts = formatterFor('en-US-u-ca-gregory-nu-latn', zone, {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(new Date(when));
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

/** Weekday, month and day of a date `YYYY-MM-DD`: 'Tuesday, December 1'. */
export function formatDay(date: string, locale = DEFAULT_LOCALE): string {
  return formatInstant(`${date}T00:00:00Z`, locale, 'UTC', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
  });
}

/** The day of an instant in the zone, with its year: 'Tuesday, December 1, 2026'. */
export function formatDayWithYear(
  when: InstantLike,
  zone: string,
  locale = DEFAULT_LOCALE,
): string {
  return formatInstant(when, locale, zone, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    year: 'numeric',
  });
}

/** The day of an instant in the zone, in short: 'Tue, Dec 1, 2026'. */
export function formatShortDay(when: InstantLike, zone: string, locale = DEFAULT_LOCALE): string {
  return formatInstant(when, locale, zone, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
  });
}

/** The wall-clock time of an instant in the zone: '10:00 AM'. */
export function formatTime(when: InstantLike, zone: string, locale = DEFAULT_LOCALE): string {
  return formatInstant(when, locale, zone, { hour: 'numeric', minute: '2-digit' });
}

/**
 * '10:00 AM - 12:00 PM'. `end` is a window's last minute, included; the end shown is one minute
 * later (specification, section 9). Clocks that change in between are named, so that no slot seems
 * to end before it begins.
 */
export function formatTimeRange(
  start: InstantLike,
  end: InstantLike,
  zone: string,
  locale = DEFAULT_LOCALE,
): string {
  const until = toExclusiveEnd(end);
  const clock = (when: InstantLike) => zoneAbbreviation(when, zone, locale);
  const changes = clock(start) !== clock(until);
  const time = (when: InstantLike) =>
    formatTime(when, zone, locale) + (changes ? ` ${clock(when)}` : '');
  return `${time(start)} - ${time(until)}`;
}

/**
 * 'Tuesday, December 1, 2026 at 10:00 AM (America/New_York, EST)', for readers who may be in any
 * zone.
 */
export function formatTimeWithZone(
  when: InstantLike,
  zone: string,
  locale = DEFAULT_LOCALE,
): string {
  const day = formatDayWithYear(when, zone, locale);
  return `${day} at ${formatTime(when, zone, locale)} ${formatZone(zone, when, when, locale)}`;
}

/** '10:00 AM - 12:00 PM (America/New_York, EST)'. `end` is the last minute, as in `formatTimeRange`. */
export function formatTimeRangeWithZone(
  start: InstantLike,
  end: InstantLike,
  zone: string,
  locale = DEFAULT_LOCALE,
): string {
  const range = formatTimeRange(start, end, zone, locale);
  return `${range} ${formatZone(zone, start, toExclusiveEnd(end), locale)}`;
}

/** Full month and year of a month: 'December 2026'. */
export function formatMonth(month: YearMonth, locale = DEFAULT_LOCALE): string {
  return formatInstant(`${month}-01T00:00:00Z`, locale, 'UTC', { month: 'long', year: 'numeric' });
}

/** Whether clocks in both zones show the same date and time at an instant. */
export function isSameWallTime(zone: string, other: string, when: InstantLike): boolean {
  const reading = (one: string) => `${localDateIn(one, when)} ${formatTime(when, one)}`;
  return reading(zone) === reading(other);
}

/** The month of a date `YYYY-MM-DD`. */
export function toYearMonth(date: string): YearMonth {
  return date.slice(0, 7);
}

/** The month so many later, or earlier when negative. */
export function addYearMonths(month: YearMonth, count: number): YearMonth {
  const { year, number } = parseYearMonth(month);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}

/** Year and number, from 1, of a month. */
export function parseYearMonth(month: YearMonth): { year: number; number: number } {
  return { year: Number(month.slice(0, 4)), number: Number(month.slice(5, 7)) };
}

/** The zone with what its clocks are called, unless they change in between and are named already. */
function formatZone(zone: string, start: InstantLike, end: InstantLike, locale: string): string {
  const clock = zoneAbbreviation(start, zone, locale);
  const isTold = clock === zone || clock !== zoneAbbreviation(end, zone, locale);
  return isTold ? `(${zone})` : `(${zone}, ${clock})`;
}

function zoneAbbreviation(when: InstantLike, zone: string, locale: string): string {
  const parts = formatterFor(locale, zone, {
    hour: 'numeric',
    timeZoneName: 'short',
  }).formatToParts(new Date(when));
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
}
