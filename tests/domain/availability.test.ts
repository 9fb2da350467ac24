import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Calendar, FreeDay } from '#domain/availability.ts';
import {
  computeFreeTimeRanges,
  computeSlots,
  isAvailableSlot,
  requiredCalendarRange,
} from '#domain/availability.ts';
import type { Schedule } from '#domain/schedule.ts';
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

function timeRange(start: string, end: string) {
  return { start: at(start), end: at(end) };
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

function rangesIn(days: readonly FreeDay[]): string[][] {
  return days.flatMap(({ times }) =>
    times.map(({ start, end }) => [formatUtc(start), formatUtc(end)]),
  );
}

function datesIn(days: readonly FreeDay[]): string[] {
  return days.map(({ date }) => date);
}

describe('opening hours', () => {
  test('slots start at the slot interval and end within their opening window', () => {
    const calendar = studio(
      { '2026-06-02': ['10:00-13:00', '14:00-18:00'] },
      { slot_interval_minutes: 30 },
    );
    const days = computeSlots(calendar, 120, '2026-06-01', '2026-06-30', MAY);
    expect(datesIn(days)).toEqual(['2026-06-02']);
    expect(rangesIn(days)).toEqual([
      ['2026-06-02T14:00Z', '2026-06-02T16:00Z'],
      ['2026-06-02T14:30Z', '2026-06-02T16:30Z'],
      ['2026-06-02T15:00Z', '2026-06-02T17:00Z'],
      ['2026-06-02T18:00Z', '2026-06-02T20:00Z'],
      ['2026-06-02T18:30Z', '2026-06-02T20:30Z'],
      ['2026-06-02T19:00Z', '2026-06-02T21:00Z'],
      ['2026-06-02T19:30Z', '2026-06-02T21:30Z'],
      ['2026-06-02T20:00Z', '2026-06-02T22:00Z'],
    ]);
  });

  test('the hours of a weekday repeat every week', () => {
    const tuesdays = [{ weekday: 2, windows: [{ start: '10:00', end: '11:00' }] }];
    const days = computeSlots(
      studio({}, { weekly: tuesdays }),
      60,
      '2026-06-01',
      '2026-06-16',
      MAY,
    );
    expect(startsIn(days)).toEqual(['2026-06-02T14:00Z', '2026-06-09T14:00Z', '2026-06-16T14:00Z']);
  });

  test("an exception replaces the weekday's hours; without windows it means closed", () => {
    const calendar = studio(
      { '2026-06-02': ['12:00-13:00'], '2026-06-09': [] },
      { weekly: [{ weekday: 2, windows: [{ start: '10:00', end: '11:00' }] }] },
    );
    const days = computeSlots(calendar, 60, '2026-06-01', '2026-06-16', MAY);
    expect(startsIn(days)).toEqual(['2026-06-02T16:00Z', '2026-06-16T14:00Z']);
  });

  test('a date without a slot is not listed', () => {
    const calendar = studio({
      '2026-06-02': ['10:00-11:00'],
      '2026-06-03': ['10:00-12:00'],
    });
    const days = computeSlots(calendar, 90, '2026-06-02', '2026-06-03', MAY);
    expect(datesIn(days)).toEqual(['2026-06-03']);
  });

  test('the slot interval counts from the start of each window', () => {
    const calendar = studio({ '2026-06-02': ['10:10-11:45', '11:45-14:00'] });
    expect(startsIn(computeSlots(calendar, 30, '2026-06-02', '2026-06-02', MAY))).toEqual([
      '2026-06-02T14:10Z',
      '2026-06-02T15:10Z',
      '2026-06-02T15:45Z',
      '2026-06-02T16:45Z',
    ]);
  });

  test.each([
    ['at noon', { '2026-06-02': ['10:00-12:00', '12:00-14:00'] }, ['T14:00Z', 'T15:00Z']],
    [
      'at midnight',
      { '2026-06-02': ['22:00-24:00'], '2026-06-03': ['00:00-02:00'] },
      ['T02:00Z', 'T03:00Z'],
    ],
  ])('windows that touch %s are one stretch, in which slots end', (_, hours, starts) => {
    const calendar = studio(hours, { buffer_minutes: 60 });
    const list = (duration: number) =>
      computeSlots(calendar, duration, '2026-06-02', '2026-06-02', MAY);
    expect(startsIn(list(180)).map((start) => start.slice(10))).toEqual(starts);
    expect(datesIn(list(240))).toEqual(['2026-06-02']);
    expect(list(241)).toEqual([]);
  });
});

describe('appointments', () => {
  const hours = { '2026-06-02': ['10:00-12:00'] };

  test("a slot's buffer may exceed the opening hours", () => {
    const calendar = studio(hours, { buffer_minutes: 30 });
    expect(startsIn(computeSlots(calendar, 60, '2026-06-02', '2026-06-02', MAY))).toEqual([
      '2026-06-02T14:00Z',
      '2026-06-02T15:00Z',
    ]);
  });

  test("a slot's buffer may not overlap an appointment after closing time", () => {
    const list = (booked: string) => {
      const blocked = [timeRange(booked, '2026-06-02T20:00Z')];
      const calendar = studio(hours, { buffer_minutes: 30 }, { blocked });
      return startsIn(computeSlots(calendar, 60, '2026-06-02', '2026-06-02', MAY));
    };
    expect(list('2026-06-02T16:29Z')).toEqual(['2026-06-02T14:00Z']);
    expect(list('2026-06-02T16:30Z')).toEqual(['2026-06-02T14:00Z', '2026-06-02T15:00Z']);
  });

  test('a slot may start exactly when an appointment and its buffer end', () => {
    const list = (until: string) => {
      const blocked = [timeRange('2026-06-02T13:30Z', until)];
      const calendar = studio(hours, {}, { blocked });
      return startsIn(computeSlots(calendar, 60, '2026-06-02', '2026-06-02', MAY));
    };
    expect(list('2026-06-02T14:00Z')).toEqual(['2026-06-02T14:00Z', '2026-06-02T15:00Z']);
    expect(list('2026-06-02T14:01Z')).toEqual(['2026-06-02T15:00Z']);
  });

  test('slots after an appointment still start at the slot interval', () => {
    const blocked = [timeRange('2026-06-02T14:00Z', '2026-06-02T15:15Z')];
    const calendar = studio({ '2026-06-02': ['10:00-14:00'] }, {}, { blocked });
    expect(startsIn(computeSlots(calendar, 60, '2026-06-02', '2026-06-02', MAY))).toEqual([
      '2026-06-02T16:00Z',
      '2026-06-02T17:00Z',
    ]);
  });
});

describe('when clocks change', () => {
  test('a start that the clocks skip is never listed', () => {
    const calendar = studio({ '2026-03-08': ['01:00-05:00'] }, { slot_interval_minutes: 30 });
    expect(startsIn(computeSlots(calendar, 60, '2026-03-08', '2026-03-08', FEBRUARY))).toEqual([
      '2026-03-08T06:00Z',
      '2026-03-08T06:30Z',
      '2026-03-08T07:00Z',
      '2026-03-08T07:30Z',
      '2026-03-08T08:00Z',
    ]);
  });

  test('a start that occurs twice is listed once, at its first occurrence', () => {
    const calendar = studio({ '2026-11-01': ['00:30-03:00'] }, { slot_interval_minutes: 30 });
    expect(startsIn(computeSlots(calendar, 60, '2026-11-01', '2026-11-01', SEPTEMBER))).toEqual([
      '2026-11-01T04:30Z',
      '2026-11-01T05:00Z',
      '2026-11-01T05:30Z',
      '2026-11-01T07:00Z',
    ]);
  });

  test('a slot lasts its duration in elapsed time', () => {
    const spring = studio({ '2026-03-08': ['01:00-05:00'] });
    const autumn = studio({ '2026-11-01': ['00:00-03:00'] });
    expect(rangesIn(computeSlots(spring, 120, '2026-03-08', '2026-03-08', FEBRUARY))).toEqual([
      ['2026-03-08T06:00Z', '2026-03-08T08:00Z'],
      ['2026-03-08T07:00Z', '2026-03-08T09:00Z'],
    ]);
    expect(rangesIn(computeSlots(autumn, 180, '2026-11-01', '2026-11-01', SEPTEMBER))).toEqual([
      ['2026-11-01T04:00Z', '2026-11-01T07:00Z'],
      ['2026-11-01T05:00Z', '2026-11-01T08:00Z'],
    ]);
  });

  test('a window whose start is skipped opens at the next minute, but its interval does not move', () => {
    const calendar = studio({ '2026-03-08': ['02:30-05:00'] });
    expect(startsIn(computeSlots(calendar, 30, '2026-03-08', '2026-03-08', FEBRUARY))).toEqual([
      '2026-03-08T07:30Z',
      '2026-03-08T08:30Z',
    ]);
    expect(rangesIn(computeFreeTimeRanges(calendar, '2026-03-08', '2026-03-08', FEBRUARY))).toEqual(
      [['2026-03-08T07:00Z', '2026-03-08T09:00Z']],
    );
  });

  test('a window whose end is skipped closes at the next minute', () => {
    const calendar = studio({ '2026-03-08': ['00:00-02:30'] }, { slot_interval_minutes: 30 });
    expect(startsIn(computeSlots(calendar, 60, '2026-03-08', '2026-03-08', FEBRUARY))).toEqual([
      '2026-03-08T05:00Z',
      '2026-03-08T05:30Z',
      '2026-03-08T06:00Z',
    ]);
  });

  test('a window that is skipped entirely has no free time', () => {
    const calendar = studio({ '2026-03-08': ['02:15-02:45'] }, { slot_interval_minutes: 5 });
    expect(computeSlots(calendar, 5, '2026-03-08', '2026-03-08', FEBRUARY)).toEqual([]);
    expect(computeFreeTimeRanges(calendar, '2026-03-08', '2026-03-08', FEBRUARY)).toEqual([]);
  });

  test('a window whose end occurs twice closes at the first occurrence', () => {
    const calendar = studio({ '2026-11-01': ['00:00-01:30'] }, { slot_interval_minutes: 30 });
    expect(startsIn(computeSlots(calendar, 60, '2026-11-01', '2026-11-01', SEPTEMBER))).toEqual([
      '2026-11-01T04:00Z',
      '2026-11-01T04:30Z',
    ]);
    expect(
      rangesIn(computeFreeTimeRanges(calendar, '2026-11-01', '2026-11-01', SEPTEMBER)),
    ).toEqual([['2026-11-01T04:00Z', '2026-11-01T05:30Z']]);
  });

  test('a day that begins at 01:00 has no slot at midnight', () => {
    const calendar = studio(
      { '2026-03-28': ['22:00-24:00'], '2026-03-29': ['00:00-03:00'] },
      {},
      { zone: 'Asia/Beirut' },
    );
    expect(computeSlots(calendar, 60, '2026-03-28', '2026-03-29', FEBRUARY)).toEqual([
      {
        date: '2026-03-28',
        times: [
          timeRange('2026-03-28T20:00Z', '2026-03-28T21:00Z'),
          timeRange('2026-03-28T21:00Z', '2026-03-28T22:00Z'),
        ],
      },
      {
        date: '2026-03-29',
        times: [
          timeRange('2026-03-28T22:00Z', '2026-03-28T23:00Z'),
          timeRange('2026-03-28T23:00Z', '2026-03-29T00:00Z'),
        ],
      },
    ]);
  });

  test('an evening whose last hour occurs twice stays open until midnight', () => {
    const calendar = studio({ '2026-04-04': ['22:00-24:00'] }, {}, { zone: 'America/Santiago' });
    expect(rangesIn(computeSlots(calendar, 120, '2026-04-04', '2026-04-05', FEBRUARY))).toEqual([
      ['2026-04-05T01:00Z', '2026-04-05T03:00Z'],
      ['2026-04-05T02:00Z', '2026-04-05T04:00Z'],
    ]);
    expect(rangesIn(computeFreeTimeRanges(calendar, '2026-04-04', '2026-04-05', FEBRUARY))).toEqual(
      [['2026-04-05T01:00Z', '2026-04-05T04:00Z']],
    );
  });
});

describe('the minimum notice', () => {
  const calendar = studio({ '2026-06-02': ['10:00-12:00'] }, { minimum_notice_minutes: 120 });
  const listAt = (now: string) =>
    startsIn(computeSlots(calendar, 60, '2026-06-02', '2026-06-02', at(now)));

  test('includes a start exactly at its end and excludes one a minute earlier', () => {
    expect(listAt('2026-06-02T12:00:00Z')).toEqual(['2026-06-02T14:00Z', '2026-06-02T15:00Z']);
    expect(listAt('2026-06-02T12:01:00Z')).toEqual(['2026-06-02T15:00Z']);
  });

  test('excludes a start that is a millisecond too early', () => {
    expect(listAt('2026-06-02T12:00:00.001Z')).toEqual(['2026-06-02T15:00Z']);
  });

  test('can be several days long', () => {
    const weekAhead = studio(
      { '2026-06-02': ['10:00-12:00'], '2026-06-03': ['10:00-12:00'] },
      { minimum_notice_minutes: 7 * 24 * 60 },
    );
    const now = at('2026-05-26T15:00Z');
    expect(startsIn(computeSlots(weekAhead, 60, '2026-06-01', '2026-06-30', now))).toEqual([
      '2026-06-02T15:00Z',
      '2026-06-03T14:00Z',
      '2026-06-03T15:00Z',
    ]);
  });
});

describe('booking range', () => {
  const everyDay = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
    weekday,
    windows: [{ start: '23:00', end: '24:00' }],
  }));

  function datesListed(bookingRange: Calendar['bookingRange'], now: string, last: string) {
    const calendar = studio({}, { weekly: everyDay }, { bookingRange });
    return datesIn(computeSlots(calendar, 60, '2026-06-01', last, at(now)));
  }

  test('both ends of a fixed range are bookable', () => {
    const fixed = { kind: 'fixed', start: '2026-06-03', end: '2026-06-05' } as const;
    expect(datesListed(fixed, '2026-05-15T12:00Z', '2026-06-30')).toEqual([
      '2026-06-03',
      '2026-06-04',
      '2026-06-05',
    ]);
  });

  test('a fixed range that has begun is bookable from today', () => {
    const fixed = { kind: 'fixed', start: '2026-06-01', end: '2026-06-05' } as const;
    expect(datesListed(fixed, '2026-06-04T12:00Z', '2026-06-30')).toEqual([
      '2026-06-04',
      '2026-06-05',
    ]);
  });

  test("a rolling range counts from today's date in the studio's zone", () => {
    const rolling = { kind: 'rolling', days: 2 } as const;
    expect(datesListed(rolling, '2026-06-04T03:59Z', '2026-06-30')).toEqual([
      '2026-06-04',
      '2026-06-05',
    ]);
    expect(datesListed(rolling, '2026-06-04T02:59Z', '2026-06-30')).toEqual([
      '2026-06-03',
      '2026-06-04',
      '2026-06-05',
    ]);
    expect(datesListed(rolling, '2026-06-04T04:00Z', '2026-06-30')).toEqual([
      '2026-06-04',
      '2026-06-05',
      '2026-06-06',
    ]);
  });

  test('nothing is listed further than 24 months ahead', () => {
    const kinds = [
      { kind: 'open' },
      { kind: 'rolling', days: 3650 },
      { kind: 'fixed', start: '2026-01-01', end: '2099-12-31' },
    ] as const;
    for (const kind of kinds) {
      expect(datesListed(kind, '2026-06-10T12:00Z', '2028-12-31').at(-1)).toBe('2028-06-10');
    }
  });

  test('applies to free time ranges too', () => {
    const bookingRange = { kind: 'fixed', start: '2026-06-03', end: '2026-06-05' } as const;
    const calendar = studio({}, { weekly: everyDay }, { bookingRange });
    const days = computeFreeTimeRanges(calendar, '2026-06-01', '2026-06-30', MAY);
    expect(datesIn(days)).toEqual(['2026-06-03', '2026-06-04', '2026-06-05']);
  });
});

