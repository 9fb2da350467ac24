import { describe, expect, test } from 'vitest';
import { formatWallTime, parseWallTime, toRfc3339 } from '#domain/time/time.ts';

describe('times as text', () => {
  test.each([
    ['00:00', 0],
    ['02:15', 135],
    ['23:59', 1439],
    ['24:00', 1440],
  ])('%s is minute %i of the day', (time, minute) => {
    expect(parseWallTime(time)).toBe(minute);
    expect(formatWallTime(minute)).toBe(time);
  });

  test('instants are written in UTC to the second', () => {
    expect(toRfc3339(Date.UTC(2026, 10, 24, 15, 0, 0))).toBe('2026-11-24T15:00:00Z');
    expect(toRfc3339(Date.UTC(2026, 10, 24, 15, 4, 5, 678))).toBe('2026-11-24T15:04:05Z');
    expect([-1, 0, -1].map(toRfc3339)).toEqual([
      '1969-12-31T23:59:59Z',
      '1970-01-01T00:00:00Z',
      '1969-12-31T23:59:59Z',
    ]);
  });
});
