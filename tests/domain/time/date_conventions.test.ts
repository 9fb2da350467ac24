import { expect, test } from 'vitest';
import { conventionsOf, preferredLocale } from '#domain/time/date_conventions.ts';

test.each([
  ['en-US', 7, false, true],
  ['de-DE', 1, true, false],
  ['ja-JP', 7, false, false],
  ['ar-EG', 6, true, true],
])('the conventions of %s', (locale, firstWeekday, isDayFirst, has12Hours) => {
  expect(conventionsOf(locale)).toEqual({ firstWeekday, isDayFirst, has12Hours });
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
