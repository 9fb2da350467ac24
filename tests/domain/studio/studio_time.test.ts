import { describe, expect, test } from 'vitest';
import {
  nextOpenHour,
  offsetsRange,
  resolveStudioTime,
  toStudioTime,
} from '#domain/studio/studio_time.ts';

const NEW_YORK = 'America/New_York';

describe('a time as artists enter it', () => {
  test.each([
    ['in the studio’s zone', '2026-12-01', '10:30', '15:30', '17:30'],
    ['in elapsed time, when clocks change', '2026-11-01', '00:30', '04:30', '06:30'],
  ])('is read %s', (_, date, time, start, end) => {
    const at = (utc: string) => Date.parse(`${date}T${utc}:00Z`);
    const resolved = resolveStudioTime(NEW_YORK, { date, time, minutes: 120 });
    expect(resolved).toEqual({ start: at(start), end: at(end) });
  });

  test('is null when a clock change skips it', () => {
    const at = (time: string) =>
      resolveStudioTime(NEW_YORK, { date: '2027-03-14', time, minutes: 60 });
    expect(at('02:30')).toBeNull();
    expect(at('03:00')).not.toBeNull();
  });

  test.each([
    ['Pacific/Kiritimati', '2026-12-31', '23:55', 5],
    ['Asia/Kolkata', '2026-06-15', '00:00', 1440],
    [NEW_YORK, '2027-03-14', '03:00', 60],
  ])('toStudioTime is the inverse of resolveStudioTime in %s', (zone, date, time, minutes) => {
    const resolved = resolveStudioTime(zone, { date, time, minutes });
    expect(resolved && toStudioTime(zone, resolved)).toEqual({ date, time, minutes });
  });

  const tuesdays = [{ weekday: 2, windows: [{ start: '10:30', end: '15:45' }] }];
  test.each([
    ['before opening', tuesdays, '2026-12-01T12:00:00Z', '2026-12-01T15:30:00Z'],
    ['while the studio is open', tuesdays, '2026-12-01T16:30:00Z', '2026-12-01T17:30:00Z'],
    ['after the last hour has begun', tuesdays, '2026-12-01T20:40:00Z', '2026-12-08T15:30:00Z'],
    ['10:00, always closed', [], '2026-12-01T14:59:00Z', '2026-12-01T15:00:00Z'],
    ['10:00 of the next day, always closed', [], '2026-12-01T15:00:00Z', '2026-12-02T15:00:00Z'],
  ])('the suggested start is in the next open hour, or at 10:00: %s', (_, weekly, now, start) => {
    const hours = { weekly, exceptions: [] };
    expect(nextOpenHour(hours, NEW_YORK, Date.parse(now))).toBe(Date.parse(start));
  });
});

test('the range of offsets follows the month of the studio, forwards and back', () => {
  const startAt = (now: string) => offsetsRange(NEW_YORK, Date.parse(now)).start;
  const months = ['2026-12-01T04:59Z', '2026-12-01T05:00Z', '2026-11-30T12:00Z'].map(startAt);
  const [november, december] = ['2026-11-01T04:00Z', '2026-12-01T05:00Z'].map(Date.parse);
  expect(months).toEqual([november, december, november]);
});
