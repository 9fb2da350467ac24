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

/** `'10:00-13:00'` and so on. */
function hours(...windows: string[]) {
  return windows.map((window) => {
    const [start = '', end = ''] = window.split('-');
    return { start, end };
  });
}

describe('what is wrong with a day', () => {
  test.each([
    ['windows that only touch are fine', ['10:00-13:00', '13:00-24:00'], [null, null]],
    ['a window that ends as it starts', ['10:00-10:00'], ['ends_first']],
    ['a window that ends before it starts', ['10:00-09:00'], ['ends_first']],
    ['the later one of two that overlap', ['10:00-13:00', '12:00-14:00'], [null, 'overlaps']],
    ['one that lies within an earlier one', ['10:00-18:00', '11:00-12:00'], [null, 'overlaps']],
    [
      'one that overlaps, though it is earlier in the day',
      ['12:00-14:00', '10:00-13:00'],
      [null, 'overlaps'],
    ],
    ['a time that is not typed yet', ['10:00-', '-12:00'], ['blank', 'blank']],
  ])('%s', (_name, windows, expected) => {
    expect(validateWindows(hours(...windows))).toEqual(expected);
  });
});

describe('a window to begin with', () => {
  test.each([
    ['a closed day opens from ten to six', [], '10:00-18:00'],
    ['the next one follows an hour later', ['10:00-13:00'], '14:00-17:00'],
    ['it does not run past midnight', ['10:00-22:30'], '23:30-24:00'],
    ['it follows at once where there is no hour left', ['10:00-23:30'], '23:30-24:00'],
  ])('%s', (_name, windows, expected) => {
    expect(suggestNextWindow(hours(...windows))).toEqual(hours(expected)[0]);
  });

  test('there is none after midnight', () => {
    expect(suggestNextWindow(hours('10:00-24:00'))).toBeNull();
  });
});

describe('days off', () => {
  const days = [
    { date: '2026-12-24', windows: [] },
    { date: '2026-12-27', windows: hours('10:00-12:00') },
  ];

  test('a range of days is off, over the end of a year, in place of what it had', () => {
    const off = setExceptions(days, '2026-12-26', '2027-01-02', []);
    expect(joinConsecutiveDaysOff(off)).toEqual([
      { first: '2026-12-24', last: '2026-12-24', windows: [] },
      { first: '2026-12-26', last: '2027-01-02', windows: [] },
    ]);
  });

  test('days with hours are never joined', () => {
    const own = setExceptions([], '2026-12-01', '2026-12-02', hours('10:00-12:00'));
    expect(joinConsecutiveDaysOff(own).map(({ first, last }) => [first, last])).toEqual([
      ['2026-12-01', '2026-12-01'],
      ['2026-12-02', '2026-12-02'],
    ]);
  });

  test('clearing leaves the days beside it', () => {
    expect(removeExceptions(days, '2026-12-25', '2026-12-31')).toEqual([days[0]]);
  });

  test('today still matters, yesterday does not', () => {
    expect(upcomingExceptions(days.toReversed(), '2026-12-24')).toEqual(days);
    expect(upcomingExceptions(days, '2026-12-25')).toEqual([days[1]]);
  });
});

describe('two who change a list at once', () => {
  const day = (date: string, ...windows: string[]) => ({ date, windows: hours(...windows) });
  const keyOf = ({ date }: { date: string }) => date;

  test('what one left alone stays as the other made it', () => {
    const before = [day('a'), day('b')];
    const mine = [day('a', '10:00-12:00'), day('b')];
    const theirs = [day('a'), day('b', '14:00-15:00'), day('c')];
    expect(mergeDays(before, mine, theirs, keyOf)).toEqual([
      day('a', '10:00-12:00'),
      day('b', '14:00-15:00'),
      day('c'),
    ]);
  });

  test('what one removed does not come back, what the other removed neither', () => {
    const before = [day('a'), day('b'), day('c')];
    expect(mergeDays(before, [day('b'), day('c')], [day('a'), day('c')], keyOf)).toEqual([
      day('c'),
    ]);
  });
});
