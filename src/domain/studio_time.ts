import type { TimeRange } from './availability.ts';
import { openingWindowsOn, type Schedule } from './schedule.ts';
import {
  addDays,
  type Instant,
  type LocalDate,
  localDateAt,
  MINUTE_MS,
  parseWallTime,
  resolveWallTime,
  wallTimeAt,
} from './time.ts';

/** A time as an artist says it: a day and a clock time in the studio's zone, and how long. */
export interface StudioTime {
  readonly date: LocalDate;
  /** `HH:MM` */
  readonly time: string;
  /** Elapsed minutes. */
  readonly minutes: number;
}

/** When that is, the end excluded; null for a clock time that a change of clocks skips. */
export function resolveStudioTime(
  zone: string,
  { date, time, minutes }: StudioTime,
): TimeRange | null {
  const { isSkipped: skipped, instant } = resolveWallTime(zone, date, parseWallTime(time));
  return skipped ? null : { start: instant, end: instant + minutes * MINUTE_MS };
}

/** A time as the artist would say it; `end` is excluded. */
export function toStudioTime(zone: string, { start, end }: TimeRange): StudioTime {
  return {
    date: localDateAt(zone, start),
    time: wallTimeAt(zone, start),
    minutes: Math.round((end - start) / MINUTE_MS),
  };
}

const MAX_DAYS_AHEAD = 60;

/**
 * Where to begin when nothing is picked yet: the next clock hour in which the studio is open, or the
 * next one at all when it does not open within two months.
 */
export function nextOpenHour(
  schedule: Pick<Schedule, 'weekly' | 'exceptions'>,
  zone: string,
  now: Instant,
): Instant {
  const today = localDateAt(zone, now);
  for (let ahead = 0; ahead <= MAX_DAYS_AHEAD; ahead += 1) {
    const date = addDays(today, ahead);
    for (const window of openingWindowsOn(schedule, date)) {
      const end = resolveWallTime(zone, date, parseWallTime(window.end)).instant;
      let start = resolveWallTime(zone, date, parseWallTime(window.start)).instant;
      while (start <= now) start += 60 * MINUTE_MS;
      if (start < end) return start;
    }
  }
  return (Math.floor(now / (60 * MINUTE_MS)) + 1) * 60 * MINUTE_MS;
}
