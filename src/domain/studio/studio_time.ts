/** Times on the studio's clock: as artists enter them, and as clocks of other zones show them. */
import type { TimeRange } from '../booking/availability.ts';
import { type OpeningHours, openingWindowsOn } from '../booking/schedule.ts';
import {
  addDays,
  addMonths,
  type LocalDate,
  midnightUtc,
  toYearMonth,
} from '../time/calendar_date.ts';
import { localDateAt, wallTimeAt } from '../time/format_time.ts';
import { HOUR_MS, type Instant, MINUTE_MS, parseWallTime, toRfc3339 } from '../time/time.ts';
import { listZoneOffsets, resolveWallTime } from '../time/wall_clock.ts';
import { coversDate, type StudioZone, type Zone, type ZoneOffset } from '../time/zone_offsets.ts';

/** A time range as artists enter it: date and wall-clock time in the studio's zone, and a length. */
export interface StudioTime {
  readonly date: LocalDate;
  /** `HH:MM` */
  readonly time: string;
  /** Elapsed minutes. */
  readonly minutes: number;
}

/** The instants of a time range; null for a wall-clock time that a change of clocks skips. */
export function resolveStudioTime(zone: Zone, local: StudioTime): TimeRange | null {
  const minute = parseWallTime(local.time);
  const { isSkipped, instant: start } = resolveWallTime(zone, local.date, minute);
  return isSkipped ? null : { start, end: start + local.minutes * MINUTE_MS };
}

/** A time range as artists enter it, in whole minutes. */
export function toStudioTime(zone: Zone, { start, end }: TimeRange): StudioTime {
  return {
    date: localDateAt(zone, start),
    time: wallTimeAt(zone, start),
    minutes: Math.round((end - start) / MINUTE_MS),
  };
}

/**
 * The instant at which clocks in another zone show the date and time that they show in `from` at
 * `instant`. A time that a change of clocks skips becomes the next minute that exists.
 */
export function sameClockTime(instant: Instant, from: Zone, to: Zone): Instant {
  const minute = parseWallTime(wallTimeAt(from, instant));
  const { instant: start } = resolveWallTime(to, localDateAt(from, instant), minute);
  return start + (instant % MINUTE_MS);
}

/**
 * The instant at which clocks in UTC show the date and time that the studio's show at `instant`. It is for
 * libraries that know no time zones. Where clocks go back, two instants become the same one.
 */
export function toWallInstant(zone: Zone, instant: Instant): Instant {
  const minute = parseWallTime(wallTimeAt(zone, instant));
  return midnightUtc(localDateAt(zone, instant)) + minute * MINUTE_MS + (instant % MINUTE_MS);
}

/** A minute as an artist sends it: an instant (RFC 3339), or a time on the studio's clock (`local`). */
type StudioMinute = string | { local: string };

/**
 * A time as an artist sends it; `end` is the last minute, included. Both are times on the studio's clock, which
 * the server knows for all dates. Only an end that the clock shows for the second time is an instant.
 */
export function toStudioMinutes(
  zone: StudioZone,
  time: StudioTime,
): { start: StudioMinute; end: StudioMinute } {
  const wall = midnightUtc(time.date) + parseWallTime(time.time) * MINUTE_MS;
  const length = (time.minutes - 1) * MINUTE_MS;
  const range = coversDate(zone, time.date) ? resolveStudioTime(zone, time) : null;
  return {
    start: toLocalMinute(wall),
    // Without offsets, a browser does not know whether the clocks change in between.
    end: range === null ? toLocalMinute(wall + length) : toMinute(zone, range.start + length),
  };
}

/** A time on the clock, or the instant if the clock shows this time for the second time. */
function toMinute(zone: StudioZone, instant: Instant): StudioMinute {
  const { date, time } = toStudioTime(zone, { start: instant, end: instant });
  const { instant: first } = resolveWallTime(zone, date, parseWallTime(time));
  return first === instant ? toLocalMinute(toWallInstant(zone, instant)) : toRfc3339(instant);
}

function toLocalMinute(wall: Instant): StudioMinute {
  return { local: toRfc3339(wall).slice(0, 16) };
}

/** How many months after the present one an artist's offsets cover: clients book 24 months ahead. */
const MONTHS_COVERED = 25;

interface OffsetsRange extends TimeRange {
  /** When the next month of the studio begins, and with it another range. */
  readonly isNewAt: Instant;
  /** Those of the zone in this range. Many answers have this list: nobody may change it. */
  readonly offsets: ZoneOffset[];
}

/** The latest range of each zone. */
const latestRanges = new Map<string, OffsetsRange>();

/** The time that an artist's offsets cover: the present month of the studio and those after it. */
export function offsetsRange(zone: string, now: Instant): OffsetsRange {
  const latest = latestRanges.get(zone);
  if (latest && latest.start <= now && now < latest.isNewAt) return latest;
  const month = `${toYearMonth(localDateAt(zone, now))}-01`;
  const startOf = (later: number) => resolveWallTime(zone, addMonths(month, later), 0).instant;
  const [start, end] = [startOf(0), startOf(MONTHS_COVERED + 1)];
  const range = { start, end, isNewAt: startOf(1), offsets: listZoneOffsets(zone, start, end) };
  latestRanges.set(zone, range);
  return range;
}

const MAX_DAYS_AHEAD = 60;
/** The clock time to suggest on a day without opening hours. */
export const START_ON_CLOSED_DAY = '10:00';

/**
 * The start to suggest before the artist chooses one: a whole number of hours after the start of an
 * opening window. The next `START_ON_CLOSED_DAY` when the studio stays closed for `MAX_DAYS_AHEAD`.
 */
export function nextOpenHour(hours: OpeningHours, zone: Zone, now: Instant): Instant {
  const today = localDateAt(zone, now);
  for (let ahead = 0; ahead <= MAX_DAYS_AHEAD; ahead += 1) {
    const date = addDays(today, ahead);
    for (const window of openingWindowsOn(hours, date)) {
      const end = resolveWallTime(zone, date, parseWallTime(window.end)).instant;
      let start = resolveWallTime(zone, date, parseWallTime(window.start)).instant;
      while (start <= now) start += HOUR_MS;
      if (start < end) return start;
    }
  }
  const usualStart = (date: LocalDate) =>
    resolveWallTime(zone, date, parseWallTime(START_ON_CLOSED_DAY)).instant;
  return usualStart(today) > now ? usualStart(today) : usualStart(addDays(today, 1));
}

/** Whether this is a date of the calendar, `YYYY-MM-DD`, from 2000 to 2199, the years that the API accepts. */
export function isDate(typed: string): boolean {
  // `Date.parse` takes February 31 for March 3.
  const isParsed = /^2[01]\d\d-\d\d-\d\d$/.test(typed) && !Number.isNaN(Date.parse(typed));
  return isParsed && addDays(typed, 0) === typed;
}
