import { expect, it } from 'vitest';
import {
  addYearMonths,
  formatDay,
  formatDayWithYear,
  formatMonth,
  formatShortDay,
  formatTime,
  formatTimeRange,
  formatTimeRangeWithZone,
  formatTimeWithZone,
  isSameWallTime,
  localDateIn,
  parseYearMonth,
  toExclusiveEnd,
  toYearMonth,
} from '#domain/format_time.ts';

const NEW_YORK = 'America/New_York';
const LOS_ANGELES = 'America/Los_Angeles';

it('the end in the text is one minute after the last minute, included', () => {
  expect(toExclusiveEnd('2026-12-01T16:59:00Z')).toBe(Date.parse('2026-12-01T17:00:00Z'));
  expect(formatTimeRange('2026-12-01T15:00:00Z', '2026-12-01T16:59:00Z', NEW_YORK)).toBe(
    '10:00 AM - 12:00 PM',
  );
});

it('a range across a clock change shows the zone abbreviations', () => {
  expect(formatTimeRange('2026-11-01T05:30:00Z', '2026-11-01T06:29:00Z', NEW_YORK)).toBe(
    '1:30 AM EDT - 1:30 AM EST',
  );
});

it('texts for readers in any zone name the zone', () => {
  const [start, end] = ['2026-12-01T15:00:00Z', '2026-12-01T16:59:00Z'];
  expect(formatTimeRangeWithZone(start, end, NEW_YORK)).toBe(
    '10:00 AM - 12:00 PM (America/New_York, EST)',
  );
  expect(formatTimeWithZone(start, NEW_YORK)).toBe(
    'Tuesday, December 1, 2026 at 10:00 AM (America/New_York, EST)',
  );
  expect(formatTimeWithZone(start, 'UTC')).toBe('Tuesday, December 1, 2026 at 3:00 PM (UTC)');
  expect(formatTimeWithZone('2026-07-01T15:00:00Z', NEW_YORK)).toContain('(America/New_York, EDT)');
  expect(formatTimeRangeWithZone('2026-11-01T05:30:00Z', '2026-11-01T06:29:00Z', NEW_YORK)).toBe(
    '1:30 AM EDT - 1:30 AM EST (America/New_York)',
  );
});

it('dates are in the given zone', () => {
  const lateEvening = '2026-12-02T04:30:00Z';
  expect(localDateIn(NEW_YORK, lateEvening)).toBe('2026-12-01');
  expect(localDateIn('UTC', lateEvening)).toBe('2026-12-02');
  expect(localDateIn('Pacific/Kiritimati', Date.parse(lateEvening))).toBe('2026-12-02');
  expect(formatDayWithYear(lateEvening, NEW_YORK)).toBe('Tuesday, December 1, 2026');
  expect(formatShortDay(lateEvening, NEW_YORK)).toBe('Tue, Dec 1, 2026');
});

it('midnight is 12:00 AM and noon is 12:00 PM', () => {
  expect(formatTime('2026-12-01T05:00:00Z', NEW_YORK)).toBe('12:00 AM');
  expect(formatTime('2026-12-01T17:00:00Z', NEW_YORK)).toBe('12:00 PM');
});

it('formatTime accepts another locale', () => {
  expect(formatTime('2026-12-01T17:00:00Z', NEW_YORK, 'de')).toBe('12:00');
});

it('dates have weekday, month and day; months have their year', () => {
  expect(formatDay('2026-12-01')).toBe('Tuesday, December 1');
  expect(formatMonth('2026-12')).toBe('December 2026');
});

it('zones with different names can have the same wall-clock time', () => {
  expect(isSameWallTime(NEW_YORK, 'America/Toronto', '2026-12-01T15:00:00Z')).toBe(true);
  expect(isSameWallTime(NEW_YORK, LOS_ANGELES, '2026-12-01T15:00:00Z')).toBe(false);
  expect(isSameWallTime('America/Phoenix', LOS_ANGELES, '2026-07-01T15:00:00Z')).toBe(true);
  expect(isSameWallTime('America/Phoenix', LOS_ANGELES, '2026-12-01T15:00:00Z')).toBe(false);
});

it('months continue across the end of a year', () => {
  expect(toYearMonth('2026-12-31')).toBe('2026-12');
  expect(addYearMonths('2026-12', 2)).toBe('2027-02');
  expect(addYearMonths('2027-01', -1)).toBe('2026-12');
  expect(parseYearMonth('2027-02')).toEqual({ year: 2027, number: 2 });
});
