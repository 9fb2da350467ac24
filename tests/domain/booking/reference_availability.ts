import { Temporal } from 'temporal-polyfill';
import type { Calendar, FreeDay, TimeRange } from '#domain/booking/availability.ts';
import type { BookingRange } from '#domain/booking/booking_range.ts';
import type { Schedule } from '#domain/booking/schedule.ts';

/** The zone is an IANA name, as on the server. */
export type NamedCalendar = Calendar & { readonly zone: string };

/*
 * A second implementation of the availability, without code from src/domain, to test against:
 * it visits every minute of elapsed time, converts it to wall-clock time, and checks whether
 * it can be a start. It is slow, but simple enough to verify by reading.
 */

const MINUTE = 60_000;

/** A wall-clock minute of a date, at its first occurrence in the zone. */
interface WallMinute {
  /** Minutes since 00:00 on the wall clock. */
  readonly wall: number;
  readonly instant: number;
}

const minutesByZoneAndUtcDay = new Map<string, ReadonlyMap<string, readonly WallMinute[]>>();
const minutesByZoneAndDate = new Map<string, readonly WallMinute[]>();

/** The wall-clock minutes in the zone during one UTC day, by their local date. */
function minutesDuring(
  zone: string,
  utcDay: Temporal.PlainDate,
): ReadonlyMap<string, readonly WallMinute[]> {
  const key = `${zone} ${utcDay}`;
  const cached = minutesByZoneAndUtcDay.get(key);
  if (cached) return cached;
  const byDate = new Map<string, WallMinute[]>();
  const midnight = utcDay.toZonedDateTime('UTC').epochMilliseconds;
  for (let hour = midnight; hour < midnight + 24 * 60 * MINUTE; hour += 60 * MINUTE) {
    const offset = offsetAt(zone, hour);
    // Reading the offset is slow, so read it for each minute only when the hour has a clock change.
    const isConstant = offset === offsetAt(zone, hour + 59 * MINUTE);
    for (let instant = hour; instant < hour + 60 * MINUTE; instant += MINUTE) {
      const wallClock = new Date(instant + (isConstant ? offset : offsetAt(zone, instant)));
      const date = wallClock.toISOString().slice(0, 10);
      const minutes = byDate.get(date) ?? [];
      minutes.push({ wall: wallClock.getUTCHours() * 60 + wallClock.getUTCMinutes(), instant });
      byDate.set(date, minutes);
    }
  }
  minutesByZoneAndUtcDay.set(key, byDate);
  return byDate;
}

/** The UTC offset in milliseconds. */
function offsetAt(zone: string, instant: number): number {
  return zonedTimeAt(zone, instant).offsetNanoseconds / 1_000_000;
}

/** The date in the zone at an instant. */
export function localDateAt(zone: string, instant: number): Temporal.PlainDate {
  return zonedTimeAt(zone, instant).toPlainDate();
}

function zonedTimeAt(zone: string, instant: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
}

/** The wall-clock minutes of a date, in order, without skipped ones and without repetitions. */
function minutesOf(zone: string, date: Temporal.PlainDate): readonly WallMinute[] {
  const key = `${zone} ${date}`;
  const cached = minutesByZoneAndDate.get(key);
  if (cached) return cached;
  const seen = new Set<number>();
  const minutes = [-1, 0, 1]
    .flatMap((days) => minutesDuring(zone, date.add({ days })).get(date.toString()) ?? [])
    .filter(({ wall }) => !seen.has(wall) && seen.add(wall));
  minutesByZoneAndDate.set(key, minutes);
  return minutes;
}

/** The instant of a window's start or end: the first existing minute that is not before it. */
function instantOf(zone: string, date: Temporal.PlainDate, time: string): number {
  const [hours, minutes] = time.split(':');
  const wall = Number(hours) * 60 + Number(minutes);
  const first = minutesOf(zone, date).find((minute) => minute.wall >= wall);
  return first ? first.instant : instantOf(zone, date.add({ days: 1 }), '00:00');
}

function isBookable(
  range: BookingRange,
  zone: string,
  date: Temporal.PlainDate,
  now: number,
): boolean {
  const today = localDateAt(zone, now);
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
  const exception = exceptions.filter((day) => day.date === date.toString());
  const days = exception.length > 0 ? exception : weekly.filter(isOn(date.dayOfWeek));
  return days.flatMap(({ windows }) => [...windows]).sort((a, b) => (a.start < b.start ? -1 : 1));
}

/** The open time of a date, with windows that touch as one. */
function openStretches(schedule: Schedule, date: Temporal.PlainDate) {
  const stretches: { start: string; end: string }[] = [];
  for (const { start, end } of openWindows(schedule, date)) {
    const before = stretches.at(-1);
    if (before?.end === start) before.end = end;
    else stretches.push({ start, end });
  }
  return stretches;
}

/** When the stretch with a window's start ends, also after midnight: slots are shorter than a date. */
function endOfStretch(
  zone: string,
  schedule: Schedule,
  date: Temporal.PlainDate,
  start: string,
  laterDates = 2,
): number {
  const stretch = openStretches(schedule, date).findLast((one) => one.start <= start);
  const tomorrow = date.add({ days: 1 });
  const goesOn = openStretches(schedule, tomorrow)[0]?.start === '00:00' && laterDates > 0;
  return stretch?.end === '24:00' && goesOn
    ? endOfStretch(zone, schedule, tomorrow, '00:00', laterDates - 1)
    : instantOf(zone, date, stretch?.end ?? start);
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

/** The expected result of `computeSlots`. */
export function expectedSlots(
  calendar: NamedCalendar,
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
      const opens = Temporal.PlainTime.from(window.start);
      const opensAt = opens.hour * 60 + opens.minute;
      const closes = instantOf(zone, date, window.end);
      const mustEndBy = endOfStretch(zone, schedule, date, window.start);
      return minutesOf(zone, date)
        .filter(({ wall }) => wall >= opensAt)
        .filter(({ wall }) => (wall - opensAt) % schedule.slot_interval_minutes === 0)
        .filter(({ instant }) => instant - now >= notice)
        .map(({ instant }) => ({ start: instant, end: instant + duration * MINUTE }))
        .filter((slot) => slot.start < closes && slot.end <= mustEndBy)
        .filter(({ start, end }) => {
          const withBuffer = { start, end: end + schedule.buffer_minutes * MINUTE };
          return !blocked.some((range) => overlaps(range, withBuffer));
        });
    });
    return { date: date.toString(), times };
  });
  return days.filter(({ times }) => times.length > 0);
}

/** The expected result of `computeFreeTimeRanges`. */
export function expectedFreeTimeRanges(
  calendar: NamedCalendar,
  first: string,
  last: string,
  now: number,
): FreeDay[] {
  const { zone, schedule, bookingRange, blocked } = calendar;
  const notice = schedule.minimum_notice_minutes * MINUTE;
  const days = datesFrom(first, last).map((date) => {
    const times = openStretches(schedule, date).flatMap((stretch) => {
      if (!isBookable(bookingRange, zone, date, now)) return [];
      const closes = instantOf(zone, date, stretch.end);
      const ranges: { start: number; end: number }[] = [];
      for (let start = instantOf(zone, date, stretch.start); start < closes; start += MINUTE) {
        const minute = { start, end: start + MINUTE };
        if (start - now < notice || blocked.some((range) => overlaps(range, minute))) continue;
        const before = ranges.at(-1);
        if (before?.end === start) before.end = minute.end;
        else ranges.push(minute);
      }
      return ranges;
    });
    return { date: date.toString(), times };
  });
  return days.filter(({ times }) => times.length > 0);
}
