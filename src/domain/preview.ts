import {
  type Calendar,
  type FreeDay,
  listFreeStretches,
  listSlots,
  type Stretch,
} from './availability.ts';
import { bookableDates } from './booking_range.ts';
import { type Schedule, windowsOn } from './schedule.ts';
import {
  addDays,
  dateAt,
  type Instant,
  type LocalDate,
  readWallClock,
  wallMinute,
} from './time.ts';

/** What clients find on a date: times, or why there are none. */
export interface PreviewDay {
  readonly date: LocalDate;
  readonly state: 'open' | 'full' | 'closed' | 'off' | 'beyond';
  readonly windows: FreeDay['windows'];
}

/**
 * The days from today on, as clients will see them with these hours.
 * @param duration minutes of the service; null shows the free stretches instead of slots
 * @param count of days, today included
 */
export function previewDays(
  calendar: Calendar,
  duration: number | null,
  count: number,
  now: Instant,
): PreviewDay[] {
  const today = dateAt(calendar.zone, now);
  const last = addDays(today, count - 1);
  const free =
    duration === null
      ? listFreeStretches(calendar, today, last, now)
      : listSlots(calendar, duration, today, last, now);
  const bookable = bookableDates(calendar.bookingRange, calendar.zone, now);
  return Array.from({ length: count }, (_, ahead): PreviewDay => {
    const date = addDays(today, ahead);
    const windows = free.find((day) => day.date === date)?.windows ?? [];
    if (windows.length > 0) return { date, state: 'open', windows };
    const kind = dayKind(calendar.schedule, date);
    const isBeyond = date < bookable.first || date > bookable.last;
    if (kind === 'off' || kind === 'closed') return { date, state: kind, windows };
    return { date, state: isBeyond ? 'beyond' : 'full', windows };
  });
}

/** Whether a date follows the week, and whether the studio is open on it. */
export type DayKind = 'open' | 'closed' | 'off' | 'own';

/** `closed` by the week, `off` by an exception, `own` hours by an exception. */
export function dayKind(
  schedule: Pick<Schedule, 'weekly' | 'exceptions'>,
  date: LocalDate,
): DayKind {
  const isOpen = windowsOn(schedule, date).length > 0;
  if (!schedule.exceptions.some((one) => one.date === date)) return isOpen ? 'open' : 'closed';
  return isOpen ? 'own' : 'off';
}

/** Open time on the dates `first` to `last`, both included, in order; what touches is one. */
export function openStretches(
  schedule: Pick<Schedule, 'weekly' | 'exceptions'>,
  zone: string,
  first: LocalDate,
  last: LocalDate,
): Stretch[] {
  const open: Stretch[] = [];
  for (let date = first; date <= last; date = addDays(date, 1))
    for (const window of windowsOn(schedule, date)) {
      const start = readWallClock(zone, date, wallMinute(window.start)).instant;
      const end = readWallClock(zone, date, wallMinute(window.end)).instant;
      const before = open.at(-1);
      if (before && before.end >= start)
        open[open.length - 1] = { start: before.start, end: Math.max(before.end, end) };
      else if (start < end) open.push({ start, end });
    }
  return open;
}

/** The time on the dates `first` to `last`, both included, that is not open, date by date. */
export function closedStretches(
  schedule: Pick<Schedule, 'weekly' | 'exceptions'>,
  zone: string,
  first: LocalDate,
  last: LocalDate,
): Stretch[] {
  const open = openStretches(schedule, zone, first, last);
  const closed: Stretch[] = [];
  for (let date = first; date <= last; date = addDays(date, 1)) {
    const until = readWallClock(zone, addDays(date, 1), 0).instant;
    let start = readWallClock(zone, date, 0).instant;
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
export function outsideHours<T extends Stretch>(
  schedule: Pick<Schedule, 'weekly' | 'exceptions'>,
  zone: string,
  times: readonly T[],
): T[] {
  return times.filter(({ start, end }) => {
    const open = openStretches(schedule, zone, addDays(dateAt(zone, start), -1), dateAt(zone, end));
    return !open.some((stretch) => stretch.start <= start && stretch.end >= end);
  });
}
