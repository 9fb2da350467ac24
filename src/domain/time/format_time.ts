/**
 * Texts for dates and times, in English. The zone and the conventions never come from the machine, so that the
 * server and every browser render the same text. Without given conventions, those of the United States apply.
 */

import { remembered } from '../remembered.ts';
import type { LocalDate, YearMonth } from './calendar_date.ts';
import { type DateConventions, US_CONVENTIONS } from './date_conventions.ts';
import { type Instant, MINUTE_MS, parseWallTime } from './time.ts';
import { offsetMinutesAt, shiftToUtc, type Zone } from './zone_offsets.ts';

/** An instant, or its RFC 3339 text. */
export type InstantLike = string | Instant;

const LOCALE = 'en-US';
const LONG_DAY = { weekday: 'long', month: 'long', day: 'numeric' } as const;
const SHORT_DAY = { weekday: 'short', month: 'short', day: 'numeric' } as const;

// Cached, because creating a formatter takes longer than using it.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(zone: Zone, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const timeZone = platformZone(zone);
  return remembered(
    formatters,
    JSON.stringify([timeZone, options]),
    () => new Intl.DateTimeFormat(LOCALE, { ...options, timeZone }),
  );
}

/**
 * The zone for `Intl`: of a studio it is UTC, and `toPlatformTime` adds the studio's offset to the instant, since
 * the platform's own data of that zone may be old.
 */
function platformZone(zone: Zone): string {
  return typeof zone === 'string' ? zone : 'UTC';
}

/** The time that `Intl` formats in `platformZone`. */
function toPlatformTime(when: InstantLike, zone: Zone): Date {
  const time = new Date(when);
  return typeof zone === 'string' ? time : new Date(shiftToUtc(zone, time.getTime()));
}

function formatInstant(when: InstantLike, zone: Zone, options: Intl.DateTimeFormatOptions): string {
  const text = formatterFor(zone, options).format(toPlatformTime(when, zone));
  // Some platforms put a no-break space before AM and PM, others a normal one.
  return text.replace(/[\u202f\u00a0]/g, ' ');
}

/** A date as English text, in the order of the conventions. */
function formatDate(
  when: InstantLike,
  zone: Zone,
  options: Intl.DateTimeFormatOptions,
  { isDayFirst }: DateConventions,
): string {
  if (!isDayFirst) return formatInstant(when, zone, options);
  const parts = formatterFor(zone, options).formatToParts(toPlatformTime(when, zone));
  const text = (name: string) => parts.find(({ type }) => type === name)?.value;
  const date = [text('day'), text('month'), text('year')].filter(Boolean).join(' ');
  return [text('weekday'), date].filter(Boolean).join(', ');
}

/** The instant that people call the end: one minute after the API's `end`, which is the last minute, included. */
export function toExclusiveEnd(end: InstantLike): Instant {
  return new Date(end).getTime() + MINUTE_MS;
}

// Apart from `formatters`, with the zone as key, because a calendar formats thousands of dates.
const dateFormatters = new Map<string, Intl.DateTimeFormat>();

/** The date in the zone at an instant. */
export function localDateAt(zone: Zone, when: InstantLike): LocalDate {
  const timeZone = platformZone(zone);
  const formatter = remembered(
    dateFormatters,
    timeZone,
    () =>
      // `localDateAt` parses the text, so the locale names the calendar and the digits.
      new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
        timeZone,
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
      }),
  );
  // `formatToParts` takes several times as long.
  const [month, day, year] = formatter.format(toPlatformTime(when, zone)).split('/');
  return `${year}-${month}-${day}`;
}

