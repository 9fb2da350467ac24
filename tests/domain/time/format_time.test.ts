import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { conventionsOf } from '#domain/time/date_conventions.ts';
import {
  formatDay,
  formatDayWithYear,
  formatMonth,
  formatShortDay,
  formatShortDayAndTime,
  formatTime,
  formatTimeRange,
  isSameWallTime,
  localDateAt,
  toExclusiveEnd,
  wallTimeAt,
} from '#domain/time/format_time.ts';
import { formatTimeRangeWithZone, formatTimeWithZone } from '#domain/time/format_time_with_zone.ts';

const NEW_YORK = 'America/New_York';
const LOS_ANGELES = 'America/Los_Angeles';

it('the end in the text is one minute after the last minute, included', () => {
  expect(toExclusiveEnd('2026-12-01T16:59:00Z')).toBe(Date.parse('2026-12-01T17:00:00Z'));
  expect(formatTimeRange('2026-12-01T15:00:00Z', '2026-12-01T16:59:00Z', NEW_YORK)).toBe(
    '10:00 AM - 12:00 PM',
  );
});

it.each([
  ['en-US', 'Tue, Dec 1, 3:00 PM', 'Tuesday, December 1, 2026', '3:00 PM - 5:00 PM'],
  ['ja-JP', 'Tue, Dec 1, 15:00', 'Tuesday, December 1, 2026', '15:00 - 17:00'],
  ['de-DE', 'Tue, 1 Dec, 15:00', 'Tuesday, 1 December 2026', '15:00 - 17:00'],
  ['ar-EG', 'Tue, 1 Dec, 3:00 PM', 'Tuesday, 1 December 2026', '3:00 PM - 5:00 PM'],
])('in the conventions of %s the words stay English', (locale, short, day, range) => {
  const conventions = conventionsOf(locale);
  const [start, end] = ['2026-12-01T20:00:00Z', '2026-12-01T21:59:00Z'];
  expect(formatShortDayAndTime(start, NEW_YORK, conventions)).toBe(short);
  expect(formatDayWithYear(start, NEW_YORK, conventions)).toBe(day);
  expect(formatTimeRange(start, end, NEW_YORK, conventions)).toBe(range);
  expect(formatDay('2026-12-01', conventions)).toBe(day.replace(/,? 2026/, ''));
});

it('a range across a clock change shows the zone abbreviations', () => {
  expect(formatTimeRange('2026-11-01T05:30:00Z', '2026-11-01T06:29:00Z', NEW_YORK)).toBe(
    '1:30 AM EDT - 1:30 AM EST',
  );
});

it('texts for readers in any zone name the zone', () => {
  const [start, end] = ['2026-12-01T15:00:00Z', '2026-12-01T16:59:00Z'];
  expect(formatTimeRangeWithZone(start, end, NEW_YORK)).toBe(
    '10:00 AM - 12:00 PM EST, Eastern Time (New York)',
  );
  expect(formatTimeWithZone(start, NEW_YORK)).toBe(
    'Tuesday, December 1, 2026 at 10:00 AM EST, Eastern Time (New York)',
  );
  expect(formatTimeWithZone(start, 'UTC')).toBe('Tuesday, December 1, 2026 at 3:00 PM UTC');
  expect(formatTimeRangeWithZone('2026-11-01T05:30:00Z', '2026-11-01T06:29:00Z', NEW_YORK)).toBe(
    '1:30 AM EDT - 1:30 AM EST, Eastern Time (New York)',
  );
});

it('midnight is 12:00 AM and noon is 12:00 PM', () => {
  expect(formatTime('2026-12-01T05:00:00Z', NEW_YORK)).toBe('12:00 AM');
  expect(formatTime('2026-12-01T17:00:00Z', NEW_YORK)).toBe('12:00 PM');
  expect(formatTime('2026-12-01T05:00:00Z', NEW_YORK, conventionsOf('de-DE'))).toBe('00:00');
});

it('dates have weekday, month and day; months have their year', () => {
  expect(formatDay('2026-12-01')).toBe('Tuesday, December 1');
  expect(formatMonth('2026-12')).toBe('December 2026');
  expect(formatShortDay('2026-12-02T04:30:00Z', NEW_YORK)).toBe('Tue, Dec 1, 2026');
});

it('zones with different names can have the same wall-clock time', () => {
  expect(isSameWallTime(NEW_YORK, 'America/Toronto', '2026-12-01T15:00:00Z')).toBe(true);
  expect(isSameWallTime(NEW_YORK, LOS_ANGELES, '2026-12-01T15:00:00Z')).toBe(false);
  expect(isSameWallTime('America/Phoenix', LOS_ANGELES, '2026-07-01T15:00:00Z')).toBe(true);
  expect(isSameWallTime('America/Phoenix', LOS_ANGELES, '2026-12-01T15:00:00Z')).toBe(false);
});

describe('the date at an instant', () => {
  it.each([
    ['America/New_York', '2026-06-02T03:59:59Z', '2026-06-01'],
    ['America/New_York', '2026-06-02T04:00:00Z', '2026-06-02'],
    ['America/New_York', '2026-03-08T04:30:00Z', '2026-03-07'],
    ['America/New_York', '2026-11-01T04:30:00Z', '2026-11-01'],
    ['America/New_York', '2026-11-02T04:30:00Z', '2026-11-01'],
    ['Australia/Sydney', '2026-10-03T13:30:00Z', '2026-10-03'],
    ['Asia/Beirut', '2026-03-28T21:59:59Z', '2026-03-28'],
    ['Asia/Beirut', '2026-03-28T22:00:00Z', '2026-03-29'],
    ['America/Santiago', '2026-04-05T03:30:00Z', '2026-04-04'],
    ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31'],
    ['Etc/UTC', '2026-12-31T23:59:59Z', '2026-12-31'],
  ])('in %s at %s', (zone, instant, date) => {
    expect(localDateAt(zone, Date.parse(instant))).toBe(date);
  });

  it('is the same as in Temporal, as is the wall-clock time, at any instant of 2026 and 2027', () => {
    const zones = fc.constantFrom(
      'America/New_York',
      'Europe/Dublin',
      'Pacific/Chatham',
      'Asia/Gaza',
    );
    const instants = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2028, 0) });
    fc.assert(
      fc.property(zones, instants, (zone, instant) => {
        const expected = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
        expect(localDateAt(zone, instant)).toBe(expected.toPlainDate().toString());
        expect(wallTimeAt(zone, instant)).toBe(expected.toPlainTime().toString().slice(0, 5));
      }),
      { numRuns: 500 },
    );
  });
});
