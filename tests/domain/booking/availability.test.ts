import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FreeDay } from '#domain/booking/availability.ts';
import {
  computeFreeTimeRanges,
  computeSlots,
  isAvailableSlot,
  requiredCalendarRange,
} from '#domain/booking/availability.ts';
import type { Schedule } from '#domain/booking/schedule.ts';
import type { AvailabilityQuery } from './generated_calendars.ts';
import { calendarsAround, clockChanges } from './generated_calendars.ts';
import {
  expectedFreeTimeRanges,
  expectedSlots,
  localDateAt,
  type NamedCalendar,
} from './reference_availability.ts';

const MINUTE = 60_000;

// Values of `now`, each at least two weeks before the dates in the tests that use it.
const MAY = at('2026-05-15T12:00Z');
const FEBRUARY = at('2026-02-20T12:00Z');
const SEPTEMBER = at('2026-09-15T12:00Z');

const HOURLY: Schedule = {
  weekly: [],
  exceptions: [],
  slot_interval_minutes: 60,
  buffer_minutes: 0,
  minimum_notice_minutes: 0,
};

type Hours = Record<string, readonly string[]>;

/** A studio in New York that is open only on the dates of `hours` (`'10:00-13:00'`) by default. */
function studio(
  hours: Hours,
  schedule: Partial<Schedule> = {},
  changes: Partial<NamedCalendar> = {},
): NamedCalendar {
  const exceptions = Object.entries(hours).map(([date, windows]) => ({
    date,
    windows: windows.map((window) => ({ start: window.slice(0, 5), end: window.slice(6) })),
  }));
  return {
    zone: 'America/New_York',
    schedule: { ...HOURLY, exceptions, ...schedule },
    bookingRange: { kind: 'open' },
    blocked: [],
    ...changes,
  };
}

