import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import {
  formatShortDateAndTime,
  formatTimeRange,
  formatTimeWithZone,
  localDateAt,
  wallTimeAt,
} from '#domain/format_time.ts';
import { parseWallTime } from '#domain/time.ts';
import { listZoneOffsets, resolveWallTime } from '#domain/wall_clock.ts';
import { offsetMinutesAt } from '#domain/zone_offsets.ts';

const ZONES = [
  'America/Los_Angeles',
  'Asia/Kathmandu',
  'Asia/Tokyo',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'Pacific/Apia',
];

function toStudioZone(time_zone: string, first: string, last: string) {
  return { time_zone, offsets: listZoneOffsets(time_zone, Date.parse(first), Date.parse(last)) };
}

test('the offsets of a zone begin with the first instant, and follow the changes of its clocks', () => {
  const berlin = toStudioZone('Europe/Berlin', '2026-11-01T12:30:15Z', '2028-12-01T00:00:00Z');
  expect(berlin.offsets).toEqual([
    { from: '2026-11-01T12:30:15Z', minutes: 60 },
    { from: '2027-03-28T01:00:00Z', minutes: 120 },
    { from: '2027-10-31T01:00:00Z', minutes: 60 },
    { from: '2028-03-26T01:00:00Z', minutes: 120 },
    { from: '2028-10-29T01:00:00Z', minutes: 60 },
  ]);
  const start = Date.parse('2027-03-28T01:00:00Z');
  expect(listZoneOffsets('Europe/Berlin', start, start)).toEqual([
    { from: '2027-03-28T01:00:00Z', minutes: 120 },
  ]);
});

test.each(ZONES)('times by the offsets of %s are those of its zone', (name) => {
  const [first, last] = ['2010-05-01T00:00:00Z', '2031-01-01T00:00:00Z'];
  const zone = toStudioZone(name, first, last);
  const instants = fc.integer({ min: Date.parse(first), max: Date.parse(last) });
  const changes = fc.constantFrom(...zone.offsets.map(({ from }) => Date.parse(from)));
  const nearChanges = fc
    .tuple(changes, fc.integer({ min: 0, max: 150 }))
    .map(([at, minutes]) => at + minutes * 60_000);
  fc.assert(
    fc.property(fc.oneof(instants, nearChanges), (instant) => {
      const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name);
      expect(offsetMinutesAt(zone, instant)).toBe(zoned.offsetNanoseconds / 60e9);
      const [date, time] = [localDateAt(zone, instant), wallTimeAt(zone, instant)];
      expect([date, time]).toEqual([localDateAt(name, instant), wallTimeAt(name, instant)]);
      expect(resolveWallTime(zone, date, parseWallTime(time))).toEqual(
        resolveWallTime(name, date, parseWallTime(time)),
      );
    }),
  );
});

test('a time before the offsets is shown in UTC, and says so', () => {
  const zone = toStudioZone('Europe/Berlin', '2026-11-01T00:00:00Z', '2027-01-01T00:00:00Z');
  expect(formatShortDateAndTime('2026-11-01T00:00:00Z', zone)).toBe('Sun, Nov 1, 2026, 1:00 AM');
  expect(formatShortDateAndTime('2026-10-31T23:00:00Z', zone)).toBe(
    'Sat, Oct 31, 2026, 11:00 PM UTC',
  );
});

test('where the clocks change, texts by offsets name the offsets', () => {
  const zone = toStudioZone('Asia/Kathmandu', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z');
  expect(formatTimeWithZone('2026-12-01T04:15:00Z', zone)).toBe(
    'Tuesday, December 1, 2026 at 10:00 AM (Asia/Kathmandu, GMT+5:45)',
  );
  const newYork = toStudioZone('America/New_York', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z');
  expect(formatTimeRange('2026-11-01T05:30:00Z', '2026-11-01T06:29:00Z', newYork)).toBe(
    '1:30 AM GMT-4 - 1:30 AM GMT-5',
  );
});