describe('free time ranges', () => {
  const hours = { '2026-06-02': ['10:00-13:00', '13:00-18:00'] };

  test('are the opening hours without the appointments; windows that touch are one', () => {
    const blocked = [
      timeRange('2026-06-02T13:00Z', '2026-06-02T14:20Z'),
      timeRange('2026-06-02T15:00Z', '2026-06-02T15:30Z'),
      timeRange('2026-06-02T15:30Z', '2026-06-02T16:00Z'),
      timeRange('2026-06-02T21:45Z', '2026-06-02T23:00Z'),
    ];
    const calendar = studio(hours, {}, { blocked });
    expect(rangesIn(computeFreeTimeRanges(calendar, '2026-06-02', '2026-06-02', MAY))).toEqual([
      ['2026-06-02T14:20Z', '2026-06-02T15:00Z'],
      ['2026-06-02T16:00Z', '2026-06-02T21:45Z'],
    ]);
  });

  test('begin after the minimum notice, at the next whole minute', () => {
    const calendar = studio(hours, { minimum_notice_minutes: 120 });
    const now = at('2026-06-02T13:05:30.500Z');
    expect(rangesIn(computeFreeTimeRanges(calendar, '2026-06-02', '2026-06-02', now))).toEqual([
      ['2026-06-02T15:06Z', '2026-06-02T22:00Z'],
    ]);
  });

  test('last at least a minute', () => {
    const calendar = studio({ '2026-06-02': ['10:00-13:00'] });
    const listAt = (now: string) =>
      rangesIn(computeFreeTimeRanges(calendar, '2026-06-02', '2026-06-02', at(now)));
    expect(listAt('2026-06-02T16:59:00Z')).toEqual([['2026-06-02T16:59Z', '2026-06-02T17:00Z']]);
    expect(listAt('2026-06-02T16:59:01Z')).toEqual([]);
  });

  test('do not list a fully booked date', () => {
    const blocked = [timeRange('2026-06-02T14:00Z', '2026-06-02T22:00Z')];
    const calendar = studio(hours, {}, { blocked });
    expect(computeFreeTimeRanges(calendar, '2026-06-02', '2026-06-02', MAY)).toEqual([]);
  });
});

