import {
  type Calendar,
  computeFreeTimeRanges,
  computeSlots,
  type FreeDay,
  type TimeRange,
} from './availability.ts';
import { bookableDates } from './booking_range.ts';
import { openingWindowsOn, type Schedule } from './schedule.ts';
import {
  addDays,
  type Instant,
  type LocalDate,
  localDateAt,
  parseWallTime,
  resolveWallTime,
} from './time.ts';

/** What clients find on a date: times, or why there are none. */
export interface PreviewDay {
  readonly date: LocalDate;
  readonly state: 'open' | 'full' | 'closed' | 'off' | 'beyond';
  readonly times: FreeDay['times'];
}

/**
 * The days from today on, as clients will see them with these hours.
 * @param duration minutes of the service; null shows the free stretches instead of slots
 * @param count of days, today included
 */
export function computePreviewDays(
  calendar: Calendar,
  duration: number | null,
  count: number,
  now: Instant,
): PreviewDay[] {
  const today = localDateAt(calendar.zone, now);
  const last = addDays(today, count - 1);
  const free =
    duration === null
      ? computeFreeTimeRanges(calendar, today, last, now)
      : computeSlots(calendar, duration, today, last, now);
  const bookable = bookableDates(calendar.bookingRange, calendar.zone, now);
  return Array.from({ length: count }, (_, ahead): PreviewDay => {
    const date = addDays(today, ahead);
    const windows = free.find((day) => day.date === date)?.times ?? [];
    if (windows.length > 0) return { date, state: 'open', times: windows };
    const kind = dayKindOn(calendar.schedule, date);
    const isBeyond = date < bookable.first || date > bookable.last;
    if (kind === 'off' || kind === 'closed') return { date, state: kind, times: windows };
    return { date, state: isBeyond ? 'beyond' : 'full', times: windows };
  });
}

/** Whether a date follows the week, and whether the studio is open on it. */
export type DayKind = 'open' | 'closed' | 'off' | 'own';

/** `closed` by the week, `off` by an exception, `own` hours by an exception. */
export function dayKindOn(
  schedule: Pick<Schedule, 'weekly' | 'exceptions'>,
  date: LocalDate,
): DayKind {
  const isOpen = openingWindowsOn(schedule, date).length > 0;
  if (!schedule.exceptions.some((one) => one.date === date)) return isOpen ? 'open' : 'closed';
  return isOpen ? 'own' : 'off';
}

/** Open time on the dates `first` to `last`, both included, in order; what touches is one. */
export function openTimeRanges(
  schedule: Pick<Schedule, 'weekly' | 'exceptions'>,
  zone: string,
  first: LocalDate,
  last: LocalDate,
): TimeRange[] {
  const open: TimeRange[] = [];
  for (let date = first; date <= last; date = addDays(date, 1))
    for (const window of openingWindowsOn(schedule, date)) {
      const start = resolveWallTime(zone, date, parseWallTime(window.start)).instant;
      const end = resolveWallTime(zone, date, parseWallTime(window.end)).instant;
      const before = open.at(-1);
      if (before && before.end >= start)
        open[open.length - 1] = { start: before.start, end: Math.max(before.end, end) };
      else if (start < end) open.push({ start, end });
    }
  return open;
}

/** The time on the dates `first` to `last`, both included, that is not open, date by date. */
export function closedTimeRanges(
  schedule: Pick<Schedule, 'weekly' | 'exceptions'>,
  zone: string,
  first: LocalDate,
  last: LocalDate,
): TimeRange[] {
  const open = openTimeRanges(schedule, zone, first, last);
  const closed: TimeRange[] = [];
  for (let date = first; date <= last; date = addDays(date, 1)) {
    const until = resolveWallTime(zone, addDays(date, 1), 0).instant;
    let start = resolveWallTime(zone, date, 0).instant;
    for (const stretch of open) {
      if (stretch.end <= start || stretch.start >= until) continue;
      if (stretch.start > start) closed.push({ start, end: stretch.start });
      start = stretch.end;
    }
    if (start < until) closed.push({ start, end: until });
  }
  return closed;
}

/** Those that do not lie within the open hours from beginning to end; buffers may run past them. */
export function filterOutsideHours<T extends TimeRange>(
  schedule: Pick<Schedule, 'weekly' | 'exceptions'>,
  zone: string,
  times: readonly T[],
): T[] {
  return times.filter(({ start, end }) => {
    const open = openTimeRanges(
      schedule,
      zone,
      addDays(localDateAt(zone, start), -1),
      localDateAt(zone, end),
    );
    return !open.some((stretch) => stretch.start <= start && stretch.end >= end);
  });
}
