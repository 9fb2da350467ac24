/** Generates random calendars for property tests of the availability. */
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import type { TimeRange } from '#domain/booking/availability.ts';
import type { BookingRange } from '#domain/booking/booking_range.ts';
import type { OpeningWindow, Schedule } from '#domain/booking/schedule.ts';
import type { NamedCalendar } from './reference_availability.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A calendar and the parameters of `computeSlots`. */
export interface AvailabilityQuery {
  readonly calendar: NamedCalendar;
  readonly duration: number;
  readonly first: string;
  readonly last: string;
  readonly now: number;
}

/** The instants at which the zone changes its clocks in a year. */
export function clockChanges(zone: string, year: number): number[] {
  const changes: number[] = [];
  const newYear = Temporal.ZonedDateTime.from({ timeZone: zone, year, month: 1, day: 1 });
  let next = newYear.getTimeZoneTransition('next');
  while (next !== null && next.year === year) {
    changes.push(next.epochMilliseconds);
    next = next.getTimeZoneTransition('next');
  }
  return changes;
}

/** Random calendars in a zone, with queries for the days around an instant. */
export function calendarsAround(zone: string, instant: number): fc.Arbitrary<AvailabilityQuery> {
  const change = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
  // A change at midnight belongs to two dates: the last minute before it shows the other one.
  const before = change.subtract({ minutes: 1 }).toPlainDate();
  const date = (days: number) => before.add({ days }).toString();
  return fc
    .record({
      schedule: schedules(date),
      bookingRange: bookingRanges(date),
      blocked: blockedRanges(instant),
      duration: often(fc.constantFrom(5, 15, 30, 60, 120), fc.integer({ min: 5, max: 1440 })),
      daysBefore: fc.integer({ min: 0, max: 1 }),
      daysAfter: fc.integer({ min: 0, max: 1 }),
      now: currentTimes(change),
    })
    .map(({ schedule, bookingRange, blocked, duration, daysBefore, daysAfter, now }) => ({
      calendar: { zone, schedule, bookingRange, blocked },
      duration,
      first: date(-daysBefore),
      last: date(daysAfter),
      now,
    }));
}

/** A usual value in two of three cases, any value in the third. */
function often<T>(usual: fc.Arbitrary<T>, any: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 2, arbitrary: usual }, { weight: 1, arbitrary: any });
}

function schedules(date: (days: number) => string): fc.Arbitrary<Schedule> {
  const exceptions = fc.record({
    date: fc.integer({ min: -1, max: 2 }).map(date),
    windows: dayWindows(),
  });
  return fc.record({
    weekly: fc
      .array(dayWindows(), { minLength: 7, maxLength: 7 })
      .map((days) => days.map((windows, index) => ({ weekday: index + 1, windows }))),
    exceptions: fc.uniqueArray(exceptions, { maxLength: 2, selector: (day) => day.date }),
    slot_interval_minutes: often(
      fc.constantFrom(5, 15, 20, 30, 45, 60, 90),
      fc.integer({ min: 5, max: 120 }),
    ),
    buffer_minutes: often(fc.constantFrom(0, 0, 15, 30), fc.integer({ min: 0, max: 240 })),
    minimum_notice_minutes: often(fc.constantFrom(0, 120), fc.integer({ min: 0, max: 3000 })),
  });
}

/** Splits a day at random minutes and opens some of the parts; windows may adjoin. */
function dayWindows(): fc.Arbitrary<OpeningWindow[]> {
  const minute = fc.oneof(
    fc.integer({ min: 0, max: 96 }).map((quarter) => quarter * 15),
    fc.integer({ min: 0, max: 240 }),
    fc.integer({ min: 1320, max: 1440 }),
    fc.integer({ min: 0, max: 1440 }),
    fc.constantFrom(0, 0, 0, 135, 1440, 1440, 1440),
  );
  const bounds = fc.uniqueArray(minute, { minLength: 2, maxLength: 7 });
  const open = fc.array(often(fc.constant(true), fc.boolean()), { minLength: 6, maxLength: 6 });
  return fc.tuple(bounds, open, fc.boolean()).map(([minutes, isOpen, isReversed]) => {
    const sorted = minutes.toSorted((a, b) => a - b).map(wallTime);
    const windows = sorted.flatMap((start, index) => {
      const end = sorted[index + 1];
      return end !== undefined && isOpen[index] === true ? [{ start, end }] : [];
    });
    return isReversed ? windows.toReversed() : windows;
  });
}

function wallTime(minute: number): string {
  const hours = Math.floor(minute / 60);
  return `${String(hours).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

function bookingRanges(date: (days: number) => string): fc.Arbitrary<BookingRange> {
  const days = fc.oneof(
    fc.integer({ min: 0, max: 4 }),
    fc.integer({ min: 0, max: 40 }),
    fc.integer({ min: 0, max: 731 }),
  );
  const ends = fc.tuple(fc.integer({ min: -3, max: 1 }), fc.integer({ min: 0, max: 4 }));
  return fc.oneof(
    fc.record({ kind: fc.constant('rolling' as const), days }),
    ends.map(([start, length]) => ({
      kind: 'fixed' as const,
      start: date(start),
      end: date(start + length),
    })),
    fc.constant({ kind: 'open' as const }),
  );
}

/** Appointments with their buffers, in whole minutes: in order, without overlaps, some adjoin. */
function blockedRanges(around: number): fc.Arbitrary<TimeRange[]> {
  const gap = fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 40 }).map((quarter) => quarter * 15),
    fc.integer({ min: 0, max: 900 }),
  );
  const length = often(fc.constantFrom(30, 60, 90), fc.integer({ min: 1, max: 700 }));
  return fc.array(fc.tuple(gap, length), { maxLength: 12 }).map((booked) => {
    let freeFrom = around - 40 * HOUR;
    return booked.map(([gapMinutes, minutes]) => {
      const start = freeFrom + gapMinutes * MINUTE;
      freeFrom = start + minutes * MINUTE;
      return { start, end: freeFrom };
    });
  });
}

/** `now`: days before the change, close to it, or 24 months before it, the booking limit. */
function currentTimes(change: Temporal.ZonedDateTime): fc.Arbitrary<number> {
  const instant = change.epochMilliseconds;
  const atLimit = change.subtract({ months: 24 }).epochMilliseconds;
  return fc.oneof(
    fc.integer({ min: 1, max: 40 }).map((days) => instant - days * 24 * HOUR),
    fc.integer({ min: -4 * 60, max: 4 * 36 }).map((quarter) => instant + quarter * 15 * MINUTE),
    fc.integer({ min: -60 * HOUR, max: 36 * HOUR }).map((passed) => instant + passed),
    fc.integer({ min: -48 * HOUR, max: 48 * HOUR }).map((passed) => atLimit + passed),
  );
}