describe('isAvailableSlot', () => {
  const calendar = studio({ '2026-11-01': ['00:30-03:00'] }, { slot_interval_minutes: 30 });

  test.each([
    ['a start at the slot interval', '2026-11-01T05:30Z', true],
    ['a start between two intervals', '2026-11-01T05:31Z', false],
    ['a start that is a second late', '2026-11-01T05:30:01Z', false],
    ['the second occurrence of a start', '2026-11-01T06:30Z', false],
    ['a start too late to end before closing', '2026-11-01T07:30Z', false],
    ['a start before opening', '2026-11-01T04:00Z', false],
  ])('%s, %s: %s', (_name, start, expected) => {
    expect(isAvailableSlot(calendar, 60, at(start), SEPTEMBER)).toBe(expected);
  });

  test('a slot that exceeds its window is not available', () => {
    expect(isAvailableSlot(calendar, 90, at('2026-11-01T06:30Z'), SEPTEMBER)).toBe(false);
    expect(isAvailableSlot(calendar, 90, at('2026-11-01T05:30Z'), SEPTEMBER)).toBe(true);
  });
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
      expect(computeSlots(calendar, duration, first, last, now)).toEqual(
        expectedSlots(calendar, duration, first, last, now),
      );
    });
  });

  test.each(CHOSEN_CASES)('free time ranges in $zone, $days', ({ zone, instants }) => {
    check(zone, instants, 20, ({ calendar, first, last, now }) => {
      expect(computeFreeTimeRanges(calendar, first, last, now)).toEqual(
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
          computeSlots({ ...calendar, blocked: withOutside }, duration, first, last, now),
        ).toEqual(computeSlots(onlyRequired, duration, first, last, now));
      });
    },
  );
});
