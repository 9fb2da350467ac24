import {
  addDays,
  type DateRange,
  datesBetween,
  earlierDate,
  type LocalDate,
  laterDate,
  midnightUtc,
} from '../time/calendar_date.ts';
import { localDateAt, toExclusiveEnd } from '../time/format_time.ts';
import { type Instant, MINUTE_MS, toRfc3339 } from '../time/time.ts';
import {
  createWallTimeResolver,
  resolveWallTime,
  type WallTimeResolver,
} from '../time/wall_clock.ts';
import type { Zone } from '../time/zone_offsets.ts';
import { type BookingRange, bookableDates } from './booking_range.ts';
import {
  createOpeningMinutesLookup,
  type OpeningMinutes,
  type Schedule,
  STRETCH_DAYS,
  stretchEnd,
} from './schedule.ts';

/** Time from `start`, included, to `end`, excluded. */
export interface TimeRange {
  readonly start: Instant;
  readonly end: Instant;
}

/** The time of an appointment, and of the buffer after it. */
export interface BufferedTime extends TimeRange {
  /** The end of the buffer, excluded; equal to `end` without a buffer. */
  readonly blockedUntil: Instant;
}

/** From the start of an appointment to the end of its buffer. */
export function blockedRange({ start, blockedUntil }: BufferedTime): TimeRange {
  return { start, end: blockedUntil };
}

/** A time range as the API writes it: RFC 3339, `end` is the last minute, included. */
export function toSlot({ start, end }: TimeRange): { start: string; end: string } {
  return { start: toRfc3339(start), end: toRfc3339(end - MINUTE_MS) };
}

/** Reads the output of `toSlot`. */
export function fromSlot({ start, end }: { start: string; end: string }): TimeRange {
  return { start: Date.parse(start), end: toExclusiveEnd(end) };
}

/** The free times on a date in the studio's zone. */
export interface FreeDay {
  readonly date: LocalDate;
  readonly times: readonly TimeRange[];
}

/** All that decides when clients can book an artist. */
export interface Calendar {
  readonly zone: Zone;
  readonly schedule: Schedule;
  readonly bookingRange: BookingRange;
  /** The times of appointments with their buffers, in order of start, without overlaps. */
  readonly blocked: readonly TimeRange[];
}

/**
 * The slots of a service on these dates; only dates with a slot, in order.
 *
 * Slots start at `slot_interval_minutes` of wall-clock time after the opening window's start. A slot
 * lasts `duration` minutes of elapsed time, and ends within the stretch of windows that touch, also
 * across midnight. The buffer after it may exceed the stretch, but must not overlap blocked time.
 */
export function computeSlots(
  calendar: Calendar,
  duration: number,
  dates: DateRange,
  now: Instant,
): FreeDay[] {
  const { schedule, blocked } = calendar;
  const earliestStart = now + schedule.minimum_notice_minutes * MINUTE_MS;
  const length = duration * MINUTE_MS;
  const buffer = schedule.buffer_minutes * MINUTE_MS;
  // Slots come in order, so the search for the next blocked time continues from the last one.
  let blockedIndex = 0;
  const slotsIn = ({ date, instantOf, windowsOn }: OpenDay, window: OpeningMinutes) => {
    const mustEndBy = instantOf(stretchEnd(window, date, windowsOn)).instant;
    const slots: TimeRange[] = [];
    let minute = window.opens;
    for (; minute < window.closes; minute += schedule.slot_interval_minutes) {
      const { isSkipped, instant: start } = instantOf(minute);
      const end = start + length;
      if (end > mustEndBy) break;
      if (isSkipped || start < earliestStart) continue;
      blockedIndex = indexOfFirstEndingAfter(blocked, start, blockedIndex);
      const next = blocked[blockedIndex];
      if (next === undefined || next.start >= end + buffer) slots.push({ start, end });
    }
    return slots;
  };
  return collectFreeDays(calendar, dates, now, slotsIn);
}

/**
 * The first day with a slot of `computeSlots`, with all its slots; undefined when there is none.
 * Stops at the first week with one.
 */
export function findFirstFreeDay(
  calendar: Calendar,
  duration: number,
  { first, last }: DateRange,
  now: Instant,
): FreeDay | undefined {
  for (let from = first; from <= last; from = addDays(from, 7)) {
    const week = { first: from, last: earlierDate(addDays(from, 6), last) };
    const [day] = computeSlots(calendar, duration, week, now);
    if (day) return day;
  }
  return undefined;
}

/**
 * The free time ranges on these dates: opening hours without blocked time, from now
 * plus the minimum notice, cut to whole minutes. Windows of a date that touch are one stretch, which
 * ends at midnight.
 */
