/**
 * Texts for dates and times, in English. Zones are IANA names. Zone and conventions never come from
 * the machine, so that the server and every browser render the same text. Those of the United States
 * apply unless a visitor's are given.
 */
import type { LocalDate, YearMonth } from './calendar_date.ts';
import { type DateConventions, US_CONVENTIONS } from './date_conventions.ts';
import { remembered } from './remembered.ts';
import { type Instant, MINUTE_MS } from './time.ts';

/** An instant, or its RFC 3339 text. */
export type InstantLike = string | Instant;

const LOCALE = 'en-US';
const LONG_DAY = { weekday: 'long', month: 'long', day: 'numeric' } as const;
const SHORT_DAY = { weekday: 'short', month: 'short', day: 'numeric' } as const;

// Cached, because creating a formatter takes longer than using it.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return remembered(
    formatters,
    JSON.stringify([zone, options]),
    () => new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: zone }),
  );
}

function formatInstant(
  when: InstantLike,
  zone: string,
  options: Intl.DateTimeFormatOptions,
): string {
  const text = formatterFor(zone, options).format(new Date(when));
  // Some platforms put a no-break space before AM and PM, others a normal one.
  return text.replace(/[\u202f\u00a0]/g, ' ');
}

/** A date as English text, in the order of the conventions. */
function formatDate(
  when: InstantLike,
  zone: string,
  options: Intl.DateTimeFormatOptions,
  { isDayFirst }: DateConventions,
): string {
  if (!isDayFirst) return formatInstant(when, zone, options);
  const parts = formatterFor(zone, options).formatToParts(new Date(when));
  const text = (name: string) => parts.find(({ type }) => type === name)?.value;
  const date = [text('day'), text('month'), text('year')].filter(Boolean).join(' ');
  return [text('weekday'), date].filter(Boolean).join(', ');
}

/** The end as people read it. The API's `end` is the last minute, included. */
export function toExclusiveEnd(end: InstantLike): Instant {
  return new Date(end).getTime() + MINUTE_MS;
}

const dateFormatters = new Map<string, Intl.DateTimeFormat>();

/** The date in the zone at an instant. */
export function localDateAt(zone: string, when: InstantLike): LocalDate {
  const formatter = remembered(
    dateFormatters,
    zone,
    () =>
      new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
        timeZone: zone,
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
      }),
  );
  // `formatToParts` takes several times as long.
  const [month, day, year] = formatter.format(new Date(when)).split('/');
  return `${year}-${month}-${day}`;
}

/** The wall-clock time, `HH:MM`, in the zone at an instant. */
export function wallTimeAt(zone: string, when: InstantLike): string {
  return formatInstant(when, zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

/** 'Tuesday, December 1', or 'Tuesday, 1 December' */
export function formatDay(date: LocalDate, conventions = US_CONVENTIONS): string {
  return formatDate(`${date}T00:00:00Z`, 'UTC', LONG_DAY, conventions);
}

/** 'Tuesday, December 1, 2026', or 'Tuesday, 1 December 2026' */
export function formatDayWithYear(
  when: InstantLike,
  zone: string,
  conventions = US_CONVENTIONS,
): string {
  return formatDate(when, zone, { ...LONG_DAY, year: 'numeric' }, conventions);
}

/** 'Tue, Dec 1, 2026' */
export function formatShortDay(when: InstantLike, zone: string): string {
  return formatInstant(when, zone, { ...SHORT_DAY, year: 'numeric' });
}

/** 'Tue, Dec 1, 2026, 10:00 AM' */
export function formatShortDateAndTime(when: InstantLike, zone: string): string {
  return `${formatShortDay(when, zone)}, ${formatTime(when, zone)}`;
}

/** 'Tue, Dec 1, 10:00 AM', or 'Tue, 1 Dec, 10:00' */
export function formatShortDayAndTime(
  when: InstantLike,
  zone: string,
  conventions = US_CONVENTIONS,
): string {
  const day = formatDate(when, zone, SHORT_DAY, conventions);
  return `${day}, ${formatTime(when, zone, conventions)}`;
}

/** '10:00 AM', or '10:00' */
export function formatTime(
  when: InstantLike,
  zone: string,
  { has12Hours }: DateConventions = US_CONVENTIONS,
): string {
  return has12Hours
    ? formatInstant(when, zone, { hour: 'numeric', minute: '2-digit' })
    : wallTimeAt(zone, when);
}

/**
 * '10:00 AM - 12:00 PM'. `end` is the last minute, included; the text shows one minute later
 * (specification, section 9). When the clocks change in between, both times carry the zone's
 * abbreviation, such as EDT and EST.
 */
export function formatTimeRange(
  start: InstantLike,
  end: InstantLike,
  zone: string,
  conventions = US_CONVENTIONS,
): string {
  const until = toExclusiveEnd(end);
  const clocksChange = zoneAbbreviation(start, zone) !== zoneAbbreviation(until, zone);
  const time = (when: InstantLike) =>
    formatTime(when, zone, conventions) + (clocksChange ? ` ${zoneAbbreviation(when, zone)}` : '');
  return `${time(start)} - ${time(until)}`;
}

/** 'Tuesday, December 1, 2026 at 10:00 AM (America/New_York, EST)', for readers in any zone. */
export function formatTimeWithZone(when: InstantLike, zone: string): string {
  const day = formatDayWithYear(when, zone);
  return `${day} at ${formatTime(when, zone)} ${formatZone(zone, when, when)}`;
}

/** '10:00 AM - 12:00 PM (America/New_York, EST)'. `end` is the last minute, included. */
export function formatTimeRangeWithZone(
  start: InstantLike,
  end: InstantLike,
  zone: string,
): string {
  const range = formatTimeRange(start, end, zone);
  return `${range} ${formatZone(zone, start, toExclusiveEnd(end))}`;
}

/** 'December 2026' */
export function formatMonth(month: YearMonth): string {
  return formatInstant(`${month}-01T00:00:00Z`, 'UTC', { month: 'long', year: 'numeric' });
}

/** Whether clocks in both zones show the same date and time at an instant. */
export function isSameWallTime(zone: string, other: string, when: InstantLike): boolean {
  const wallTime = (name: string) => `${localDateAt(name, when)} ${formatTime(when, name)}`;
  return wallTime(zone) === wallTime(other);
}

/** Without an abbreviation when `formatTimeRange` shows it already, or when it equals the name. */
function formatZone(zone: string, start: InstantLike, end: InstantLike): string {
  const abbreviation = zoneAbbreviation(start, zone);
  if (abbreviation === zone || abbreviation !== zoneAbbreviation(end, zone)) return `(${zone})`;
  return `(${zone}, ${abbreviation})`;
}

function zoneAbbreviation(when: InstantLike, zone: string): string {
  const options = { hour: 'numeric', timeZoneName: 'short' } as const;
  const parts = formatterFor(zone, options).formatToParts(new Date(when));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
