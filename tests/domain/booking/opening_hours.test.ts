import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  endNightBefore,
  joinConsecutiveDaysOff,
  mergeDays,
  nightBeforeEnd,
  removeExceptions,
  restoreNightBefore,
  setExceptions,
  suggestNextWindow,
  toStoredHours,
  toTypedHours,
  upcomingExceptions,
  validateWindows,
} from '#domain/booking/opening_hours.ts';
import { openingWindowsOn } from '#domain/booking/schedule.ts';
import { addDays, datesBetween } from '#domain/time/calendar_date.ts';
import { calendarsAround } from './generated_calendars.ts';

/** @param windows such as `'10:00-13:00'` */
function hours(...windows: string[]) {
  return windows.map((window) => {
    const [start = '', end = ''] = window.split('-');
    return { start, end };
  });
}

describe('validateWindows', () => {
  test.each([
    ['adjoining windows are valid', ['10:00-13:00', '13:00-24:00'], [null, null]],
    ['a window that ends as it starts', ['10:00-10:00'], ['ends_first']],
    ['a window that ends on the next day', ['10:00-09:00'], [null]],
    ['a night that begins within another one', ['10:00-22:00', '20:00-02:00'], [null, 'overlaps']],
    ['the second of two that overlap', ['10:00-13:00', '12:00-14:00'], [null, 'overlaps']],
    ['one within another', ['10:00-18:00', '11:00-12:00'], [null, 'overlaps']],
    ['the second, even if it is earlier', ['12:00-14:00', '10:00-13:00'], [null, 'overlaps']],
    ['a time that is still blank', ['10:00-', '-12:00'], ['blank', 'blank']],
  ])('%s', (_name, windows, expected) => {
    expect(validateWindows(hours(...windows))).toEqual(expected);
  });
});

test.each([
  [['20:00-02:00'], ['02:00-05:00'], [null, null]],
  [['20:00-02:01'], ['02:00-05:00'], ['overlaps_next_day', 'overlaps_night_before']],
  [['10:00-24:00'], ['00:00-05:00', '-'], [null, null, 'blank']],
])('the windows %j before the windows %j of the next day: %j', (first, second, expected) => {
  const none = hours();
  const [day, next] = [hours(...first), hours(...second)];
  expect([
    ...validateWindows(day, { before: none, after: next }),
    ...validateWindows(next, { before: day, after: none }),
  ]).toEqual(expected);
});

describe('hours past midnight, as they are typed and as they are stored', () => {
  const TODAY = '2026-12-01';
  const week = (...days: string[][]) =>
    days.map((windows, index) => ({ weekday: index + 1, windows: hours(...windows) }));
  const on = (date: string, ...windows: string[]) => ({ date, windows: hours(...windows) });
  const typedWeek = week(
    ...[[], [], ['22:00-01:00'], [], []],
    ['12:00-15:00', '20:00-02:00'],
    ['10:00-12:00'],
  );
  const storedWeek = week(
    ...[[], [], ['22:00-24:00'], ['00:00-01:00'], []],
    ['12:00-15:00', '20:00-24:00'],
    ['00:00-02:00', '10:00-12:00'],
  );
  const endedNight = [on('2026-12-02', '22:00-24:00'), on('2026-12-03')];
  const saturday = '2026-12-05';
  const sunday = '2026-12-06';

  test.each([
    ['no exceptions', [], []],
    ['the second day off', [on(sunday)], [on(sunday, '00:00-02:00')]],
    ['a closed day off, after a night that ends at midnight', endedNight, endedNight],
    ['the first day off', [on(saturday)], [on(saturday), on(sunday, '10:00-12:00')]],
    [
      'a longer night',
      [on(saturday, '20:00-04:00')],
      [on(saturday, '20:00-24:00'), on(sunday, '00:00-04:00', '10:00-12:00')],
    ],
    [
      'a night after a day of other hours, and yesterday’s',
      [on('2026-11-30', '22:00-01:00'), on('2026-12-04', '23:00-03:00')],
      [
        on('2026-11-30', '22:00-24:00'),
        on('2026-12-01', '00:00-01:00'),
        on('2026-12-04', '23:00-24:00'),
        on(saturday, '00:00-03:00', '12:00-15:00', '20:00-24:00'),
      ],
    ],
    [
      'a date with the hours of its weekday',
      [on(sunday, '10:00-12:00')],
      [on(sunday, '00:00-02:00', '10:00-12:00')],
    ],
  ])('%s', (_name, typed, stored) => {
    expect(toStoredHours({ weekly: typedWeek, exceptions: typed })).toEqual({
      weekly: storedWeek,
      exceptions: stored,
    });
    expect(toTypedHours({ weekly: storedWeek, exceptions: stored }, TODAY)).toEqual({
      weekly: typedWeek,
      exceptions: typed,
    });
  });

  test('the night before a day off stays, or ends at midnight until the day is open again', () => {
    const typed = { weekly: typedWeek, exceptions: [on(sunday)] };
    expect([saturday, sunday].map((date) => nightBeforeEnd(typed, date))).toEqual([null, '02:00']);
    const exceptions = endNightBefore(typed, sunday);
    const ended = { ...typed, exceptions };
    expect(nightBeforeEnd(ended, sunday)).toBeNull();
    expect(toStoredHours(ended).exceptions.at(-1)).toEqual(on(sunday));
    expect(restoreNightBefore(ended, sunday)).toEqual([on(sunday)]);
    const [friday, night] = [on('2026-12-04'), on(saturday, '12:00-15:00', '20:00-24:00')];
    // The last was closed at midnight for itself: Sunday is no day off.
    for (const other of [
      [friday, on(saturday, '10:00-11:00')],
      [night, on(sunday, '13:00-15:00')],
    ])
      for (const date of [saturday, sunday])
        expect(restoreNightBefore({ ...typed, exceptions: other }, date)).toEqual(other);
  });

  test('reading hours and saving them again changes no date, and the second time nothing', () => {
    const change = Date.parse('2026-11-01T06:00:00Z');
    fc.assert(
      fc.property(calendarsAround('America/New_York', change), ({ calendar, first }) => {
        const typed = toTypedHours(calendar.schedule, '2026-01-01');
        const stored = toStoredHours(typed);
        for (const date of datesBetween(addDays(first, -9), addDays(first, 9)))
          expect(openingWindowsOn(stored, date)).toEqual(openingWindowsOn(calendar.schedule, date));
        expect(toTypedHours(stored, '2026-01-01')).toEqual(typed);
      }),
    );
  });
});

