/**
 * The instants of wall-clock times in an IANA zone, for dates from 2000 to 2199. In browsers this
 * file brings 7 KB of date-fns-tz, so public pages use only the opposite direction: `localDateAt`
 * and `wallTimeAt` in `format_time.ts`.
 */
import { formatInTimeZone } from 'date-fns-tz/formatInTimeZone';
import { type LocalDate, midnightUtc } from './calendar_date.ts';
import { DAY_MS, type Instant, MINUTE_MS, parseWallTime, type WallMinute } from './time.ts';

/** The instant of a wall-clock time on a date. */
export interface ResolvedTime {
  /** Whether a change of clocks skips this wall-clock time. */
  readonly isSkipped: boolean;
  /** The first occurrence; for a skipped time the next minute that exists. */
  readonly instant: Instant;
}

export type WallTimeResolver = (minute: WallMinute) => ResolvedTime;

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

/** The UTC offset in milliseconds from `from`, included, to `until`, excluded. */
interface OffsetPeriod {
  readonly from: Instant;
  readonly until: Instant;
  readonly offset: number;
}

// Cached by zone and year: computing a year takes longer than fifty months of slots.
const offsetPeriodsByZone = new Map<string, Map<number, readonly OffsetPeriod[]>>();

function offsetPeriods(zone: string, year: number): readonly OffsetPeriod[] {
  const cached = offsetPeriodsByZone.get(zone)?.get(year);
  if (cached) return cached;
  const periods = computeOffsetPeriods(zone, year);
  const years = offsetPeriodsByZone.get(zone) ?? new Map<number, readonly OffsetPeriod[]>();
  offsetPeriodsByZone.set(zone, years.set(year, periods));
  return periods;
}

/** Less than the time between any two changes of a zone: about a week, in Gaza in 2040. */
const STEP_MS = 3 * DAY_MS;

/** The offsets of a zone in a UTC year and one month before and after it, oldest first. */
function computeOffsetPeriods(zone: string, year: number): OffsetPeriod[] {
  const end = Date.UTC(year + 1, 1, 1);
  const periods: OffsetPeriod[] = [];
  let from = Date.UTC(year - 1, 11, 1);
  let offset = offsetAt(zone, from);
  for (let before = from; before < end; before += STEP_MS) {
    const next = offsetAt(zone, before + STEP_MS);
    if (next === offset) continue;
    const until = findOffsetChange(zone, next, before, before + STEP_MS);
    periods.push({ from, until, offset });
    from = until;
    offset = next;
  }
  return [...periods, { from, until: Number.POSITIVE_INFINITY, offset }];
}

/** Binary search for the minute, after `from` and up to `until`, in which `offset` begins. */
function findOffsetChange(zone: string, offset: number, from: Instant, until: Instant): Instant {
  let before = from;
  let after = until;
  while (after - before > MINUTE_MS) {
    const middle = before + Math.floor((after - before) / 2 / MINUTE_MS) * MINUTE_MS;
    if (offsetAt(zone, middle) === offset) after = middle;
    else before = middle;
  }
  return after;
}

/** The UTC offset at an instant, in milliseconds; without the seconds that it had before 1972. */
function offsetAt(zone: string, instant: Instant): number {
  // Not `getTimezoneOffset`: it takes a time of the machine's zone, not an instant.
  const offset = formatInTimeZone(instant, zone, 'xxx');
  const size = parseWallTime(offset.slice(1)) * MINUTE_MS;
  return offset.startsWith('-') ? -size : size;
}
