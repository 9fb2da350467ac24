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
import type { Asked } from './generated_calendars.ts';
import { calendarsAround, clockChanges } from './generated_calendars.ts';
import { dateShown, expectedFreeStretches, expectedSlots } from './reference_availability.ts';

const MINUTE = 60_000;

/** Two weeks and more before the days that the examples ask about. */
const JUNE = at('2026-05-15T12:00Z');
const MARCH = at('2026-02-20T12:00Z');
const AUTUMN = at('2026-09-15T12:00Z');

const HOURLY: Schedule = {
  weekly: [],
  exceptions: [],
  slot_interval_minutes: 60,
  buffer_minutes: 0,
  minimum_notice_minutes: 0,
};

type Hours = Record<string, readonly string[]>;

/** A studio in New York, open on these dates (`'10:00-13:00'`) unless told otherwise. */
function studio(
  hours: Hours,
  schedule: Partial<Schedule> = {},
  rest: Partial<Calendar> = {},
): Calendar {
  const exceptions = Object.entries(hours).map(([date, windows]) => ({
    date,
    windows: windows.map((window) => ({ start: window.slice(0, 5), end: window.slice(6) })),
  }));
  return {
    zone: 'America/New_York',
    schedule: { ...HOURLY, exceptions, ...schedule },
    bookingRange: { kind: 'open' },
    blocked: [],
    ...rest,
  };
}

function at(instant: string): number {
  return Date.parse(instant);
}

function stretch(start: string, end: string) {
  return { start: at(start), end: at(end) };
}

function shown(instant: number): string {
  return new Date(instant).toISOString().replace(':00.000Z', 'Z');
}

function startsIn(days: readonly FreeDay[]): string[] {
  return days.flatMap(({ times }) => times.map(({ start }) => shown(start)));
}

function stretchesIn(days: readonly FreeDay[]): string[][] {
  return days.flatMap(({ times }) => times.map(({ start, end }) => [shown(start), shown(end)]));
}

function datesIn(days: readonly FreeDay[]): string[] {
  return days.map(({ date }) => date);
}

