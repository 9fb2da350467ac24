/** An instant: milliseconds since 1970-01-01T00:00Z. */
export type Instant = number;
/** A calendar date, `YYYY-MM-DD`, in whatever zone the sentence around it names. */
export type LocalDate = string;
/** Minutes of wall-clock time since a date's 00:00; 1440 is the next date's 00:00. */
export type WallMinute = number;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The UTC offset that holds in `[from, until)`, both instants. */
interface OffsetPeriod {
  readonly from: Instant;
  readonly until: Instant;
  readonly offset: number;
}

/** When a wall-clock time happens on its date. */
export interface ResolvedWallTime {
  /** Whether a change of clocks jumps over it. */
  readonly isSkipped: boolean;
  /** The first occurrence; for a skipped time the next minute that exists. */
  readonly instant: Instant;
}

/** Reads the wall-clock minutes of a date. */
export type WallTimeResolver = (minute: WallMinute) => ResolvedWallTime;

const offsetPeriodsByZone = new Map<string, Map<number, readonly OffsetPeriod[]>>();

/**
 * The offsets of a zone around a year of UTC, oldest first, with a month to spare on both sides.
 * Kept once worked out: asking the platform for an offset costs more than everything else here.
 */
function offsetPeriods(zone: string, year: number): readonly OffsetPeriod[] {
  const known = offsetPeriodsByZone.get(zone)?.get(year);
  if (known) return known;
  const spans = computeOffsetPeriods(zone, year);
  const years = offsetPeriodsByZone.get(zone) ?? new Map<number, readonly OffsetPeriod[]>();
  offsetPeriodsByZone.set(zone, years.set(year, spans));
  return spans;
}

function computeOffsetPeriods(zone: string, year: number): OffsetPeriod[] {
  const end = Date.UTC(year + 1, 1, 1);
  const spans: OffsetPeriod[] = [];
  let from = Date.UTC(year - 1, 11, 1);
  let offset = computeOffset(zone, from);
  for (let before = from; before < end; before += DAY_MS) {
    const after = before + DAY_MS;
    const next = computeOffset(zone, after);
    if (next === offset) continue;
    const change = findOffsetChange(zone, next, before, after);
    spans.push({ from, until: change, offset });
    from = change;
    offset = next;
  }
  spans.push({ from, until: end, offset });
  return spans;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** The UTC offset in force at an instant; no year is worked out for one alone. */
function offsetAt(zone: string, instant: Instant): number {
  const known = offsetPeriodsByZone.get(zone)?.get(new Date(instant).getUTCFullYear());
  const span = known?.find(({ from, until }) => from <= instant && instant < until);
  return span?.offset ?? computeOffset(zone, instant);
}

/** The platform's answer: what a clock in the zone shows less what UTC does. */
function computeOffset(zone: string, instant: Instant): number {
  const whole = Math.floor(instant / 1000) * 1000;
  const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatterFor(zone).formatToParts(whole))
    shown[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second) - whole;
}

function formatterFor(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
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
  formatters.set(zone, clock);
  return clock;
}

function findOffsetChange(zone: string, offset: number, before: Instant, after: Instant): Instant {
  let without = before;
  let withIt = after;
  while (withIt - without > MINUTE_MS) {
    const middle = without + Math.floor((withIt - without) / 2 / MINUTE_MS) * MINUTE_MS;
    if (computeOffset(zone, middle) === offset) withIt = middle;
    else without = middle;
  }
  return withIt;
}

/** When a wall-clock minute of a date happens in an IANA zone (design, decision 9). */
export function resolveWallTime(
  zone: string,
  date: LocalDate,
  minute: WallMinute,
): ResolvedWallTime {
  return createWallTimeResolver(zone, date)(minute);
}

/** Reads one wall-clock minute of a date after the other, each as `resolveWallTime` does. */
export function createWallTimeResolver(zone: string, date: LocalDate): WallTimeResolver {
  const midnight = midnightUtc(date);
  const spans = offsetPeriods(zone, Number(date.slice(0, 4)));
  return (minute) => {
    for (const { from, until, offset } of spans) {
      const instant = midnight + minute * MINUTE_MS - offset;
      if (instant < from) return { isSkipped: true, instant: from };
      if (instant < until) return { isSkipped: false, instant };
    }
    throw new RangeError(`${date} lies outside its own year`);
  };
}

/** The date that a wall calendar in the zone shows at an instant. */
export function localDateAt(zone: string, instant: Instant): LocalDate {
  return toLocalDate(instant + offsetAt(zone, instant));
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

/** The same day so many months later, or that month's last day. */
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

/** First and last date of a month; `month` counts from 1. */
export function monthBounds(year: number, month: number): { first: LocalDate; last: LocalDate } {
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
  const moment = new Date(instant);
  const [hour, minute, second] = [
    moment.getUTCHours(),
    moment.getUTCMinutes(),
    moment.getUTCSeconds(),
  ];
  return `${toDateText(moment)}T${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}Z`;
}

function toLocalDate(instant: Instant): LocalDate {
  return toDateText(new Date(instant));
}

function toDateText(moment: Date): LocalDate {
  const year = moment.getUTCFullYear();
  // Only what no calendar of ours shows is left to the platform, which takes three times as long.
  if (!(year >= 1000 && year <= 9999)) return moment.toISOString().slice(0, 10);
  return `${year}-${twoDigits(moment.getUTCMonth() + 1)}-${twoDigits(moment.getUTCDate())}`;
}

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : `${number}`;
}