export function computeFreeTimeRanges(
  calendar: Calendar,
  dates: DateRange,
  now: Instant,
): FreeDay[] {
  const { schedule, blocked } = calendar;
  const earliestStart = ceilToMinute(now + schedule.minimum_notice_minutes * MINUTE_MS);
  // As in `computeSlots`.
  let blockedIndex = 0;
  const rangesIn = ({ instantOf, windows }: OpenDay, window: OpeningMinutes, index: number) => {
    // This window belongs to the stretch of the one before.
    if (windows[index - 1]?.closes === window.opens) return [];
    const closes = instantOf(window.stretchCloses).instant;
    const free: TimeRange[] = [];
    let start = Math.max(instantOf(window.opens).instant, earliestStart);
    blockedIndex = indexOfFirstEndingAfter(blocked, start, blockedIndex);
    for (let nextIndex = blockedIndex; start < closes; nextIndex += 1) {
      const next = blocked[nextIndex];
      const end = next === undefined ? closes : Math.min(next.start, closes);
      if (end - start >= MINUTE_MS) free.push({ start, end });
      if (next === undefined) break;
      start = Math.max(start, ceilToMinute(next.end));
    }
    return free;
  };
  return collectFreeDays(calendar, dates, now, rangesIn);
}

/** Whether `computeSlots` lists a service of `duration` minutes at exactly this start. */
export function isAvailableSlot(
  calendar: Calendar,
  duration: number,
  start: Instant,
  now: Instant,
): boolean {
  const date = localDateAt(calendar.zone, start);
  const [day] = computeSlots(calendar, duration, { first: date, last: date }, now);
  return day?.times.some((slot) => slot.start === start) ?? false;
}

/**
 * When, excluded, the slots listed at `now` change without any edit: a hold or offer expires, the
 * first slot comes closer than the minimum notice, or the date in the studio's zone changes.
 * @param expiries when the holds and offers expire that block time now
 */
export function slotsValidUntil(
  { zone, schedule }: Pick<Calendar, 'zone' | 'schedule'>,
  listed: readonly FreeDay[],
  expiries: readonly Instant[],
  now: Instant,
): Instant {
  const midnight = resolveWallTime(zone, addDays(localDateAt(zone, now), 1), 0).instant;
  const firstStart = listed[0]?.times[0]?.start ?? Number.POSITIVE_INFINITY;
  const noticeEnds = firstStart - schedule.minimum_notice_minutes * MINUTE_MS;
  return Math.min(midnight, noticeEnds, ...expiries);
}

/**
 * The time range whose appointments are needed to list the dates `first` to `last`. The extra days
 * cover every zone, slots that end on the next dates, and their buffers.
 */
export function requiredCalendarRange(
  first: LocalDate,
  last: LocalDate,
  bufferMinutes: number,
): TimeRange {
  const end = midnightUtc(addDays(last, STRETCH_DAYS + 2)) + bufferMinutes * MINUTE_MS;
  return { start: midnightUtc(addDays(first, -2)), end };
}

/** A bookable date with opening hours. */
interface OpenDay {
  readonly date: LocalDate;
  readonly windows: readonly OpeningMinutes[];
  readonly instantOf: WallTimeResolver;
  readonly windowsOn: (date: LocalDate) => readonly OpeningMinutes[];
}

/** Collects the free times of all windows on the bookable ones of these dates; leaves out dates without any. */
function collectFreeDays(
  { zone, schedule, bookingRange }: Calendar,
  { first, last }: DateRange,
  now: Instant,
  freeTimesIn: (day: OpenDay, window: OpeningMinutes, index: number) => TimeRange[],
): FreeDay[] {
  const bookable = bookableDates(bookingRange, zone, now);
  const windowsOn = createOpeningMinutesLookup(schedule);
  const from = laterDate(first, bookable.first);
  return datesBetween(from, earlierDate(last, bookable.last)).flatMap((date) => {
    const windows = windowsOn(date);
    if (windows.length === 0) return [];
    const day = { date, windows, instantOf: createWallTimeResolver(zone, date), windowsOn };
    const times = windows.flatMap((window, index) => freeTimesIn(day, window, index));
    return times.length === 0 ? [] : { date, times };
  });
}

/** @param from the index at which the search begins */
function indexOfFirstEndingAfter(
  ranges: readonly TimeRange[],
  time: Instant,
  from: number,
): number {
  let index = from;
  while ((ranges[index]?.end ?? Number.POSITIVE_INFINITY) <= time) index += 1;
  return index;
}

function ceilToMinute(instant: Instant): Instant {
  return Math.ceil(instant / MINUTE_MS) * MINUTE_MS;
}
