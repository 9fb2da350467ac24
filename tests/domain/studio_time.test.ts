import { describe, expect, test } from 'vitest';
import { nextOpenHour, resolveStudioTime, toStudioTime } from '#domain/studio_time.ts';

const NEW_YORK = 'America/New_York';

describe('a time as an artist says it', () => {
  test('is read in the studio’s zone', () => {
    expect(resolveStudioTime(NEW_YORK, { date: '2026-12-01', time: '10:30', minutes: 90 })).toEqual(
      {
        start: Date.parse('2026-12-01T15:30:00Z'),
        end: Date.parse('2026-12-01T17:00:00Z'),
      },
    );
  });

  test('a time that a change of clocks skips is none', () => {
    expect(
      resolveStudioTime(NEW_YORK, { date: '2027-03-14', time: '02:30', minutes: 60 }),
    ).toBeNull();
    expect(
      resolveStudioTime(NEW_YORK, { date: '2027-03-14', time: '03:00', minutes: 60 }),
    ).not.toBeNull();
  });

  test('its length is elapsed time, also over a change of clocks', () => {
    const time = { date: '2026-11-01', time: '00:30', minutes: 120 };
    const read = resolveStudioTime(NEW_YORK, time);
    expect(read).toEqual({
      start: Date.parse('2026-11-01T04:30:00Z'),
      end: Date.parse('2026-11-01T06:30:00Z'),
    });
  });

  test.each([
    ['Pacific/Kiritimati', '2026-12-31', '23:55', 5],
    ['Asia/Kolkata', '2026-06-15', '00:00', 1440],
    [NEW_YORK, '2027-03-14', '03:00', 60],
  ])('what is read in %s is said the same way again', (zone, date, time, minutes) => {
    const read = resolveStudioTime(zone, { date, time, minutes });
    expect(read && toStudioTime(zone, read)).toEqual({ date, time, minutes });
  });

  test.each([
    ['before it opens', '2026-12-01T12:00:00Z', '2026-12-01T15:30:00Z'],
    ['while it is open', '2026-12-01T16:30:00Z', '2026-12-01T17:30:00Z'],
    ['once its last hour has begun', '2026-12-01T20:40:00Z', '2026-12-08T15:30:00Z'],
  ])('%s, one begins with an hour in which the studio is open', (_, now, start) => {
    const windows = [{ start: '10:30', end: '15:45' }];
    const tuesdays = { weekly: [{ weekday: 2, windows }], exceptions: [] };
    expect(nextOpenHour(tuesdays, NEW_YORK, Date.parse(now))).toBe(Date.parse(start));
  });

  test('where the studio never opens, one begins at the next full hour', () => {
    const never = { weekly: [], exceptions: [] };
    const now = Date.parse('2026-12-01T15:59:59Z');
    expect(nextOpenHour(never, NEW_YORK, now)).toBe(Date.parse('2026-12-01T16:00:00Z'));
  });
});
