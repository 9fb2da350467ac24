/** Shows artists their availability as clients see it, and the opening hours behind it. */

import { addDays, datesBetween, type LocalDate } from '../time/calendar_date.ts';
import { localDateAt } from '../time/format_time.ts';
import { type Instant, parseWallTime } from '../time/time.ts';
import { resolveWallTime } from '../time/wall_clock.ts';
import type { Zone } from '../time/zone_offsets.ts';
import {
  type Calendar,
  computeFreeTimeRanges,
  computeSlots,
  type FreeDay,
  type TimeRange,
} from './availability.ts';
import { bookableDates } from './booking_range.ts';
import { toTypedHours } from './opening_hours.ts';
import { type OpeningHours, openingWindowsOn } from './schedule.ts';

/** The free times on a date, or the reason why there are none. */
export interface PreviewDay {
  readonly date: LocalDate;
  /** `closed` on this weekday, `off` by an exception, `beyond` the booking range. */
  readonly state: 'open' | 'full' | 'closed' | 'off' | 'beyond';
  readonly times: FreeDay['times'];
}

/**
 * The next days, from today, as clients will see them with this calendar.
 * @param duration minutes of the service; null shows free time ranges instead of slots
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
  const dates = { first: today, last };
  const freeDays =
    duration === null
      ? computeFreeTimeRanges(calendar, dates, now)
      : computeSlots(calendar, duration, dates, now);
  const bookable = bookableDates(calendar.bookingRange, calendar.zone, now);
  const typed = toTypedHours(calendar.schedule, today);
  return datesBetween(today, last).map((date) => {
    const times = freeDays.find((day) => day.date === date)?.times ?? [];
    if (times.length > 0) return { date, state: 'open', times };
    const kind = dayKindOn(typed, date);
    if (kind === 'off' || kind === 'closed') return { date, state: kind, times };
    const isBeyond = date < bookable.first || date > bookable.last;
    return { date, state: isBeyond ? 'beyond' : 'full', times };
  });
}

/** `open` or `closed` as on every such weekday; `own` hours or day `off` by an exception. */
type DayKind = 'open' | 'closed' | 'off' | 'own';

/** @param hours as artists type them: a night belongs to the day on which it starts */
export function dayKindOn(hours: OpeningHours, date: LocalDate): DayKind {
  const isOpen = openingWindowsOn(hours, date).length > 0;
  if (!hours.exceptions.some((day) => day.date === date)) return isOpen ? 'open' : 'closed';
  return isOpen ? 'own' : 'off';
}

/** Open time on the dates `first` to `last`, both included, in order; adjoining ranges are merged. */
export function openTimeRanges(
  hours: OpeningHours,
  zone: Zone,
  first: LocalDate,
  last: LocalDate,
): TimeRange[] {
  const open: TimeRange[] = [];
  for (const date of datesBetween(first, last))
    for (const window of openingWindowsOn(hours, date)) {
      const start = resolveWallTime(zone, date, parseWallTime(window.start)).instant;
      const end = resolveWallTime(zone, date, parseWallTime(window.end)).instant;
      const before = open.at(-1);
      if (before && before.end >= start)
        open[open.length - 1] = { start: before.start, end: Math.max(before.end, end) };
      else if (start < end) open.push({ start, end });
    }
  return open;
}

/** Closed time on the dates `first` to `last`, both included; ranges are split at midnight. */
export function closedTimeRanges(
  hours: OpeningHours,
  zone: Zone,
  first: LocalDate,
  last: LocalDate,
): TimeRange[] {
  const open = openTimeRanges(hours, zone, first, last);
  return datesBetween(first, last).flatMap((date) => {
    const closed: TimeRange[] = [];
    const midnight = resolveWallTime(zone, addDays(date, 1), 0).instant;
    let start = resolveWallTime(zone, date, 0).instant;
    for (const range of open) {
      if (range.end <= start || range.start >= midnight) continue;
      if (range.start > start) closed.push({ start, end: range.start });
      start = range.end;
    }
    if (start < midnight) closed.push({ start, end: midnight });
    return closed;
  });
}

/** The times that lie partly or wholly outside the opening hours. `end` is without the buffer. */
export function filterOutsideHours<T extends TimeRange>(
  hours: OpeningHours,
  zone: Zone,
  times: readonly T[],
): T[] {
  return times.filter(({ start, end }) => {
    // Open time that began the day before may continue past midnight.
    const first = addDays(localDateAt(zone, start), -1);
    const open = openTimeRanges(hours, zone, first, localDateAt(zone, end));
    return !open.some((range) => range.start <= start && range.end >= end);
  });
}