describe('opening hours', () => {
  test('slots begin on the interval within each window and end by its end', () => {
    const calendar = studio(
      { '2026-06-02': ['10:00-13:00', '14:00-18:00'] },
      { slot_interval_minutes: 30 },
    );
    const days = computeSlots(calendar, 120, '2026-06-01', '2026-06-30', JUNE);
    expect(datesIn(days)).toEqual(['2026-06-02']);
    expect(stretchesIn(days)).toEqual([
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

  test('a weekday opens every week', () => {
    const tuesdays = [{ weekday: 2, windows: [{ start: '10:00', end: '11:00' }] }];
    const days = computeSlots(
      studio({}, { weekly: tuesdays }),
      60,
      '2026-06-01',
      '2026-06-16',
      JUNE,
    );
    expect(startsIn(days)).toEqual(['2026-06-02T14:00Z', '2026-06-09T14:00Z', '2026-06-16T14:00Z']);
  });

  test("an exception replaces that date's weekly windows, and none means closed", () => {
    const calendar = studio(
      { '2026-06-02': ['12:00-13:00'], '2026-06-09': [] },
      { weekly: [{ weekday: 2, windows: [{ start: '10:00', end: '11:00' }] }] },
    );
    const days = computeSlots(calendar, 60, '2026-06-01', '2026-06-16', JUNE);
    expect(startsIn(days)).toEqual(['2026-06-02T16:00Z', '2026-06-16T14:00Z']);
  });

  test('a date without a slot is not listed', () => {
    const calendar = studio({ '2026-06-02': ['10:00-11:00'], '2026-06-03': ['10:00-12:00'] });
    const days = computeSlots(calendar, 90, '2026-06-02', '2026-06-03', JUNE);
    expect(datesIn(days)).toEqual(['2026-06-03']);
  });

  test('the interval counts from where each window opens', () => {
    const calendar = studio({ '2026-06-02': ['10:10-11:45', '11:45-14:00'] });
    expect(startsIn(computeSlots(calendar, 30, '2026-06-02', '2026-06-02', JUNE))).toEqual([
      '2026-06-02T14:10Z',
      '2026-06-02T15:10Z',
      '2026-06-02T15:45Z',
      '2026-06-02T16:45Z',
    ]);
  });

  test('windows that touch at midnight are not merged', () => {
    const calendar = studio({ '2026-06-02': ['22:00-24:00'], '2026-06-03': ['00:00-02:00'] });
    const list = (duration: number) =>
      startsIn(computeSlots(calendar, duration, '2026-06-02', '2026-06-03', JUNE));
    expect(list(120)).toEqual(['2026-06-03T02:00Z', '2026-06-03T04:00Z']);
    expect(list(180)).toEqual([]);
  });

  test('windows that touch at noon are not merged', () => {
    const calendar = studio({ '2026-06-02': ['10:00-12:00', '12:00-14:00'] });
    const list = (duration: number) =>
      startsIn(computeSlots(calendar, duration, '2026-06-02', '2026-06-02', JUNE));
    expect(list(120)).toEqual(['2026-06-02T14:00Z', '2026-06-02T16:00Z']);
    expect(list(180)).toEqual([]);
  });

  test("dates are the studio's, also where the day begins long before UTC's", () => {
    const calendar = studio({ '2026-06-02': ['09:00-10:00'] }, {}, { zone: 'Pacific/Kiritimati' });
    const days = computeSlots(calendar, 60, '2026-06-02', '2026-06-02', JUNE);
    expect(datesIn(days)).toEqual(['2026-06-02']);
    expect(startsIn(days)).toEqual(['2026-06-01T19:00Z']);
  });
});

describe('appointments', () => {
  const hours = { '2026-06-02': ['10:00-12:00'] };

  test("a slot's buffer may run past closing time", () => {
    const calendar = studio(hours, { buffer_minutes: 30 });
    expect(startsIn(computeSlots(calendar, 60, '2026-06-02', '2026-06-02', JUNE))).toEqual([
      '2026-06-02T14:00Z',
      '2026-06-02T15:00Z',
    ]);
  });

  test("a slot's buffer may not run into an appointment after closing time", () => {
    const list = (booked: string) => {
      const blocked = [stretch(booked, '2026-06-02T20:00Z')];
      const calendar = studio(hours, { buffer_minutes: 30 }, { blocked });
      return startsIn(computeSlots(calendar, 60, '2026-06-02', '2026-06-02', JUNE));
    };
    expect(list('2026-06-02T16:29Z')).toEqual(['2026-06-02T14:00Z']);
    expect(list('2026-06-02T16:30Z')).toEqual(['2026-06-02T14:00Z', '2026-06-02T15:00Z']);
  });

  test('a slot may begin the moment an appointment and its buffer end', () => {
    const list = (until: string) => {
      const blocked = [stretch('2026-06-02T13:30Z', until)];
      const calendar = studio(hours, {}, { blocked });
      return startsIn(computeSlots(calendar, 60, '2026-06-02', '2026-06-02', JUNE));
    };
    expect(list('2026-06-02T14:00Z')).toEqual(['2026-06-02T14:00Z', '2026-06-02T15:00Z']);
    expect(list('2026-06-02T14:01Z')).toEqual(['2026-06-02T15:00Z']);
  });

  test('starts stay on the interval after an appointment', () => {
    const blocked = [stretch('2026-06-02T14:00Z', '2026-06-02T15:15Z')];
    const calendar = studio({ '2026-06-02': ['10:00-14:00'] }, {}, { blocked });
    expect(startsIn(computeSlots(calendar, 60, '2026-06-02', '2026-06-02', JUNE))).toEqual([
      '2026-06-02T16:00Z',
      '2026-06-02T17:00Z',
    ]);
  });

  test('an appointment from before midnight keeps its time on the next date', () => {
    const blocked = [stretch('2026-06-03T03:00Z', '2026-06-03T05:00Z')];
    const calendar = studio({ '2026-06-03': ['00:00-03:00'] }, {}, { blocked });
    expect(startsIn(computeSlots(calendar, 60, '2026-06-03', '2026-06-03', JUNE))).toEqual([
      '2026-06-03T05:00Z',
      '2026-06-03T06:00Z',
    ]);
  });
});

describe('when clocks change', () => {
  test('a start that clocks skip is never offered', () => {
    const calendar = studio({ '2026-03-08': ['01:00-05:00'] }, { slot_interval_minutes: 30 });
    expect(startsIn(computeSlots(calendar, 60, '2026-03-08', '2026-03-08', MARCH))).toEqual([
      '2026-03-08T06:00Z',
      '2026-03-08T06:30Z',
      '2026-03-08T07:00Z',
      '2026-03-08T07:30Z',
      '2026-03-08T08:00Z',
    ]);
  });

  test('a start that occurs twice is offered once, at its first occurrence', () => {
    const calendar = studio({ '2026-11-01': ['00:30-03:00'] }, { slot_interval_minutes: 30 });
    expect(startsIn(computeSlots(calendar, 60, '2026-11-01', '2026-11-01', AUTUMN))).toEqual([
      '2026-11-01T04:30Z',
      '2026-11-01T05:00Z',
      '2026-11-01T05:30Z',
      '2026-11-01T07:00Z',
    ]);
  });

  test('hours on the evening before and the afternoon after are the usual ones', () => {
    const calendar = studio({ '2026-03-07': ['21:00-23:00'], '2026-03-08': ['12:00-14:00'] });
    expect(startsIn(computeSlots(calendar, 60, '2026-03-07', '2026-03-08', MARCH))).toEqual([
      '2026-03-08T02:00Z',
      '2026-03-08T03:00Z',
      '2026-03-08T16:00Z',
      '2026-03-08T17:00Z',
    ]);
  });

  test('a slot lasts its duration in elapsed time', () => {
    const spring = studio({ '2026-03-08': ['01:00-05:00'] });
    const autumn = studio({ '2026-11-01': ['00:00-03:00'] });
    expect(stretchesIn(computeSlots(spring, 120, '2026-03-08', '2026-03-08', MARCH))).toEqual([
      ['2026-03-08T06:00Z', '2026-03-08T08:00Z'],
      ['2026-03-08T07:00Z', '2026-03-08T09:00Z'],
    ]);
    expect(stretchesIn(computeSlots(autumn, 180, '2026-11-01', '2026-11-01', AUTUMN))).toEqual([
      ['2026-11-01T04:00Z', '2026-11-01T07:00Z'],
      ['2026-11-01T05:00Z', '2026-11-01T08:00Z'],
    ]);
  });

  test('a window whose opening is skipped opens at the next minute, its interval unmoved', () => {
    const calendar = studio({ '2026-03-08': ['02:30-05:00'] });
    expect(startsIn(computeSlots(calendar, 30, '2026-03-08', '2026-03-08', MARCH))).toEqual([
      '2026-03-08T07:30Z',
      '2026-03-08T08:30Z',
    ]);
    expect(stretchesIn(computeFreeTimeRanges(calendar, '2026-03-08', '2026-03-08', MARCH))).toEqual(
      [['2026-03-08T07:00Z', '2026-03-08T09:00Z']],
    );
  });

  test('a window whose closing is skipped closes at the next minute', () => {
    const calendar = studio({ '2026-03-08': ['00:00-02:30'] }, { slot_interval_minutes: 30 });
    expect(startsIn(computeSlots(calendar, 60, '2026-03-08', '2026-03-08', MARCH))).toEqual([
      '2026-03-08T05:00Z',
      '2026-03-08T05:30Z',
      '2026-03-08T06:00Z',
    ]);
  });

  test('a window that is skipped whole has nothing to offer', () => {
    const calendar = studio({ '2026-03-08': ['02:15-02:45'] }, { slot_interval_minutes: 5 });
    expect(computeSlots(calendar, 5, '2026-03-08', '2026-03-08', MARCH)).toEqual([]);
    expect(computeFreeTimeRanges(calendar, '2026-03-08', '2026-03-08', MARCH)).toEqual([]);
  });

  test('a window whose closing occurs twice closes at the first', () => {
    const calendar = studio({ '2026-11-01': ['00:00-01:30'] }, { slot_interval_minutes: 30 });
    expect(startsIn(computeSlots(calendar, 60, '2026-11-01', '2026-11-01', AUTUMN))).toEqual([
      '2026-11-01T04:00Z',
      '2026-11-01T04:30Z',
    ]);
    expect(
      stretchesIn(computeFreeTimeRanges(calendar, '2026-11-01', '2026-11-01', AUTUMN)),
    ).toEqual([['2026-11-01T04:00Z', '2026-11-01T05:30Z']]);
  });

  test('half an hour is skipped on Lord Howe Island', () => {
    const calendar = studio(
      { '2026-10-04': ['01:30-03:30'] },
      { slot_interval_minutes: 15 },
      { zone: 'Australia/Lord_Howe' },
    );
    expect(startsIn(computeSlots(calendar, 15, '2026-10-04', '2026-10-04', AUTUMN))).toEqual([
      '2026-10-03T15:00Z',
      '2026-10-03T15:15Z',
      '2026-10-03T15:30Z',
      '2026-10-03T15:45Z',
      '2026-10-03T16:00Z',
      '2026-10-03T16:15Z',
    ]);
  });

  test('a day that begins at one in the morning has no midnight to offer', () => {
    const calendar = studio(
      { '2026-03-28': ['22:00-24:00'], '2026-03-29': ['00:00-03:00'] },
      {},
      { zone: 'Asia/Beirut' },
    );
    expect(computeSlots(calendar, 60, '2026-03-28', '2026-03-29', MARCH)).toEqual([
      {
        date: '2026-03-28',
        times: [
          stretch('2026-03-28T20:00Z', '2026-03-28T21:00Z'),
          stretch('2026-03-28T21:00Z', '2026-03-28T22:00Z'),
        ],
      },
      {
        date: '2026-03-29',
        times: [
          stretch('2026-03-28T22:00Z', '2026-03-28T23:00Z'),
          stretch('2026-03-28T23:00Z', '2026-03-29T00:00Z'),
        ],
      },
    ]);
  });

  test('an evening whose last hour occurs twice stays open until midnight', () => {
    const calendar = studio({ '2026-04-04': ['22:00-24:00'] }, {}, { zone: 'America/Santiago' });
    expect(stretchesIn(computeSlots(calendar, 120, '2026-04-04', '2026-04-05', MARCH))).toEqual([
      ['2026-04-05T01:00Z', '2026-04-05T03:00Z'],
      ['2026-04-05T02:00Z', '2026-04-05T04:00Z'],
    ]);
    expect(stretchesIn(computeFreeTimeRanges(calendar, '2026-04-04', '2026-04-05', MARCH))).toEqual(
      [['2026-04-05T01:00Z', '2026-04-05T04:00Z']],
    );
  });
});

describe('notice', () => {
  const calendar = studio({ '2026-06-02': ['10:00-12:00'] }, { minimum_notice_minutes: 120 });
  const listAt = (now: string) =>
    startsIn(computeSlots(calendar, 60, '2026-06-02', '2026-06-02', at(now)));

  test('includes the exact start and excludes one that is too early by a minute', () => {
    expect(listAt('2026-06-02T12:00:00Z')).toEqual(['2026-06-02T14:00Z', '2026-06-02T15:00Z']);
    expect(listAt('2026-06-02T12:01:00Z')).toEqual(['2026-06-02T15:00Z']);
  });

  test('excludes a start that is too early by a thousandth of a second', () => {
    expect(listAt('2026-06-02T12:00:00.001Z')).toEqual(['2026-06-02T15:00Z']);
  });

  test('of days reaches over dates', () => {
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

  test('what is left of a fixed range begins today', () => {
    const fixed = { kind: 'fixed', start: '2026-06-01', end: '2026-06-05' } as const;
    expect(datesListed(fixed, '2026-06-04T12:00Z', '2026-06-30')).toEqual([
      '2026-06-04',
      '2026-06-05',
    ]);
  });

  test("a rolling range is today and so many days more, by the studio's date", () => {
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

  test('free stretches keep to it as well', () => {
    const bookingRange = { kind: 'fixed', start: '2026-06-03', end: '2026-06-05' } as const;
    const calendar = studio({}, { weekly: everyDay }, { bookingRange });
    const days = computeFreeTimeRanges(calendar, '2026-06-01', '2026-06-30', JUNE);
    expect(datesIn(days)).toEqual(['2026-06-03', '2026-06-04', '2026-06-05']);
  });
});

describe('free stretches', () => {
  const hours = { '2026-06-02': ['10:00-13:00', '13:00-18:00'] };

  test('are the open hours less the appointments, windows unmerged', () => {
    const blocked = [
      stretch('2026-06-02T13:00Z', '2026-06-02T14:20Z'),
      stretch('2026-06-02T15:00Z', '2026-06-02T15:30Z'),
      stretch('2026-06-02T15:30Z', '2026-06-02T16:00Z'),
      stretch('2026-06-02T21:45Z', '2026-06-02T23:00Z'),
    ];
    const calendar = studio(hours, {}, { blocked });
    expect(stretchesIn(computeFreeTimeRanges(calendar, '2026-06-02', '2026-06-02', JUNE))).toEqual([
      ['2026-06-02T14:20Z', '2026-06-02T15:00Z'],
      ['2026-06-02T16:00Z', '2026-06-02T17:00Z'],
      ['2026-06-02T17:00Z', '2026-06-02T21:45Z'],
    ]);
  });

  test('begin after the notice, at the next whole minute', () => {
    const calendar = studio(hours, { minimum_notice_minutes: 120 });
    const now = at('2026-06-02T13:05:30.500Z');
    expect(stretchesIn(computeFreeTimeRanges(calendar, '2026-06-02', '2026-06-02', now))).toEqual([
      ['2026-06-02T15:06Z', '2026-06-02T17:00Z'],
      ['2026-06-02T17:00Z', '2026-06-02T22:00Z'],
    ]);
  });

  test('shorter than a minute are dropped, of a minute kept', () => {
    const calendar = studio({ '2026-06-02': ['10:00-13:00'] });
    const listAt = (now: string) =>
      stretchesIn(computeFreeTimeRanges(calendar, '2026-06-02', '2026-06-02', at(now)));
    expect(listAt('2026-06-02T16:59:00Z')).toEqual([['2026-06-02T16:59Z', '2026-06-02T17:00Z']]);
    expect(listAt('2026-06-02T16:59:01Z')).toEqual([]);
  });

  test('do not list a date that is booked out', () => {
    const blocked = [stretch('2026-06-02T14:00Z', '2026-06-02T22:00Z')];
    const calendar = studio(hours, {}, { blocked });
    expect(computeFreeTimeRanges(calendar, '2026-06-02', '2026-06-02', JUNE)).toEqual([]);
  });
});

describe('a chosen start', () => {
  const calendar = studio({ '2026-11-01': ['00:30-03:00'] }, { slot_interval_minutes: 30 });

  test.each([
    ['on the interval', '2026-11-01T05:30Z', true],
    ['off the interval', '2026-11-01T05:31Z', false],
    ['a second late', '2026-11-01T05:30:01Z', false],
    ['the second time that clocks show it', '2026-11-01T06:30Z', false],
    ['too late to end by closing', '2026-11-01T07:30Z', false],
    ['before opening', '2026-11-01T04:00Z', false],
  ])('%s is judged as the list would', (_name, start, expected) => {
    expect(isAvailableSlot(calendar, 60, at(start), AUTUMN)).toBe(expected);
  });

  test('of another length than the window takes is not listed', () => {
    expect(isAvailableSlot(calendar, 90, at('2026-11-01T06:30Z'), AUTUMN)).toBe(false);
    expect(isAvailableSlot(calendar, 90, at('2026-11-01T05:30Z'), AUTUMN)).toBe(true);
  });
});

const CHANGING_ZONES = [
  'Africa/Cairo',
  'Africa/Casablanca',
  'Africa/Ceuta',
  'America/Adak',
  'America/Anchorage',
  'America/Chicago',
  'America/Denver',
  'America/Halifax',
  'America/Havana',
  'America/Los_Angeles',
  'America/Miquelon',
  'America/New_York',
  'America/Nuuk',
  'America/Port-au-Prince',
  'America/Santiago',
  'America/Scoresbysund',
  'America/St_Johns',
  'America/Tijuana',
  'Antarctica/Troll',
  'Asia/Beirut',
  'Asia/Gaza',
  'Asia/Jerusalem',
  'Atlantic/Azores',
  'Atlantic/Bermuda',
  'Atlantic/Madeira',
  'Australia/Adelaide',
  'Australia/Lord_Howe',
  'Australia/Sydney',
  'Europe/Athens',
  'Europe/Berlin',
  'Europe/Chisinau',
  'Europe/Dublin',
  'Europe/Helsinki',
  'Europe/Kyiv',
  'Europe/Lisbon',
  'Europe/London',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Pacific/Easter',
  'Pacific/Norfolk',
];

const STEADY_ZONES = [
  'America/Asuncion',
  'America/Phoenix',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Tokyo',
  'Australia/Eucla',
  'Etc/UTC',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Pacific/Marquesas',
  'Pacific/Pago_Pago',
];

/** New Year, a leap day, the day after most clocks change, midsummer. */
const STEADY_DAYS = [
  '2026-12-31T12:00Z',
  '2028-02-29T12:00Z',
  '2027-03-29T00:00Z',
  '2026-06-21T00:00Z',
];

/** What each zone is asked about: both changes of 2026, both of 2027, or some days without any. */
const CASES = [
  ...CHANGING_ZONES.flatMap((zone) =>
    [2026, 2027]
      .map((year) => ({ zone, days: `${year}`, instants: clockChanges(zone, year) }))
      .filter(({ instants }) => instants.length > 0),
  ),
  ...STEADY_ZONES.map((zone) => ({ zone, days: 'steady days', instants: STEADY_DAYS.map(at) })),
];

function check(
  zone: string,
  instants: readonly number[],
  runs: number,
  hold: (asked: Asked) => void,
) {
  for (const instant of instants) {
    fc.assert(fc.property(calendarsAround(zone, instant), hold), { numRuns: runs });
  }
}

describe('against an independent calculation', { timeout: 30_000 }, () => {
  test('forty zones are asked about, most with two changes of clocks in both years', () => {
    expect(new Set(CASES.map(({ zone }) => zone)).size).toBeGreaterThanOrEqual(40);
    const changing = CHANGING_ZONES.filter((zone) =>
      [2026, 2027].every((year) => clockChanges(zone, year).length === 2),
    );
    expect(changing.length).toBeGreaterThanOrEqual(35);
  });

  test.each(CASES)('slots in $zone, $days', ({ zone, instants }) => {
    check(zone, instants, 40, ({ calendar, duration, first, last, now }) => {
      expect(computeSlots(calendar, duration, first, last, now)).toEqual(
        expectedSlots(calendar, duration, first, last, now),
      );
    });
  });

  test.each(CASES)('free stretches in $zone, $days', ({ zone, instants }) => {
    check(zone, instants, 20, ({ calendar, first, last, now }) => {
      expect(computeFreeTimeRanges(calendar, first, last, now)).toEqual(
        expectedFreeStretches(calendar, first, last, now),
      );
    });
  });

  test.each(CASES)('a chosen start in $zone, $days', ({ zone, instants }) => {
    for (const instant of instants) {
      const minutes = fc.array(fc.integer({ min: -22 * 60, max: 22 * 60 }), { maxLength: 6 });
      const property = fc.property(calendarsAround(zone, instant), minutes, (asked, chosen) => {
        const { calendar, duration, first, last, now } = asked;
        for (const day of expectedSlots(calendar, duration, first, last, now)) {
          for (const { start } of day.times.slice(0, 4)) {
            expect(isAvailableSlot(calendar, duration, start, now)).toBe(true);
            expect(isAvailableSlot(calendar, duration, start + 1, now)).toBe(false);
          }
        }
        for (const start of chosen.map((minute) => instant + minute * MINUTE)) {
          const date = dateShown(zone, start).toString();
          const slots = expectedSlots(calendar, duration, date, date, now);
          const expected = slots.some((day) => day.times.some((slot) => slot.start === start));
          expect(isAvailableSlot(calendar, duration, start, now)).toBe(expected);
        }
      });
      fc.assert(property, { numRuns: 10 });
    }
  });

  test.each(CASES)(
    'appointments outside the span that was asked for do not matter in $zone, $days',
    ({ zone, instants }) => {
      check(zone, instants, 5, ({ calendar, duration, first, last, now }) => {
        const span = requiredCalendarRange(first, last, calendar.schedule.buffer_minutes);
        const beyond = [
          { start: span.start - 5000 * MINUTE, end: span.start },
          ...calendar.blocked.filter(({ start, end }) => start >= span.start && end <= span.end),
          { start: span.end, end: span.end + 5000 * MINUTE },
        ];
        const within = { ...calendar, blocked: beyond.slice(1, -1) };
        expect(computeSlots({ ...calendar, blocked: beyond }, duration, first, last, now)).toEqual(
          computeSlots(within, duration, first, last, now),
        );
      });
    },
  );
});
