import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { toStudioMinutes } from '#domain/studio/studio_time.ts';
import {
  formatShortDateAndTime,
  formatTimeRange,
  localDateAt,
  wallTimeAt,
} from '#domain/time/format_time.ts';
import { formatTimeWithZone } from '#domain/time/format_time_with_zone.ts';
import { parseWallTime } from '#domain/time/time.ts';
import { listZoneOffsets, resolveWallTime } from '#domain/time/wall_clock.ts';
import { coversDate, offsetMinutesAt } from '#domain/time/zone_offsets.ts';

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

test('the offsets of a zone begin with the first instant, follow the changes of its clocks, and end with the last', () => {
  const berlin = toStudioZone('Europe/Berlin', '2026-11-01T12:30:15Z', '2028-12-01T00:00:00Z');
  expect(berlin.offsets).toEqual([
    { from: '2026-11-01T12:30:15Z', minutes: 60 },
    { from: '2027-03-28T01:00:00Z', minutes: 120 },
    { from: '2027-10-31T01:00:00Z', minutes: 60 },
    { from: '2028-03-26T01:00:00Z', minutes: 120 },
    { from: '2028-10-29T01:00:00Z', minutes: 60 },
    { from: '2028-12-01T00:00:00Z', minutes: 60 },
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
  const changes = fc.constantFrom(...zone.offsets.slice(0, -1).map(({ from }) => Date.parse(from)));
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

const NOVEMBER = toStudioZone('Europe/Berlin', '2026-10-31T23:00:00Z', '2026-11-30T23:00:00Z');

test.each([
  ['before them says that it is in UTC', '2026-10-31T22:59:00Z', 'Sat, Oct 31, 2026, 10:59 PM UTC'],
  ['at their start is the studio’s', '2026-10-31T23:00:00Z', 'Sun, Nov 1, 2026, 12:00 AM'],
  ['at their end is the studio’s', '2026-11-30T23:00:00Z', 'Tue, Dec 1, 2026, 12:00 AM'],
  ['after them says that it is in UTC', '2026-11-30T23:01:00Z', 'Mon, Nov 30, 2026, 11:01 PM UTC'],
])('of a studio’s offsets, a time %s', (_, instant, text) => {
  expect(formatShortDateAndTime(instant, NOVEMBER)).toBe(text);
});

test('offsets cover a date only as a whole', () => {
  const dates = ['2026-10-31', '2026-11-01', '2026-11-30', '2026-12-01'];
  expect(dates.map((date) => coversDate(NOVEMBER, date))).toEqual([false, true, true, false]);
  expect(coversDate({ time_zone: 'Europe/Berlin', offsets: [] }, '2026-11-01')).toBe(false);
});

test.each([
  ['of a date without offsets', '2040-01-13', '23:30', { local: '2040-01-14T01:29' }],
  ['over the hour that is skipped', '2026-03-08', '01:00', { local: '2026-03-08T03:59' }],
  ['but an instant at its second time', '2026-11-01', '00:30', '2026-11-01T06:29:00Z'],
])('an artist sends the clock time %s', (_, date, time, end) => {
  const zone = toStudioZone('America/New_York', '2026-01-01T05:00:00Z', '2026-12-01T00:00:00Z');
  const start = { local: `${date}T${time}` };
  expect(toStudioMinutes(zone, { date, time, minutes: 120 })).toEqual({ start, end });
});

test('where the clocks change, texts by offsets name the offsets', () => {
  const zone = toStudioZone('Asia/Kathmandu', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z');
  expect(formatTimeWithZone('2026-12-01T04:15:00Z', zone)).toBe(
    'Tuesday, December 1, 2026 at 10:00 AM GMT+5:45, Nepal Time (Kathmandu)',
  );
  const newYork = toStudioZone('America/New_York', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z');
  expect(formatTimeRange('2026-11-01T05:30:00Z', '2026-11-01T06:29:00Z', newYork)).toBe(
    '1:30 AM GMT-4 - 1:30 AM GMT-5',
  );
});
