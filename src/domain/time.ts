/** An instant: milliseconds since 1970-01-01T00:00Z. */
export type Instant = number;
/** A calendar date, `YYYY-MM-DD`, in whatever zone the sentence around it names. */
export type LocalDate = string;
/** Minutes of wall-clock time since a date's 00:00; 1440 is the next date's 00:00. */
export type WallMinute = number;

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The UTC offset that holds in `[from, until)`, both instants. */
interface OffsetSpan {
  readonly from: Instant;
  readonly until: Instant;
  readonly offset: number;
}

/** When a wall-clock time happens on its date. */
export interface WallClockReading {
  /** Whether a change of clocks jumps over it. */
  readonly skipped: boolean;
  /** The first occurrence; for a skipped time the next minute that exists. */
  readonly instant: Instant;
}

/** Reads the wall-clock minutes of a date. */
export type WallClock = (minute: WallMinute) => WallClockReading;

const spansByZone = new Map<string, Map<number, readonly OffsetSpan[]>>();

/**
 * The offsets of a zone around a year of UTC, oldest first, with a month to spare on both sides.
 * Kept once worked out: asking the platform for an offset costs more than everything else here.
 */
function offsetSpans(zone: string, year: number): readonly OffsetSpan[] {
  const known = spansByZone.get(zone)?.get(year);
  if (known) return known;
  const spans = findOffsetSpans(zone, year);
  const years = spansByZone.get(zone) ?? new Map<number, readonly OffsetSpan[]>();
  spansByZone.set(zone, years.set(year, spans));
  return spans;
}

function findOffsetSpans(zone: string, year: number): OffsetSpan[] {
  const end = Date.UTC(year + 1, 1, 1);
  const spans: OffsetSpan[] = [];
  let from = Date.UTC(year - 1, 11, 1);
  let offset = askOffset(zone, from);
  for (let before = from; before < end; before += DAY) {
    const after = before + DAY;
    const next = askOffset(zone, after);
    if (next === offset) continue;
    const change = firstInstantWith(zone, next, before, after);
    spans.push({ from, until: change, offset });
    from = change;
    offset = next;
  }
  spans.push({ from, until: end, offset });
  return spans;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The UTC offset in force at an instant; no year is worked out for one alone. */
function offsetAt(zone: string, instant: Instant): number {
  const known = spansByZone.get(zone)?.get(new Date(instant).getUTCFullYear());
  const span = known?.find(({ from, until }) => from <= instant && instant < until);
  return span?.offset ?? askOffset(zone, instant);
}

/** The platform's answer: what a clock in the zone shows less what UTC does. */
function askOffset(zone: string, instant: Instant): number {
  const whole = Math.floor(instant / 1000) * 1000;
  const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of clockOf(zone).formatToParts(whole)) shown[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second) - whole;
}

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-US', {
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
  clocks.set(zone, clock);
  return clock;
}

function firstInstantWith(zone: string, offset: number, before: Instant, after: Instant): Instant {
  let without = before;
  let withIt = after;
  while (withIt - without > MINUTE) {
    const middle = without + Math.floor((withIt - without) / 2 / MINUTE) * MINUTE;
    if (askOffset(zone, middle) === offset) withIt = middle;
    else without = middle;
  }
  return withIt;
}

/** When a wall-clock minute of a date happens in an IANA zone (design, decision 9). */
export function readWallClock(zone: string, date: LocalDate, minute: WallMinute): WallClockReading {
  return wallClockOn(zone, date)(minute);
}

/** Reads one wall-clock minute of a date after the other, each as `readWallClock` does. */
export function wallClockOn(zone: string, date: LocalDate): WallClock {
  const midnight = midnightUtc(date);
  const spans = offsetSpans(zone, Number(date.slice(0, 4)));
  return (minute) => {
    for (const { from, until, offset } of spans) {
      const instant = midnight + minute * MINUTE - offset;
      if (instant < from) return { skipped: true, instant: from };
      if (instant < until) return { skipped: false, instant };
    }
    throw new RangeError(`${date} lies outside its own year`);
  };
}

/** The date that a wall calendar in the zone shows at an instant. */
export function dateAt(zone: string, instant: Instant): LocalDate {
  return isoDate(instant + offsetAt(zone, instant));
}

/** The time, `HH:MM`, that a clock in the zone shows at an instant. */
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

/** The date so many days later, or earlier when negative. */
export function addDays(date: LocalDate, days: number): LocalDate {
  return isoDate(midnightUtc(date) + days * DAY);
}

/** The dates from `first` to `last`, both included. */
export function datesBetween(first: LocalDate, last: LocalDate): LocalDate[] {
  const end = midnightUtc(last);
  const dates: LocalDate[] = [];
  for (let midnight = midnightUtc(first); midnight <= end; midnight += DAY)
    dates.push(isoDate(midnight));
  return dates;
}

/** The same day so many months later, or that month's last day. */
export function addMonths(date: LocalDate, months: number): LocalDate {
  const [year, month, day] = [date.slice(0, 4), date.slice(5, 7), date.slice(8, 10)].map(Number);
  const first = new Date(Date.UTC(year ?? 0, (month ?? 1) - 1 + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return isoDate(first.getTime() + (Math.min(day ?? 1, last) - 1) * DAY);
}

/** ISO weekday: 1 Monday to 7 Sunday. */
export function weekdayOf(date: LocalDate): number {
  return new Date(midnightUtc(date)).getUTCDay() || 7;
}

/** First and last date of a month; `month` counts from 1. */
export function monthDates(year: number, month: number): { first: LocalDate; last: LocalDate } {
  return { first: isoDate(Date.UTC(year, month - 1, 1)), last: isoDate(Date.UTC(year, month, 0)) };
}

/** `HH:MM`, up to `24:00`, as minutes since 00:00. */
export function wallMinute(time: string): WallMinute {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

/** RFC 3339 in UTC, without fractions: `2026-11-24T15:00:00Z`. */
export function rfc3339(instant: Instant): string {
  const moment = new Date(instant);
  const [hour, minute, second] = [
    moment.getUTCHours(),
    moment.getUTCMinutes(),
    moment.getUTCSeconds(),
  ];
  return `${dateOf(moment)}T${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}Z`;
}

function isoDate(instant: Instant): LocalDate {
  return dateOf(new Date(instant));
}

function dateOf(moment: Date): LocalDate {
  const year = moment.getUTCFullYear();
  // Only what no calendar of ours shows is left to the platform, which takes three times as long.
  if (!(year >= 1000 && year <= 9999)) return moment.toISOString().slice(0, 10);
  return `${year}-${twoDigits(moment.getUTCMonth() + 1)}-${twoDigits(moment.getUTCDate())}`;
}

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : `${number}`;
}
