/** Warns artists about conflicts while they choose a time for an appointment. */

import type { LocalDate } from '../time/calendar_date.ts';
import { type Instant, MINUTE_MS } from '../time/time.ts';
import type { Zone } from '../time/zone_offsets.ts';
import { type BufferedTime, computeFreeTimeRanges, type TimeRange } from './availability.ts';
import { filterOutsideHours } from './availability_preview.ts';
import type { Schedule } from './schedule.ts';

interface BusyCalendar<T extends BufferedTime> {
  readonly zone: Zone;
  readonly schedule: Schedule;
  /**
   * The times of existing appointments, in any order. Their buffers may have another length than that of the
   * schedule.
   */
  readonly busyTimes: readonly T[];
}

/** Artists may book outside the opening hours, but not with an overlap. */
export interface TimeConflicts<T extends BufferedTime> {
  readonly overlaps: readonly T[];
  /** Appointments that overlap only because of a buffer. */
  readonly bufferOverlaps: readonly T[];
  readonly isOutsideHours: boolean;
}

/** The conflicts of a time, which gets the buffer of the current schedule. */
export function detectConflicts<T extends BufferedTime>(
  { zone, schedule, busyTimes }: BusyCalendar<T>,
  wanted: TimeRange,
): TimeConflicts<T> {
  const blockedUntil = wanted.end + schedule.buffer_minutes * MINUTE_MS;
  const isOutsideHours = filterOutsideHours(schedule, zone, [wanted]).length > 0;
  return { ...findOverlaps(busyTimes, { ...wanted, blockedUntil }), isOutsideHours };
}

/** The times that overlap the wanted one, and those that do only because of a buffer of either. */
export function findOverlaps<T extends BufferedTime>(
  busyTimes: readonly T[],
  wanted: BufferedTime,
): Pick<TimeConflicts<T>, 'overlaps' | 'bufferOverlaps'> {
  const overlaps = busyTimes.filter(({ start, end }) => start < wanted.end && wanted.start < end);
  const bufferOverlaps = busyTimes.filter(
    (busy) =>
      !overlaps.includes(busy) &&
      busy.start < wanted.blockedUntil &&
      wanted.start < busy.blockedUntil,
  );
  return { overlaps, bufferOverlaps };
}

/**
 * The free time ranges in the opening hours of a date, from `now` on. They end where the buffer of the
 * current schedule before the next appointment begins: `detectConflicts` finds none in them.
 */
export function computeFreeTimesOn<T extends BufferedTime>(
  { zone, schedule, busyTimes }: BusyCalendar<T>,
  date: LocalDate,
  now: Instant,
): readonly TimeRange[] {
  const bufferMs = schedule.buffer_minutes * MINUTE_MS;
  const blocked = busyTimes
    .map(({ start, blockedUntil }) => ({ start: start - bufferMs, end: blockedUntil }))
    .toSorted((a, b) => a.start - b.start);
  // The minimum notice and the booking range apply to clients only.
  const withoutNotice = { ...schedule, minimum_notice_minutes: 0 };
  const bookingRange = { kind: 'open' } as const;
  const calendar = { zone, schedule: withoutNotice, bookingRange, blocked };
  return computeFreeTimeRanges(calendar, { first: date, last: date }, now)[0]?.times ?? [];
}
