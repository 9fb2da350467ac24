import { Temporal } from 'temporal-polyfill';
import type { Calendar, FreeDay, TimeRange } from '#domain/availability.ts';
import type { BookingRange } from '#domain/booking_range.ts';
import type { Schedule } from '#domain/schedule.ts';

/*
 * Availability worked out a second time from design, decision 9, sharing no code with src/domain:
 * it lets every real minute pass, reads off a wall clock what each one shows, and asks of each
 * whether it may be a start. Slow and plain, so that it can be checked by reading.
 */

const MINUTE = 60_000;

/** A minute of a date, at the first moment that the zone's clocks show it. */
interface ShownMinute {
  /** Minutes since 00:00 on the wall clock. */
  readonly wall: number;
  readonly instant: number;
}

const readings = new Map<string, ReadonlyMap<string, readonly ShownMinute[]>>();
const dates = new Map<string, readonly ShownMinute[]>();

/** What clocks in the zone show during one day of UTC, by the date they show, as it passes. */
function readingsDuring(
  zone: string,
  utcDay: Temporal.PlainDate,
): ReadonlyMap<string, readonly ShownMinute[]> {
  const key = `${zone} ${utcDay}`;
  const known = readings.get(key);
  if (known) return known;
  const byDate = new Map<string, ShownMinute[]>();
  const midnight = utcDay.toZonedDateTime('UTC').epochMilliseconds;
  for (let hour = midnight; hour < midnight + 24 * 60 * MINUTE; hour += 60 * MINUTE) {
    const ahead = aheadOfUtc(zone, hour);
    // Asking for every minute is slow, and only hours in which clocks change need it.
    const steady = ahead === aheadOfUtc(zone, hour + 59 * MINUTE);
    for (let instant = hour; instant < hour + 60 * MINUTE; instant += MINUTE) {
      const clock = new Date(instant + (steady ? ahead : aheadOfUtc(zone, instant)));
      const date = clock.toISOString().slice(0, 10);
      const shown = byDate.get(date) ?? [];
      shown.push({ wall: clock.getUTCHours() * 60 + clock.getUTCMinutes(), instant });
      byDate.set(date, shown);
    }
  }
  readings.set(key, byDate);
  return byDate;
}

/** How many milliseconds clocks in the zone are ahead of those in UTC. */
function aheadOfUtc(zone: string, instant: number): number {
  return clockIn(zone, instant).offsetNanoseconds / 1_000_000;
}

/** The date that clocks in the zone show. */
export function dateShown(zone: string, instant: number): Temporal.PlainDate {
  return clockIn(zone, instant).toPlainDate();
}

function clockIn(zone: string, instant: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
}

/** The minutes that clocks show on a date, in order, each once; skipped ones are not among them. */
function minutesOf(zone: string, date: Temporal.PlainDate): readonly ShownMinute[] {
  const key = `${zone} ${date}`;
  const known = dates.get(key);
  if (known) return known;
  const seen = new Set<number>();
  const minutes = [-1, 0, 1]
    .flatMap((days) => readingsDuring(zone, date.add({ days })).get(date.toString()) ?? [])
    .filter(({ wall }) => !seen.has(wall) && seen.add(wall));
  dates.set(key, minutes);
  return minutes;
}

/** When a window's bound happens: the first minute shown that is not before it. */
function boundAt(zone: string, date: Temporal.PlainDate, time: string): number {
  const [hours, minutes] = time.split(':');
  const wall = Number(hours) * 60 + Number(minutes);
  const shown = minutesOf(zone, date).find((minute) => minute.wall >= wall);
  return shown ? shown.instant : boundAt(zone, date.add({ days: 1 }), '00:00');
}