function at(instant: string): number {
  return Date.parse(instant);
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

function formatUtc(instant: number): string {
  return new Date(instant).toISOString().replace(':00.000Z', 'Z');
}

function startsIn(days: readonly FreeDay[]): string[] {
  return days.flatMap(({ times }) => times.map(({ start }) => formatUtc(start)));
}

const on = (date: string) => ({ first: date, last: date });

test.each([
  ['at noon', { '2026-06-02': ['10:00-12:00', '12:00-14:00'] }, ['T14:00Z', 'T15:00Z']],
  [
    'at midnight',
    { '2026-06-02': ['22:00-24:00'], '2026-06-03': ['00:00-02:00'] },
    ['T02:00Z', 'T03:00Z'],
  ],
])('windows that touch %s are one stretch, in which slots end', (_, hours, starts) => {
  const calendar = studio(hours, { buffer_minutes: 60 });
  const list = (duration: number) => computeSlots(calendar, duration, on('2026-06-02'), MAY);
  expect(startsIn(list(180)).map((start) => start.slice(10))).toEqual(starts);
  expect(list(240).map(({ date }) => date)).toEqual(['2026-06-02']);
  expect(list(241)).toEqual([]);
});

test("a slot's buffer may not overlap an appointment after closing time", () => {
  const list = (booked: string) => {
    const blocked = [{ start: at(booked), end: at('2026-06-02T20:00Z') }];
    const calendar = studio({ '2026-06-02': ['10:00-12:00'] }, { buffer_minutes: 30 }, { blocked });
    return startsIn(computeSlots(calendar, 60, on('2026-06-02'), MAY));
  };
  expect(list('2026-06-02T16:29Z')).toEqual(['2026-06-02T14:00Z']);
  expect(list('2026-06-02T16:30Z')).toEqual(['2026-06-02T14:00Z', '2026-06-02T15:00Z']);
});

describe('when clocks change', () => {
  test('a start that the clocks skip is never listed', () => {
    const calendar = studio({ '2026-03-08': ['01:00-05:00'] }, { slot_interval_minutes: 30 });
    expect(startsIn(computeSlots(calendar, 60, on('2026-03-08'), FEBRUARY))).toEqual([
      '2026-03-08T06:00Z',
      '2026-03-08T06:30Z',
      '2026-03-08T07:00Z',
      '2026-03-08T07:30Z',
      '2026-03-08T08:00Z',
    ]);
  });

  test('a start that occurs twice is listed once, at its first occurrence', () => {
    const calendar = studio({ '2026-11-01': ['00:30-03:00'] }, { slot_interval_minutes: 30 });
    expect(startsIn(computeSlots(calendar, 60, on('2026-11-01'), SEPTEMBER))).toEqual([
      '2026-11-01T04:30Z',
      '2026-11-01T05:00Z',
      '2026-11-01T05:30Z',
      '2026-11-01T07:00Z',
    ]);
  });
});

test('the minimum notice includes a start exactly at its end, and excludes one a minute earlier', () => {
  const calendar = studio({ '2026-06-02': ['10:00-12:00'] }, { minimum_notice_minutes: 120 });
  const listAt = (now: string) => startsIn(computeSlots(calendar, 60, on('2026-06-02'), at(now)));
  expect(listAt('2026-06-02T12:00:00Z')).toEqual(['2026-06-02T14:00Z', '2026-06-02T15:00Z']);
  expect(listAt('2026-06-02T12:01:00Z')).toEqual(['2026-06-02T15:00Z']);
});

const CHANGING_ZONES = words(`
  Africa/Cairo Africa/Casablanca Africa/Ceuta America/Adak America/Anchorage America/Chicago
  America/Denver America/Halifax America/Havana America/Los_Angeles America/Miquelon
  America/New_York America/Nuuk America/Port-au-Prince America/Santiago America/Scoresbysund
  America/St_Johns America/Tijuana Antarctica/Troll Asia/Beirut Asia/Gaza Asia/Jerusalem
  Atlantic/Azores Atlantic/Bermuda Atlantic/Madeira Australia/Adelaide Australia/Lord_Howe
  Australia/Sydney Europe/Athens Europe/Berlin Europe/Chisinau Europe/Dublin Europe/Helsinki
  Europe/Kyiv Europe/Lisbon Europe/London Pacific/Auckland Pacific/Chatham Pacific/Easter
  Pacific/Norfolk
`);

const STEADY_ZONES = words(`
  America/Asuncion America/Phoenix Asia/Kathmandu Asia/Kolkata Asia/Tokyo Australia/Eucla
  Etc/UTC Pacific/Apia Pacific/Kiritimati Pacific/Marquesas Pacific/Pago_Pago
`);

/** New Year, a leap day, the day after most clocks change, midsummer. */
const STEADY_DAYS = [
  '2026-12-31T12:00Z',
  '2028-02-29T12:00Z',
  '2027-03-29T00:00Z',
  '2026-06-21T00:00Z',
];

/** The instants to test in each zone: all clock changes of 2026 or 2027, or days without any. */
const CASES = [
  ...CHANGING_ZONES.flatMap((zone) =>
    [2026, 2027]
      .map((year) => ({ zone, days: `${year}`, instants: clockChanges(zone, year) }))
      .filter(({ instants }) => instants.length > 0),
  ),
  ...STEADY_ZONES.map((zone) => ({ zone, days: 'steady days', instants: STEADY_DAYS.map(at) })),
];

/** Fewer where the same tests run again, on a machine in another zone (vitest.config.ts). */
const EVERY_NTH = Number(process.env['EVERY_NTH_CASE'] ?? 1);
const CHOSEN_CASES = CASES.filter((_, index) => index % EVERY_NTH === 0);

function check(
  zone: string,
  instants: readonly number[],
  runs: number,
  predicate: (query: AvailabilityQuery) => void,
) {
  for (const instant of instants) {
    fc.assert(fc.property(calendarsAround(zone, instant), predicate), { numRuns: runs });
  }
}

describe('against an independent calculation', { timeout: 30_000 }, () => {
  test('the cases cover forty zones, most with two clock changes in both years', () => {
    expect(new Set(CASES.map(({ zone }) => zone)).size).toBeGreaterThanOrEqual(40);
    const changing = CHANGING_ZONES.filter((zone) =>
      [2026, 2027].every((year) => clockChanges(zone, year).length === 2),
    );
    expect(changing.length).toBeGreaterThanOrEqual(35);
  });

  test.each(CHOSEN_CASES)('slots in $zone, $days', ({ zone, instants }) => {
    check(zone, instants, 40, ({ calendar, duration, first, last, now }) => {
      expect(computeSlots(calendar, duration, { first, last }, now)).toEqual(
        expectedSlots(calendar, duration, first, last, now),
      );
    });
  });

  test.each(CHOSEN_CASES)('free time ranges in $zone, $days', ({ zone, instants }) => {
    check(zone, instants, 20, ({ calendar, first, last, now }) => {
      expect(computeFreeTimeRanges(calendar, { first, last }, now)).toEqual(
        expectedFreeTimeRanges(calendar, first, last, now),
      );
    });
  });

  test.each(CHOSEN_CASES)('isAvailableSlot in $zone, $days', ({ zone, instants }) => {
    for (const instant of instants) {
      const minutes = fc.array(fc.integer({ min: -22 * 60, max: 22 * 60 }), { maxLength: 6 });
      const property = fc.property(
        calendarsAround(zone, instant),
        minutes,
        (query, minutesLater) => {
          const { calendar, duration, first, last, now } = query;
          for (const day of expectedSlots(calendar, duration, first, last, now)) {
            for (const { start } of day.times.slice(0, 4)) {
              expect(isAvailableSlot(calendar, duration, start, now)).toBe(true);
              expect(isAvailableSlot(calendar, duration, start + 1, now)).toBe(false);
            }
          }
          for (const start of minutesLater.map((minute) => instant + minute * MINUTE)) {
            const date = localDateAt(zone, start).toString();
            const slots = expectedSlots(calendar, duration, date, date, now);
            const expected = slots.some((day) => day.times.some((slot) => slot.start === start));
            expect(isAvailableSlot(calendar, duration, start, now)).toBe(expected);
          }
        },
      );
      fc.assert(property, { numRuns: 10 });
    }
  });

  test.each(CHOSEN_CASES)(
    'appointments outside requiredCalendarRange do not matter in $zone, $days',
    ({ zone, instants }) => {
      check(zone, instants, 5, ({ calendar, duration, first, last, now }) => {
        const required = requiredCalendarRange(first, last, calendar.schedule.buffer_minutes);
        const withOutside = [
          { start: required.start - 5000 * MINUTE, end: required.start },
          ...calendar.blocked.filter(
            ({ start, end }) => start >= required.start && end <= required.end,
          ),
          { start: required.end, end: required.end + 5000 * MINUTE },
        ];
        const onlyRequired = { ...calendar, blocked: withOutside.slice(1, -1) };
        expect(
          computeSlots({ ...calendar, blocked: withOutside }, duration, { first, last }, now),
        ).toEqual(computeSlots(onlyRequired, duration, { first, last }, now));
      });
    },
  );
});
