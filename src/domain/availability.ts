import type { BookingRange } from './booking_range.ts';
import { bookableDates, earlier, later } from './booking_range.ts';
import type { OpenMinutes, Schedule } from './schedule.ts';
import { openMinutes } from './schedule.ts';
import type { Instant, LocalDate, WallClock } from './time.ts';
import { addDays, dateAt, datesBetween, MINUTE, readWallClock, wallClockOn } from './time.ts';

/** Time from `start`, included, to `end`, excluded. */
export interface Stretch {
  readonly start: Instant;
  readonly end: Instant;
}

/** What is free on one date of the studio. */
export interface FreeDay {
  readonly date: LocalDate;
  readonly windows: readonly Stretch[];
}

/** All that decides when an artist can be booked. */
export interface Calendar {
  readonly zone: string;
  readonly schedule: Schedule;
  readonly bookingRange: BookingRange;
  /** What the artist's appointments block, buffers included: in order of start, none overlapping. */
  readonly blocked: readonly Stretch[];
}

/**
 * The slots of a service on the dates `first` to `last`, both included and in the studio's zone;
 * only dates with a slot, in order (contract, Availability; design, decision 9).
 *
 * A slot begins on the window's wall-clock grid and lasts `duration` minutes of elapsed time. It
 * ends by its window's end; the buffer after it may run past that, but not into a booked stretch.
 */
export function listSlots(
  calendar: Calendar,
  duration: number,
  first: LocalDate,
  last: LocalDate,
  now: Instant,
): FreeDay[] {
  const { schedule, blocked } = calendar;
  const earliest = now + schedule.minimum_notice_minutes * MINUTE;
  const length = duration * MINUTE;
  const kept = length + schedule.buffer_minutes * MINUTE;
  let ahead = 0;
  return openDays(calendar, first, last, now, (clock, window) => {
    const closes = clock(window.closes).instant;
    const slots: Stretch[] = [];
    let minute = window.opens;
    for (; minute < window.closes; minute += schedule.slot_interval_minutes) {
      const { skipped, instant: start } = clock(minute);
      if (start + length > closes) break;
      if (skipped || start < earliest) continue;
      ahead = firstEndingAfter(blocked, start, ahead);
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
export function listFreeStretches(
  calendar: Calendar,
  first: LocalDate,
  last: LocalDate,
  now: Instant,
): FreeDay[] {
  const { schedule, blocked } = calendar;
  const earliest = wholeMinuteFrom(now + schedule.minimum_notice_minutes * MINUTE);
  let ahead = 0;
  return openDays(calendar, first, last, now, (clock, window) => {
    const opens = clock(window.opens).instant;
    const closes = clock(window.closes).instant;
    const free: Stretch[] = [];
    let start = Math.max(opens, earliest);
    ahead = firstEndingAfter(blocked, start, ahead);
    for (let index = ahead; start < closes; index += 1) {
      const next = blocked[index];
      const end = next === undefined ? closes : Math.min(next.start, closes);
      if (end - start >= MINUTE) free.push({ start, end });
      if (next === undefined) break;
      start = Math.max(start, wholeMinuteFrom(next.end));
    }
    return free;
  });
}

/** Whether a service of `duration` minutes is listed at exactly this start. */
export function isListed(
  calendar: Calendar,
  duration: number,
  start: Instant,
  now: Instant,
): boolean {
  const date = dateAt(calendar.zone, start);
  return listSlots(calendar, duration, date, date, now).some((day) =>
    day.windows.some((slot) => slot.start === start),
  );
}

/**
 * Until when, excluded, what was listed at `now` stays as it is by itself: the next lapse, the
 * first listed start coming nearer than the notice, or the studio's midnight (design, decision 5).
 * @param lapses when holds and offers lapse that block time now
 */
export function listedUntil(
  { zone, schedule }: Pick<Calendar, 'zone' | 'schedule'>,
  listed: readonly FreeDay[],
  lapses: readonly Instant[],
  now: Instant,
): Instant {
  const midnight = readWallClock(zone, addDays(dateAt(zone, now), 1), 0).instant;
  const first = listed[0]?.windows[0]?.start ?? Number.POSITIVE_INFINITY;
  return Math.min(midnight, first - schedule.minimum_notice_minutes * MINUTE, ...lapses);
}

/**
 * The time that appointments must be known for, to list `first` to `last`: a day to spare on both
 * sides covers every zone, a slot that runs past its date and the buffer after it.
 */
export function calendarSpan(first: LocalDate, last: LocalDate, bufferMinutes: number): Stretch {
  const from = Date.parse(`${addDays(first, -2)}T00:00:00Z`);
  const until = Date.parse(`${addDays(last, 3)}T00:00:00Z`);
  return { start: from, end: until + bufferMinutes * MINUTE };
}

function openDays(
  { zone, schedule, bookingRange }: Calendar,
  first: LocalDate,
  last: LocalDate,
  now: Instant,
  freeIn: (clock: WallClock, window: OpenMinutes) => Stretch[],
): FreeDay[] {
  const bookable = bookableDates(bookingRange, zone, now);
  const windowsOf = openMinutes(schedule);
  const until = earlier(last, bookable.last);
  const days: FreeDay[] = [];
  for (const date of datesBetween(later(first, bookable.first), until)) {
    const open = windowsOf(date);
    if (open.length === 0) continue;
    const clock = wallClockOn(zone, date);
    const windows = open.flatMap((window) => freeIn(clock, window));
    if (windows.length > 0) days.push({ date, windows });
  }
  return days;
}

function firstEndingAfter(blocked: readonly Stretch[], instant: Instant, from: number): number {
  let index = from;
  for (let next = blocked[index]; next !== undefined && next.end <= instant; next = blocked[index])
    index += 1;
  return index;
}

function wholeMinuteFrom(instant: Instant): Instant {
  return Math.ceil(instant / MINUTE) * MINUTE;
}
