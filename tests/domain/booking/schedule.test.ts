import { describe, expect, test } from 'vitest';
import { areWindowsValid, openingWindowsOn } from '#domain/booking/schedule.ts';

/** @param windows such as `'10:00-13:00'` */
function hours(...windows: string[]) {
  return windows.map((window) => ({ start: window.slice(0, 5), end: window.slice(6) }));
}

describe('the windows of a date', () => {
  const schedule = {
    weekly: [
      { weekday: 2, windows: hours('14:00-18:00', '10:00-13:00') },
      { weekday: 7, windows: hours('09:30-24:00') },
    ],
    exceptions: [
      { date: '2026-06-09', windows: [] },
      { date: '2026-06-10', windows: hours('12:00-13:00', '08:00-09:00') },
    ],
  };

  test.each([
    ['a Tuesday has Tuesday hours, earliest first', '2026-06-02', ['10:00-13:00', '14:00-18:00']],
    ['a Sunday is weekday 7', '2026-06-07', ['09:30-24:00']],
    ['a weekday without hours is closed', '2026-06-01', []],
    ['an exception closes its date', '2026-06-09', []],
    ['an exception opens its date, earliest first', '2026-06-10', ['08:00-09:00', '12:00-13:00']],
    ['the week after an exception is as usual', '2026-06-16', ['10:00-13:00', '14:00-18:00']],
  ])('%s', (_name, date, expected) => {
    expect(openingWindowsOn(schedule, date)).toEqual(hours(...expected));
  });

  test('reading them does not reorder the artist’s windows', () => {
    openingWindowsOn(schedule, '2026-06-02');
    expect(schedule.weekly[0]?.windows).toEqual(hours('14:00-18:00', '10:00-13:00'));
  });
});

describe('windows of one day', () => {
  test.each([
    ['none', [], true],
    ['the whole day', ['00:00-24:00'], true],
    ['a single minute', ['23:59-24:00'], true],
    ['two that adjoin', ['10:00-13:00', '13:00-18:00'], true],
    ['in any order', ['14:00-18:00', '10:00-13:00'], true],
    ['one that ends as it starts', ['10:00-10:00'], false],
    ['one that ends before it starts', ['18:00-10:00'], false],
    ['two that overlap by a minute', ['10:00-13:01', '13:00-18:00'], false],
    ['one inside another', ['10:00-18:00', '12:00-13:00'], false],
    ['the same twice', ['10:00-13:00', '10:00-13:00'], false],
    ['an overlap written latest first', ['12:00-18:00', '10:00-12:30'], false],
  ])('%s', (_name, windows, isValid) => {
    expect(areWindowsValid(hours(...windows))).toBe(isValid);
  });
});
