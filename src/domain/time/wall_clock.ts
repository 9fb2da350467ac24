/**
 * The instants of wall-clock times in a zone, for dates from 2000 to 2199. The opposite direction is in
 * `format_time.ts`.
 */
import { zoneOffsetAt } from '#domain/time/zone_data.ts';
import { remembered } from '../remembered.ts';
import { type LocalDate, midnightUtc } from './calendar_date.ts';
import { DAY_MS, type Instant, MINUTE_MS, toRfc3339, type WallMinute } from './time.ts';
import type { StudioZone, Zone, ZoneOffset } from './zone_offsets.ts';

interface ResolvedTime {
  /** Whether a change of clocks skips this wall-clock time. */
  readonly isSkipped: boolean;
  /** The first occurrence; for a skipped time the next minute that exists. */
  readonly instant: Instant;
}

/** Finds the instant of a wall-clock minute, on the date for which the function was created. */
export type WallTimeResolver = (minute: WallMinute) => ResolvedTime;

/** The instant of a wall-clock minute of a date in a zone. */
export function resolveWallTime(zone: Zone, date: LocalDate, minute: WallMinute): ResolvedTime {
  return createWallTimeResolver(zone, date)(minute);
}

/**
 * Like `resolveWallTime`, but faster for many minutes of one date. On a date that the offsets of a studio
 * do not cover (`coversDate`), the nearest offset counts.
 */
export function createWallTimeResolver(zone: Zone, date: LocalDate): WallTimeResolver {
  const midnight = midnightUtc(date);
  const periods =
    typeof zone === 'string' ? offsetPeriods(zone, Number(date.slice(0, 4))) : givenPeriods(zone);
  return (minute) => {
    const wallTimeInUtc = midnight + minute * MINUTE_MS;
    for (const { from, until, offset } of periods) {
      const instant = wallTimeInUtc - offset;
      // After the end of the period before, and before this one begins: clocks skip it.
      if (instant < from) return { isSkipped: true, instant: from };
      if (instant < until) return { isSkipped: false, instant };
    }
    // The last period has no end, so only an invalid date or minute comes here.
    throw new RangeError(`${date} lies outside its own year`);
  };
}

/**
 * The offsets of an IANA zone from `start` to `end`, both included, for browsers. The last one begins at
 * `end`, without a change of clocks, so that browsers know where it is.
 */
export function listZoneOffsets(zone: string, start: Instant, end: Instant): ZoneOffset[] {
  const firstYear = utcYear(start);
  const years = Array.from({ length: utcYear(end) - firstYear + 1 }, (_, n) => firstYear + n);
  const changes = years.flatMap((year) =>
    offsetPeriods(zone, year).filter(
      // The periods of a year also cover a month before and after it: take each change of clocks once.
      ({ from }) => utcYear(from) === year && from > start && from <= end,
    ),
  );
  const atStart = offsetPeriods(zone, firstYear).findLast(({ from }) => from <= start);
  const offsets = [{ offset: atStart?.offset ?? 0, from: start }, ...changes];
  const last = offsets.at(-1);
  if (last && last.from < end) offsets.push({ offset: last.offset, from: end });
  return offsets.map(({ offset, from }) => ({
    from: toRfc3339(from),
    minutes: offset / MINUTE_MS,
  }));
}

function utcYear(instant: Instant): number {
  return new Date(instant).getUTCFullYear();
}

/** The UTC offset in milliseconds from `from`, included, to `until`, excluded. */
interface OffsetPeriod {
  readonly from: Instant;
  readonly until: Instant;
  readonly offset: number;
}

// Cached, because computing a year's periods takes longer than computing the free times of fifty months.
const periodsByZoneAndYear = new Map<string, readonly OffsetPeriod[]>();

/** The periods of an IANA zone in a UTC year and one month before and after it, oldest first. */
function offsetPeriods(zone: string, year: number): readonly OffsetPeriod[] {
  return remembered(periodsByZoneAndYear, `${zone} ${year}`, () =>
    computeOffsetPeriods(zone, year),
  );
}

const givenPeriodsByOffsets = new WeakMap<readonly ZoneOffset[], readonly OffsetPeriod[]>();

/** The periods of the offsets that the API sent. The first and the last one go on for ever. */
function givenPeriods({ offsets }: StudioZone): readonly OffsetPeriod[] {
  const known = givenPeriodsByOffsets.get(offsets);
  if (known) return known;
  const periods = offsets.map(({ from, minutes }, index) => ({
    from: index === 0 ? Number.NEGATIVE_INFINITY : Date.parse(from),
    // Of the last period, `Date.parse` makes NaN.
    until: Date.parse(offsets[index + 1]?.from ?? '') || Number.POSITIVE_INFINITY,
    offset: minutes * MINUTE_MS,
  }));
  givenPeriodsByOffsets.set(offsets, periods);
  return periods;
}

/** Less than the time between any two changes of a zone: about a week, in Gaza in 2040. */
const STEP_MS = 3 * DAY_MS;

function computeOffsetPeriods(zone: string, year: number): OffsetPeriod[] {
  // Months count from 0: from 1 December before the year to 1 February after it.
  let from = Date.UTC(year - 1, 11, 1);
  const end = Date.UTC(year + 1, 1, 1);
  const periods: OffsetPeriod[] = [];
  let offset = zoneOffsetAt(zone, from);
  for (let time = from; time < end; time += STEP_MS) {
    const next = zoneOffsetAt(zone, time + STEP_MS);
    if (next === offset) continue;
    const until = findOffsetChange(zone, next, time, time + STEP_MS);
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
    if (zoneOffsetAt(zone, middle) === offset) after = middle;
    else before = middle;
  }
  return after;
}
