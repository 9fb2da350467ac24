import { describe, expect, test } from 'vitest';
import {
  joinConsecutiveDaysOff,
  mergeDays,
  removeExceptions,
  setExceptions,
  suggestNextWindow,
  upcomingExceptions,
  validateWindows,
} from '#domain/opening_hours.ts';

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
    ['a window that ends before it starts', ['10:00-09:00'], ['ends_first']],
    ['the second of two that overlap', ['10:00-13:00', '12:00-14:00'], [null, 'overlaps']],
    ['one within another', ['10:00-18:00', '11:00-12:00'], [null, 'overlaps']],
    [
      'the second of two that overlap, even if it is earlier in the day',
      ['12:00-14:00', '10:00-13:00'],
      [null, 'overlaps'],
    ],
    ['a time that is still blank', ['10:00-', '-12:00'], ['blank', 'blank']],
  ])('%s', (_name, windows, expected) => {
    expect(validateWindows(hours(...windows))).toEqual(expected);
  });
});

describe('suggestNextWindow', () => {
  test.each([
    ['suggests ten to six on a closed day', [], '10:00-18:00'],
    ['suggests a window an hour after the last one', ['10:00-13:00'], '14:00-17:00'],
    ['does not exceed midnight', ['10:00-22:30'], '23:30-24:00'],
    ['adjoins the last window when less than an hour is left', ['10:00-23:30'], '23:30-24:00'],
  ])('%s', (_name, windows, expected) => {
    expect(suggestNextWindow(hours(...windows))).toEqual(hours(expected)[0]);
  });

  test('returns null when the day is open until midnight', () => {
    expect(suggestNextWindow(hours('10:00-24:00'))).toBeNull();
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
    expect(joinConsecutiveDaysOff(openDays).map(({ first, last }) => [first, last])).toEqual([
      ['2026-12-01', '2026-12-01'],
      ['2026-12-02', '2026-12-02'],
    ]);
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
    const before = [day('a'), day('b')];
    const mine = [day('a', '10:00-12:00'), day('b')];
    const theirs = [day('a'), day('b', '14:00-15:00'), day('c')];
    expect(mergeDays(before, mine, theirs, keyOf)).toEqual([
      day('a', '10:00-12:00'),
      day('b', '14:00-15:00'),
      day('c'),
    ]);
  });

  test('does not restore a day that either of them removed', () => {
    const before = [day('a'), day('b'), day('c')];
    expect(mergeDays(before, [day('b'), day('c')], [day('a'), day('c')], keyOf)).toEqual([
      day('c'),
    ]);
  });
});
