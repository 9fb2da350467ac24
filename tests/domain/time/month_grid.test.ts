import { describe, expect, it, test } from 'vitest';
import { dateForKey, isGridNavigationKey, weeksOfMonth } from '#domain/time/month_grid.ts';

describe('the weeks of a month', () => {
  it('begin on Sunday and have null for days of other months', () => {
    expect(weeksOfMonth('2026-12', 7)).toEqual([
      [null, null, '2026-12-01', '2026-12-02', '2026-12-03', '2026-12-04', '2026-12-05'],
      ...[6, 13, 20].map((first) =>
        Array.from({ length: 7 }, (_, day) => `2026-12-${String(first + day).padStart(2, '0')}`),
      ),
      ['2026-12-27', '2026-12-28', '2026-12-29', '2026-12-30', '2026-12-31', null, null],
    ]);
  });

  it.each([
    [1, null, '2026-12-01'],
    [6, null, null],
  ])('begin on the ISO weekday %i', (firstWeekday, first, second) => {
    const [week] = weeksOfMonth('2026-12', firstWeekday);
    expect(week?.slice(0, 2)).toEqual([first, second]);
  });

  it.each([
    ['2026-02', 4, 28],
    ['2028-02', 5, 29],
    ['2027-01', 6, 31],
  ])('of %s are %i, with %i days', (month, weeks, days) => {
    expect(weeksOfMonth(month, 7)).toHaveLength(weeks);
    expect(weeksOfMonth(month, 7).flat().filter(Boolean)).toHaveLength(days);
  });
});

describe('a key in the grid of days', () => {
  const CLOSED = new Set(['2026-12-10', '2026-12-13', '2026-12-19', '2027-01-09']);
  const days = {
    first: '2026-12-01',
    last: '2028-12-31',
    isSelectable: (date: string) => !CLOSED.has(date),
    firstWeekday: 7,
  };

  test.each([
    ['ArrowRight', '2026-12-08', '2026-12-09'],
    ['ArrowRight', '2026-12-09', '2026-12-11'],
    ['ArrowRight', '2026-12-31', '2027-01-01'],
    ['ArrowLeft', '2026-12-11', '2026-12-09'],
    ['ArrowDown', '2026-12-03', '2026-12-17'],
    ['ArrowUp', '2026-12-17', '2026-12-03'],
    ['PageDown', '2026-12-31', '2027-01-31'],
    ['PageDown', '2027-01-31', '2027-02-28'],
    ['PageDown', '2026-12-09', '2027-02-09'],
    ['PageUp', '2027-02-09', '2026-12-09'],
    ['Home', '2026-12-17', '2026-12-14'],
    ['End', '2026-12-17', '2026-12-18'],
    ['Shift+ArrowRight', '2026-12-03', '2027-01-03'],
    ['Shift+ArrowLeft', '2027-01-03', '2026-12-03'],
    ['Shift+ArrowDown', '2026-12-03', '2027-12-03'],
    ['Shift+ArrowUp', '2027-12-03', '2026-12-03'],
    ['Shift+PageDown', '2026-12-03', '2027-12-03'],
    ['Shift+PageUp', '2027-12-03', '2026-12-03'],
  ])('%s leads from %s to %s and skips closed days', (key, from, to) => {
    expect(dateForKey(key, from, days)).toBe(to);
  });

  test.each([
    ['ArrowLeft', '2026-12-01'],
    ['ArrowUp', '2026-12-07'],
    ['PageUp', '2026-12-31'],
    ['ArrowRight', '2028-12-31'],
    ['Shift+PageDown', '2028-01-01'],
    ['Enter', '2026-12-08'],
  ])('%s from %s leads to no day', (key, from) => {
    expect(dateForKey(key, from, days)).toBeNull();
  });

  it('is recognized by isGridNavigationKey, other keys are not', () => {
    expect(['ArrowUp', 'Shift+PageUp', 'Home', 'End'].every(isGridNavigationKey)).toBe(true);
    expect(['Enter', ' ', 'Tab', 'Shift+Tab', 'Shift+Home', 'a'].some(isGridNavigationKey)).toBe(
      false,
    );
  });
});
