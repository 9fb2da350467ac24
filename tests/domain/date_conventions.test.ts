import { describe, expect, test } from 'vitest';
import { conventionsOf, preferredLocale } from '#domain/date_conventions.ts';
import { formatDay, formatShortDayAndTime, formatTimeRange } from '#domain/format_time.ts';

describe('the conventions of a locale', () => {
  test.each([
    ['en-US', 7, false, true],
    ['de-DE', 1, true, false],
    ['ja-JP', 7, false, false],
    ['ar-EG', 6, true, true],
  ])('%s', (locale, firstWeekday, isDayFirst, has12Hours) => {
    expect(conventionsOf(locale)).toEqual({ firstWeekday, isDayFirst, has12Hours });
  });
});

test.each([
  ['de-DE,de;q=0.9,en;q=0.8', 'de-DE'],
  ['  fr;q=0.5', 'fr'],
  ['*', 'en-US'],
  ['C', 'en-US'],
  [null, 'en-US'],
])('the first language of %j is %s', (header, locale) => {
  expect(preferredLocale(header)).toBe(locale);
});

test('times follow the conventions; the words and digits stay English', () => {
  const zone = 'America/New_York';
  const [start, end] = ['2026-12-01T18:00:00Z', '2026-12-01T19:59:00Z'];
  const german = conventionsOf('de-DE');
  expect(formatDay('2026-12-01', german)).toBe('Tuesday, 1 December');
  expect(formatShortDayAndTime(start, zone, german)).toBe('Tue, 1 Dec, 13:00');
  expect(formatTimeRange(start, end, zone, german)).toBe('13:00 - 15:00');
  expect(formatShortDayAndTime(start, zone, conventionsOf('ar-EG'))).toBe('Tue, 1 Dec, 1:00 PM');
  expect(formatShortDayAndTime(start, zone, conventionsOf('ja-JP'))).toBe('Tue, Dec 1, 13:00');
});
