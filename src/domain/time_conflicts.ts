import { computeFreeTimeRanges, type TimeRange } from './availability.ts';
import { openTimeRanges } from './availability_preview.ts';
import type { Schedule } from './schedule.ts';
import { addDays, type Instant, type LocalDate, MINUTE_MS } from './time.ts';

/** Time that is taken; `end` is excluded. */
export interface BusyTime extends TimeRange {
  /** With the buffer that it was booked with; excluded. */
  readonly blockedUntil: Instant;
}

/** What an artist looks at before they pick a time. */
export interface BusyCalendar<T extends BusyTime> {
  readonly zone: string;
  readonly schedule: Schedule;
  /** What keeps its time, in any order. */
  readonly busyTimes: readonly T[];
}

/** What speaks against a time. Opening hours do not bind the artist, an overlap does. */
export interface TimeConflicts<T extends BusyTime> {
  readonly overlaps: readonly T[];
  /** Of these only the buffer is in the way. */
  readonly bufferOverlaps: readonly T[];
  readonly isOutsideHours: boolean;
}

/**
 * What speaks against picking a time on a date. What is picked gets the buffer that the artist has
 * now; what is taken keeps the one that it was booked with.
 */
export function detectConflicts<T extends BusyTime>(
  plan: BusyCalendar<T>,
  date: LocalDate,
  wanted: TimeRange,
) {
  const buffer = plan.schedule.buffer_minutes * MINUTE_MS;
  const overlaps = plan.busyTimes.filter(
    ({ start, end }) => start < wanted.end && wanted.start < end,
  );
  const tooClose = plan.busyTimes.filter(
    (one) =>
      !overlaps.includes(one) && one.start < wanted.end + buffer && wanted.start < one.blockedUntil,
  );
  // Work may run past midnight.
  const openAround = openTimeRanges(plan.schedule, plan.zone, addDays(date, -1), addDays(date, 1));
  const conflicts: TimeConflicts<T> = {
    overlaps,
    bufferOverlaps: tooClose,
    isOutsideHours: !isCovered(openAround, wanted),
  };
  return conflicts;
}

/** What is still free in the opening hours of a date, from `now` on. */
export function computeFreeTimesOn<T extends BusyTime>(
  { zone, schedule, busyTimes: taken }: BusyCalendar<T>,
  date: LocalDate,
  now: Instant,
): readonly TimeRange[] {
  const blocked = taken
    .map(({ start, blockedUntil }) => ({ start, end: blockedUntil }))
    .toSorted((a, b) => a.start - b.start);
  // Neither notice nor booking range bind the artist.
  const free = { ...schedule, minimum_notice_minutes: 0 };
  const calendar = { zone, schedule: free, bookingRange: { kind: 'open' }, blocked } as const;
  return computeFreeTimeRanges(calendar, date, date, now)[0]?.times ?? [];
}

function isCovered(open: readonly TimeRange[], wanted: TimeRange): boolean {
  return open.some(({ start, end }) => start <= wanted.start && end >= wanted.end);
}