describe('suggestNextWindow', () => {
  test.each([
    ['suggests ten to six on a closed day', [], '10:00-18:00'],
    ['suggests a window an hour after the last one', ['10:00-13:00'], '14:00-17:00'],
    ['does not exceed midnight', ['10:00-22:30'], '23:30-24:00'],
    ['adjoins the last window when less than an hour is left', ['10:00-23:30'], '23:30-24:00'],
    ['suggests ten to six before a night', ['20:00-02:00'], '10:00-18:00'],
    ['suggests nothing when the day is open until midnight', ['10:00-24:00'], null],
    ['suggests nothing when the night leaves no time', ['17:00-02:00'], null],
  ])('%s', (_name, windows, expected) => {
    const [suggested] = expected === null ? [null] : hours(expected);
    expect(suggestNextWindow(hours(...windows))).toEqual(suggested);
  });
});

describe('days off', () => {
  const days = [
    { date: '2026-12-24', windows: [] },
    { date: '2026-12-27', windows: hours('10:00-12:00') },
  ];

  test('setExceptions replaces the hours of a range of dates, also across the end of a year', () => {
    const off = setExceptions(days, '2026-12-26', '2027-01-02', []);
    expect(joinConsecutiveDaysOff(off)).toEqual([
      { first: '2026-12-24', last: '2026-12-24', windows: [] },
      { first: '2026-12-26', last: '2027-01-02', windows: [] },
    ]);
  });

  test('days with hours are never joined into a run', () => {
    const openDays = setExceptions([], '2026-12-01', '2026-12-02', hours('10:00-12:00'));
    expect(joinConsecutiveDaysOff(openDays)).toHaveLength(2);
  });

  test('removeExceptions leaves other dates unchanged', () => {
    expect(removeExceptions(days, '2026-12-25', '2026-12-31')).toEqual([days[0]]);
  });

  test('upcomingExceptions include today but not yesterday', () => {
    expect(upcomingExceptions(days.toReversed(), '2026-12-24')).toEqual(days);
    expect(upcomingExceptions(days, '2026-12-25')).toEqual([days[1]]);
  });
});

describe('mergeDays, when two people change a list at once', () => {
  const day = (date: string, ...windows: string[]) => ({ date, windows: hours(...windows) });
  const keyOf = ({ date }: { date: string }) => date;

  test('takes unchanged days from the other version', () => {
    const mine = [day('a', '10:00-12:00'), day('b')];
    const theirs = [day('a'), day('b', '14:00-15:00'), day('c')];
    const merged = [...mine.slice(0, 1), ...theirs.slice(1)];
    expect(mergeDays([day('a'), day('b')], mine, theirs, keyOf)).toEqual(merged);
  });

  test('does not restore a day that either of them removed', () => {
    const [a, b, c] = [day('a'), day('b'), day('c')];
    expect(mergeDays([a, b, c], [b, c], [a, c], keyOf)).toEqual([c]);
  });
});
