import { describe, expect, test } from 'vitest';
import {
  addDays,
  addMonths,
  addYearMonths,
  monthBounds,
  parseYearMonth,
  toYearMonth,
  weekdayOf,
} from '#domain/time/calendar_date.ts';

describe('days and months', () => {
  test.each([
    ['2026-06-01', 1, '2026-06-02'],
    ['2026-03-08', 1, '2026-03-09'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2027-01-01', -1, '2026-12-31'],
    ['2028-02-28', 1, '2028-02-29'],
    ['2026-02-28', 1, '2026-03-01'],
    ['2026-01-01', 365, '2027-01-01'],
  ])('%s plus %i days is %s', (date, days, expected) => {
    expect(addDays(date, days)).toBe(expected);
  });

  test.each([
    ['2026-06-15', 24, '2028-06-15'],
    ['2026-01-31', 1, '2026-02-28'],
    ['2028-01-31', 1, '2028-02-29'],
    ['2028-02-29', 24, '2030-02-28'],
    ['2028-02-29', 48, '2032-02-29'],
    ['2026-08-31', 1, '2026-09-30'],
    ['2026-12-31', 2, '2027-02-28'],
    ['2026-11-30', 1, '2026-12-30'],
    ['2026-03-31', -1, '2026-02-28'],
  ])('%s plus %i months is %s', (date, months, expected) => {
    expect(addMonths(date, months)).toBe(expected);
  });

  test.each([
    [2026, 1, '2026-01-01', '2026-01-31'],
    [2026, 2, '2026-02-01', '2026-02-28'],
    [2028, 2, '2028-02-01', '2028-02-29'],
    [2026, 4, '2026-04-01', '2026-04-30'],
    [2026, 12, '2026-12-01', '2026-12-31'],
  ])('month %i-%i is %s to %s', (year, month, first, last) => {
    expect(monthBounds(year, month)).toEqual({ first, last });
  });

  test.each([
    ['2026-06-01', 1],
    ['2026-06-06', 6],
    ['2026-06-07', 7],
    ['2028-02-29', 2],
  ])('%s is weekday %i', (date, weekday) => {
    expect(weekdayOf(date)).toBe(weekday);
  });
});

test('months continue across the end of a year', () => {
  expect(toYearMonth('2026-12-31')).toBe('2026-12');
  expect(addYearMonths('2026-12', 2)).toBe('2027-02');
  expect(addYearMonths('2027-01', -1)).toBe('2026-12');
  expect(parseYearMonth('2027-02')).toEqual({ year: 2027, number: 2 });
});
