import { expect, test } from 'vitest';
import { formatDuration, formatShortDuration } from '#domain/duration.ts';

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