function isBookable(
  range: BookingRange,
  zone: string,
  date: Temporal.PlainDate,
  now: number,
): boolean {
  const today = dateShown(zone, now);
  const isAtMost = (other: Temporal.PlainDate) => Temporal.PlainDate.compare(date, other) <= 0;
  const isAtLeast = (other: Temporal.PlainDate) => Temporal.PlainDate.compare(date, other) >= 0;
  if (!isAtLeast(today) || !isAtMost(today.add({ months: 24 }))) return false;
  if (range.kind === 'rolling') return today.until(date, { largestUnit: 'day' }).days <= range.days;
  if (range.kind === 'open') return true;
  return (
    isAtLeast(Temporal.PlainDate.from(range.start)) && isAtMost(Temporal.PlainDate.from(range.end))
  );
}

function openWindows({ weekly, exceptions }: Schedule, date: Temporal.PlainDate) {
  const exception = exceptions.filter((one) => one.date === date.toString());
  const days = exception.length > 0 ? exception : weekly.filter(isOn(date.dayOfWeek));
  return days.flatMap(({ windows }) => [...windows]).sort((a, b) => (a.start < b.start ? -1 : 1));
}

function isOn(dayOfWeek: number) {
  return ({ weekday }: { readonly weekday: number }) => weekday === dayOfWeek;
}

function overlaps(a: TimeRange, b: TimeRange): boolean {
  return a.start < b.end && b.start < a.end;
}

function datesFrom(first: string, last: string): Temporal.PlainDate[] {
  const from = Temporal.PlainDate.from(first);
  const { days } = from.until(last, { largestUnit: 'day' });
  return Array.from({ length: days + 1 }, (_, index) => from.add({ days: index }));
}

/** What `computeSlots` should answer. */
export function expectedSlots(
  calendar: Calendar,
  duration: number,
  first: string,
  last: string,
  now: number,
): FreeDay[] {
  const { zone, schedule, bookingRange, blocked } = calendar;
  const notice = schedule.minimum_notice_minutes * MINUTE;
  const days = datesFrom(first, last).map((date) => {
    const times = openWindows(schedule, date).flatMap((window) => {
      if (!isBookable(bookingRange, zone, date, now)) return [];
      const clock = Temporal.PlainTime.from(window.start);
      const nominal = clock.hour * 60 + clock.minute;
      const closes = boundAt(zone, date, window.end);
      return minutesOf(zone, date)
        .filter(({ wall }) => wall >= nominal)
        .filter(({ wall }) => (wall - nominal) % schedule.slot_interval_minutes === 0)
        .filter(({ instant }) => instant - now >= notice)
        .map(({ instant }) => ({ start: instant, end: instant + duration * MINUTE }))
        .filter((slot) => slot.start < closes && slot.end <= closes)
        .filter(({ start, end }) => {
          const kept = { start, end: end + schedule.buffer_minutes * MINUTE };
          return !blocked.some((stretch) => overlaps(stretch, kept));
        });
    });
    return { date: date.toString(), times };
  });
  return days.filter(({ times }) => times.length > 0);
}

/** What `computeFreeTimeRanges` should answer. */
export function expectedFreeStretches(
  calendar: Calendar,
  first: string,
  last: string,
  now: number,
): FreeDay[] {
  const { zone, schedule, bookingRange, blocked } = calendar;
  const notice = schedule.minimum_notice_minutes * MINUTE;
  const days = datesFrom(first, last).map((date) => {
    const times = openWindows(schedule, date).flatMap((window) => {
      if (!isBookable(bookingRange, zone, date, now)) return [];
      const closes = boundAt(zone, date, window.end);
      const stretches: { start: number; end: number }[] = [];
      for (let start = boundAt(zone, date, window.start); start < closes; start += MINUTE) {
        const minute = { start, end: start + MINUTE };
        if (start - now < notice || blocked.some((stretch) => overlaps(stretch, minute))) continue;
        const before = stretches.at(-1);
        if (before?.end === start) before.end = minute.end;
        else stretches.push(minute);
      }
      return stretches;
    });
    return { date: date.toString(), times };
  });
  return days.filter(({ times }) => times.length > 0);
}