/** The wall-clock time, `HH:MM`, in the zone at an instant. */
export function wallTimeAt(zone: Zone, when: InstantLike): string {
  return formatInstant(when, zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

/** 'Tuesday, December 1', or 'Tuesday, 1 December' */
export function formatDay(date: LocalDate, conventions = US_CONVENTIONS): string {
  return formatDate(`${date}T00:00:00Z`, 'UTC', LONG_DAY, conventions);
}

/** 'Tuesday, December 1, 2026', or 'Tuesday, 1 December 2026' */
export function formatDayWithYear(
  when: InstantLike,
  zone: Zone,
  conventions = US_CONVENTIONS,
): string {
  return formatDate(when, zone, { ...LONG_DAY, year: 'numeric' }, conventions);
}

/** 'December 1, 2026' */
export function formatLongDate(when: InstantLike, zone: Zone): string {
  return formatInstant(when, zone, { dateStyle: 'long' });
}

/** 'Tue, Dec 1, 2026' */
export function formatShortDay(when: InstantLike, zone: Zone): string {
  return formatInstant(when, zone, { ...SHORT_DAY, year: 'numeric' });
}

/** 'Tue, Dec 1, 2026, 10:00 AM' */
export function formatShortDateAndTime(when: InstantLike, zone: Zone): string {
  return `${formatShortDay(when, zone)}, ${formatTime(when, zone)}`;
}

/** 'Tue, Dec 1, 10:00 AM', or 'Tue, 1 Dec, 10:00' */
export function formatShortDayAndTime(
  when: InstantLike,
  zone: Zone,
  conventions = US_CONVENTIONS,
): string {
  const day = formatDate(when, zone, SHORT_DAY, conventions);
  return `${day}, ${formatTime(when, zone, conventions)}`;
}

/** '2:00 AM' for the wall-clock time `02:00`, `HH:MM` up to `24:00`. */
export function formatClockTime(time: string): string {
  return formatTime(parseWallTime(time) * MINUTE_MS, 'UTC');
}

/** '10:00 AM', or '10:00'; '3:00 PM UTC' for an instant that a studio's offsets do not cover */
export function formatTime(
  when: InstantLike,
  zone: Zone,
  { has12Hours }: DateConventions = US_CONVENTIONS,
): string {
  const time = has12Hours
    ? formatInstant(when, zone, { hour: 'numeric', minute: '2-digit' })
    : wallTimeAt(zone, when);
  return isCovered(when, zone) ? time : `${time} UTC`;
}

/** Whether the offset of an instant is known. The platform knows all of an IANA zone. */
function isCovered(when: InstantLike, zone: Zone): boolean {
  return typeof zone === 'string' || offsetMinutesAt(zone, new Date(when).getTime()) !== null;
}

/**
 * '10:00 AM - 12:00 PM'. `end` is the last minute, included; the text shows one minute later. When the clocks
 * change in between, both times have the zone's abbreviation, such as EDT and EST, or their offsets.
 */
export function formatTimeRange(
  start: InstantLike,
  end: InstantLike,
  zone: Zone,
  conventions = US_CONVENTIONS,
): string {
  const until = toExclusiveEnd(end);
  const clocksChange = zoneAbbreviation(start, zone) !== zoneAbbreviation(until, zone);
  const time = (when: InstantLike) =>
    formatTime(when, zone, conventions) + (clocksChange ? ` ${zoneAbbreviation(when, zone)}` : '');
  return `${time(start)} - ${time(until)}`;
}

/** 'December 2026' */
export function formatMonth(month: YearMonth): string {
  return formatInstant(`${month}-01T00:00:00Z`, 'UTC', { month: 'long', year: 'numeric' });
}

/** Whether clocks in both zones show the same date and time at an instant. */
export function isSameWallTime(zone: Zone, other: Zone, when: InstantLike): boolean {
  // `formatTime` adds `UTC` where the offset is not known: such a time is the same as no other.
  const wallTime = (one: Zone) => `${localDateAt(one, when)} ${formatTime(when, one)}`;
  return wallTime(zone) === wallTime(other);
}

/** 'EST' of an IANA name; 'GMT-5' of a studio's offsets, which have no abbreviations. */
export function zoneAbbreviation(when: InstantLike, zone: Zone): string {
  if (typeof zone !== 'string')
    return formatOffset(offsetMinutesAt(zone, new Date(when).getTime()) ?? 0);
  const options = { hour: 'numeric', timeZoneName: 'short' } as const;
  const parts = formatterFor(zone, options).formatToParts(new Date(when));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** 'GMT-5', 'GMT+5:30', or 'UTC' */
function formatOffset(offsetMinutes: number): string {
  if (offsetMinutes === 0) return 'UTC';
  const size = Math.abs(offsetMinutes);
  const minutes = size % 60 === 0 ? '' : `:${String(size % 60).padStart(2, '0')}`;
  return `GMT${offsetMinutes < 0 ? '-' : '+'}${Math.floor(size / 60)}${minutes}`;
}
