import type { Stretch } from './availability.ts';
import { type Schedule, windowsOn } from './schedule.ts';
import {
  addDays,
  dateAt,
  type Instant,
  type LocalDate,
  MINUTE,
  readWallClock,
  wallMinute,
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
export function readStudioTime(zone: string, { date, time, minutes }: StudioTime): Stretch | null {
  const { skipped, instant } = readWallClock(zone, date, wallMinute(time));
  return skipped ? null : { start: instant, end: instant + minutes * MINUTE };
}

/** A time as the artist would say it; `end` is excluded. */
export function studioTime(zone: string, { start, end }: Stretch): StudioTime {
  return {
    date: dateAt(zone, start),
    time: wallTimeAt(zone, start),
    minutes: Math.round((end - start) / MINUTE),
  };
}

const LOOKS_AHEAD_DAYS = 60;

/**
 * Where to begin when nothing is picked yet: the next clock hour in which the studio is open, or the
 * next one at all when it does not open within two months.
 */
export function nextOpenHour(
  schedule: Pick<Schedule, 'weekly' | 'exceptions'>,
  zone: string,
  now: Instant,
): Instant {
  const today = dateAt(zone, now);
  for (let ahead = 0; ahead <= LOOKS_AHEAD_DAYS; ahead += 1) {
    const date = addDays(today, ahead);
    for (const window of windowsOn(schedule, date)) {
      const end = readWallClock(zone, date, wallMinute(window.end)).instant;
      let start = readWallClock(zone, date, wallMinute(window.start)).instant;
      while (start <= now) start += 60 * MINUTE;
      if (start < end) return start;
    }
  }
  return (Math.floor(now / (60 * MINUTE)) + 1) * 60 * MINUTE;
}
