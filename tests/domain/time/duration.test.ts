import { expect, test } from 'vitest';
import { formatDuration, formatShortDuration, formatTimeLeft } from '#domain/time/duration.ts';

test.each([
  [5, '5 min'],
  [60, '1 h'],
  [90, '1 h 30 min'],
  [480, '8 h'],
  [1440, '24 h'],
  [0, '0 min'],
])('%i minutes are %s in short', (minutes, text) => {
  expect(formatShortDuration(minutes)).toBe(text);
});

test.each([
  [0, '0 minutes'],
  [1, '1 minute'],
  [45, '45 minutes'],
  [60, '1 hour'],
  [90, '1 hour 30 minutes'],
  [1440, '1 day'],
  [1500, '25 hours'],
  [2880, '2 days'],
  [10_080, '1 week'],
])('%i minutes are %s', (minutes, text) => {
  expect(formatDuration(minutes)).toBe(text);
});

test.each([
  [3 * 86_400_000 - 1, '2 days'],
  [26 * 3_600_000, '26 hours'],
  [3_600_000, '1 hour'],
  [3_599_999, '59 minutes'],
  [300_000, '5 minutes'],
  [299_999, '4 min 59 s'],
  [1_000, '1 s'],
  [0, '0 s'],
  [-5_000, '0 s'],
])('of %i milliseconds, %s are left', (left, text) => {
  expect(formatTimeLeft(left)).toBe(text);
});
