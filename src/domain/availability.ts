import type { BookingRange } from './booking_range.ts';
import { bookableDates, earlierDate, laterDate } from './booking_range.ts';
import type { OpeningMinutes, Schedule } from './schedule.ts';
import { createOpeningMinutesLookup } from './schedule.ts';
import type { Instant, LocalDate, WallTimeResolver } from './time.ts';
import {
  addDays,
  createWallTimeResolver,
  datesBetween,
  localDateAt,
  MINUTE_MS,
  resolveWallTime,
} from './time.ts';

/** Time from `start`, included, to `end`, excluded. */
export interface TimeRange {
  readonly start: Instant;
  readonly end: Instant;
}

/** What is free on one date of the studio. */
export interface FreeDay {
  readonly date: LocalDate;
  readonly times: readonly TimeRange[];
}

/** All that decides when an artist can be booked. */
export interface Calendar {
  readonly zone: string;
  readonly schedule: Schedule;
  readonly bookingRange: BookingRange;
  /** What the artist's appointments block, buffers included: in order of start, none overlapping. */
  readonly blocked: readonly TimeRange[];
}

/**
 * The slots of a service on the dates `first` to `last`, both included and in the studio's zone;
 * only dates with a slot, in order (contract, Availability; design, decision 9).
 *
 * A slot begins on the window's wall-clock grid and lasts `duration` minutes of elapsed time. It
 * ends by its window's end; the buffer after it may run past that, but not into a booked stretch.
 */
export function computeSlots(
  calendar: Calendar,
  duration: number,
  first: LocalDate,
  last: LocalDate,
  now: Instant,
): FreeDay[] {
  const { schedule, blocked } = calendar;
  const earliest = now + schedule.minimum_notice_minutes * MINUTE_MS;
  const length = duration * MINUTE_MS;
  const kept = length + schedule.buffer_minutes * MINUTE_MS;
  let ahead = 0;
  return collectFreeDays(calendar, first, last, now, (clock, window) => {
    const closes = clock(window.closes).instant;
    const slots: TimeRange[] = [];
    let minute = window.opens;
    for (; minute < window.closes; minute += schedule.slot_interval_minutes) {
      const { isSkipped: skipped, instant: start } = clock(minute);
      if (start + length > closes) break;
      if (skipped || start < earliest) continue;
      ahead = indexOfFirstEndingAfter(blocked, start, ahead);
      const next = blocked[ahead];
      if (next !== undefined && next.start < start + kept) continue;
      slots.push({ start, end: start + length });
    }
    return slots;
  });
}

/**
 * The free stretches on the dates `first` to `last`: open hours less what is blocked, from now plus
 * the notice on, cut to whole minutes. Windows that touch are not merged.
 */
export function computeFreeTimeRanges(
  calendar: Calendar,
  first: LocalDate,
  last: LocalDate,
  now: Instant,
): FreeDay[] {
  const { schedule, blocked } = calendar;
  const earliest = ceilToMinute(now + schedule.minimum_notice_minutes * MINUTE_MS);
  let ahead = 0;
  return collectFreeDays(calendar, first, last, now, (clock, window) => {
    const opens = clock(window.opens).instant;
    const closes = clock(window.closes).instant;
    const free: TimeRange[] = [];
    let start = Math.max(opens, earliest);
    ahead = indexOfFirstEndingAfter(blocked, start, ahead);
    for (let index = ahead; start < closes; index += 1) {
      const next = blocked[index];
      const end = next === undefined ? closes : Math.min(next.start, closes);
      if (end - start >= MINUTE_MS) free.push({ start, end });
      if (next === undefined) break;
      start = Math.max(start, ceilToMinute(next.end));
    }
    return free;
  });
}

/** Whether a service of `duration` minutes is listed at exactly this start. */
export function isAvailableSlot(
  calendar: Calendar,
  duration: number,
  start: Instant,
  now: Instant,
): boolean {
  const date = localDateAt(calendar.zone, start);
  return computeSlots(calendar, duration, date, date, now).some((day) =>
    day.times.some((slot) => slot.start === start),
  );
}

/**
 * Until when, excluded, what was listed at `now` stays as it is by itself: the next lapse, the
 * first listed start coming nearer than the notice, or the studio's midnight (design, decision 5).
 * @param lapses when holds and offers lapse that block time now
 */
export function slotsValidUntil(
  { zone, schedule }: Pick<Calendar, 'zone' | 'schedule'>,
  listed: readonly FreeDay[],
  lapses: readonly Instant[],
  now: Instant,
): Instant {
  const midnight = resolveWallTime(zone, addDays(localDateAt(zone, now), 1), 0).instant;
  const first = listed[0]?.times[0]?.start ?? Number.POSITIVE_INFINITY;
  return Math.min(midnight, first - schedule.minimum_notice_minutes * MINUTE_MS, ...lapses);
}

/**
 * The time that appointments must be known for, to list `first` to `last`: a day to spare on both
 * sides covers every zone, a slot that runs past its date and the buffer after it.
 */
export function requiredCalendarRange(
  first: LocalDate,
  last: LocalDate,
  bufferMinutes: number,
): TimeRange {
  const from = Date.parse(`${addDays(first, -2)}T00:00:00Z`);
  const until = Date.parse(`${addDays(last, 3)}T00:00:00Z`);
  return { start: from, end: until + bufferMinutes * MINUTE_MS };
}

function collectFreeDays(
  { zone, schedule, bookingRange }: Calendar,
  first: LocalDate,
  last: LocalDate,
  now: Instant,
  freeIn: (clock: WallTimeResolver, window: OpeningMinutes) => TimeRange[],
): FreeDay[] {
  const bookable = bookableDates(bookingRange, zone, now);
  const windowsOf = createOpeningMinutesLookup(schedule);
  const until = earlierDate(last, bookable.last);
  const days: FreeDay[] = [];
  for (const date of datesBetween(laterDate(first, bookable.first), until)) {
    const open = windowsOf(date);
    if (open.length === 0) continue;
    const clock = createWallTimeResolver(zone, date);
    const windows = open.flatMap((window) => freeIn(clock, window));
    if (windows.length > 0) days.push({ date, times: windows });
  }
  return days;
}

function indexOfFirstEndingAfter(
  blocked: readonly TimeRange[],
  instant: Instant,
  from: number,
): number {
  let index = from;
  for (let next = blocked[index]; next !== undefined && next.end <= instant; next = blocked[index])
    index += 1;
  return index;
}

function ceilToMinute(instant: Instant): Instant {
  return Math.ceil(instant / MINUTE_MS) * MINUTE_MS;
}
