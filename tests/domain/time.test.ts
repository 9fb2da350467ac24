import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { afterEach, describe, expect, test } from 'vitest';
import {
  addDays,
  addMonths,
  localDateAt,
  midnightUtc,
  monthBounds,
  parseWallTime,
  resolveWallTime,
  toRfc3339,
  weekdayOf,
} from '#domain/time.ts';

function resolve(zone: string, date: string, time: string) {
  const { isSkipped, instant } = resolveWallTime(zone, date, parseWallTime(time));
  return { skipped: isSkipped, instant: toRfc3339(instant) };
}

describe('a wall-clock time', () => {
  test.each([
    ['America/New_York', '2026-01-15', '10:00', '2026-01-15T15:00:00Z'],
    ['America/New_York', '2026-06-15', '10:00', '2026-06-15T14:00:00Z'],
    ['Asia/Kathmandu', '2026-06-15', '10:00', '2026-06-15T04:15:00Z'],
    ['Asia/Tokyo', '2026-01-01', '00:00', '2025-12-31T15:00:00Z'],
    ['Pacific/Marquesas', '2026-12-31', '23:59', '2027-01-01T09:29:00Z'],
    ['Pacific/Kiritimati', '2026-06-15', '00:00', '2026-06-14T10:00:00Z'],
  ])('in %s on %s at %s has one instant', (zone, date, time, instant) => {
    expect(resolve(zone, date, time)).toEqual({ skipped: false, instant });
  });

  test.each([
    ['America/New_York', '2026-06-15', '2026-06-16T04:00:00Z'],
    ['America/New_York', '2026-12-31', '2027-01-01T05:00:00Z'],
    ['Asia/Beirut', '2026-03-28', '2026-03-28T22:00:00Z'],
    ['America/Santiago', '2026-04-04', '2026-04-05T04:00:00Z'],
  ])('of 24:00 in %s on %s is the start of the next date', (zone, date, instant) => {
    expect(resolveWallTime(zone, date, 1440).instant).toBe(Date.parse(instant));
  });

  test.each([
    ['America/New_York', '2026-03-08', '01:59', false, '2026-03-08T06:59:00Z'],
    ['America/New_York', '2026-03-08', '02:00', true, '2026-03-08T07:00:00Z'],
    ['America/New_York', '2026-03-08', '02:59', true, '2026-03-08T07:00:00Z'],
    ['America/New_York', '2026-03-08', '03:00', false, '2026-03-08T07:00:00Z'],
    ['Europe/London', '2026-03-29', '01:30', true, '2026-03-29T01:00:00Z'],
    ['Australia/Lord_Howe', '2026-10-04', '02:29', true, '2026-10-03T15:30:00Z'],
    ['Australia/Lord_Howe', '2026-10-04', '02:30', false, '2026-10-03T15:30:00Z'],
    ['Pacific/Chatham', '2026-09-27', '02:45', true, '2026-09-26T14:00:00Z'],
    ['Antarctica/Troll', '2026-03-29', '01:00', true, '2026-03-29T01:00:00Z'],
    ['Antarctica/Troll', '2026-03-29', '02:59', true, '2026-03-29T01:00:00Z'],
    ['Asia/Beirut', '2026-03-29', '00:00', true, '2026-03-28T22:00:00Z'],
    ['Pacific/Apia', '2011-12-30', '10:00', true, '2011-12-30T10:00:00Z'],
  ])('in %s on %s at %s: skipped is %s, next is %s', (zone, date, time, skipped, instant) => {
    expect(resolve(zone, date, time)).toEqual({ skipped, instant });
  });

  test.each([
    ['America/New_York', '2026-11-01', '00:59', '2026-11-01T04:59:00Z'],
    ['America/New_York', '2026-11-01', '01:00', '2026-11-01T05:00:00Z'],
    ['America/New_York', '2026-11-01', '01:59', '2026-11-01T05:59:00Z'],
    ['America/New_York', '2026-11-01', '02:00', '2026-11-01T07:00:00Z'],
    ['Europe/London', '2026-10-25', '01:30', '2026-10-25T00:30:00Z'],
    ['Australia/Lord_Howe', '2026-04-05', '01:45', '2026-04-04T14:45:00Z'],
    ['Antarctica/Troll', '2026-10-25', '02:30', '2026-10-25T00:30:00Z'],
    ['America/Havana', '2026-11-01', '00:00', '2026-11-01T04:00:00Z'],
    ['America/Santiago', '2026-04-04', '23:30', '2026-04-05T02:30:00Z'],
  ])('in %s on %s at %s is its first occurrence', (zone, date, time, instant) => {
    expect(resolve(zone, date, time)).toEqual({ skipped: false, instant });
  });
});

describe('the date at an instant', () => {
  test.each([
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

  test('is the same as in Temporal, at any instant of 2026 and 2027', () => {
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
      }),
      { numRuns: 500 },
    );
  });
});

describe("the machine's own zone", () => {
  const original = process.env['TZ'];

  afterEach(() => {
    if (original === undefined) delete process.env['TZ'];
    else process.env['TZ'] = original;
  });

  // Each row has another year, because the clock changes of a year are cached.
  test.each([
    ['America/New_York', '2031-03-09', '03:00', 240],
    ['Pacific/Apia', '2032-03-14', '03:00', -780],
    ['Europe/London', '2033-03-13', '03:00', -60],
  ])('%s makes no difference', (machine, date, time, minutesBehindUtc) => {
    process.env['TZ'] = machine;
    expect(new Date('2026-06-01T00:00Z').getTimezoneOffset()).toBe(minutesBehindUtc);
    const studio = 'America/Los_Angeles';
    expect(resolve(studio, date, time)).toEqual({ skipped: false, instant: `${date}T10:00:00Z` });
    expect(resolve(studio, date, '02:30')).toEqual({ skipped: true, instant: `${date}T10:00:00Z` });
    expect(localDateAt(studio, Date.parse(`${date}T07:59Z`)) < date).toBe(true);
    expect(localDateAt(studio, Date.parse(`${date}T08:00Z`))).toBe(date);
    expect(weekdayOf(date)).toBe(7);
    expect(addDays(date, 1) > date).toBe(true);
  });
});

describe('days and months', () => {
  test.each([
    ['2026-06-01', 1, '2026-06-02'],
    ['2026-06-01', 0, '2026-06-01'],
    ['2026-03-08', 1, '2026-03-09'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2027-01-01', -1, '2026-12-31'],
    ['2028-02-28', 1, '2028-02-29'],
    ['2026-02-28', 1, '2026-03-01'],
    ['2026-01-01', 365, '2027-01-01'],
  ])('%s plus %i days is %s', (date, days, expected) => {
    expect(addDays(date, days)).toBe(expected);
  });

  test.each([
    ['2026-06-15', 24, '2028-06-15'],
    ['2026-01-31', 1, '2026-02-28'],
    ['2028-01-31', 1, '2028-02-29'],
    ['2028-02-29', 24, '2030-02-28'],
    ['2028-02-29', 48, '2032-02-29'],
    ['2026-08-31', 1, '2026-09-30'],
    ['2026-12-31', 2, '2027-02-28'],
    ['2026-11-30', 1, '2026-12-30'],
    ['2026-03-31', -1, '2026-02-28'],
  ])('%s plus %i months is %s', (date, months, expected) => {
    expect(addMonths(date, months)).toBe(expected);
  });

  test.each([
    [2026, 1, '2026-01-01', '2026-01-31'],
    [2026, 2, '2026-02-01', '2026-02-28'],
    [2028, 2, '2028-02-01', '2028-02-29'],
    [2026, 4, '2026-04-01', '2026-04-30'],
    [2026, 12, '2026-12-01', '2026-12-31'],
  ])('month %i-%i is %s to %s', (year, month, first, last) => {
    expect(monthBounds(year, month)).toEqual({ first, last });
  });

  test.each([
    ['2026-06-01', 1],
    ['2026-06-06', 6],
    ['2026-06-07', 7],
    ['2028-02-29', 2],
  ])('%s is weekday %i', (date, weekday) => {
    expect(weekdayOf(date)).toBe(weekday);
  });

  test('midnightUtc is 00:00 UTC of a date', () => {
    expect(midnightUtc('2026-06-01')).toBe(Date.parse('2026-06-01T00:00:00Z'));
  });
});

describe('times as text', () => {
  test.each([
    ['00:00', 0],
    ['02:15', 135],
    ['23:59', 1439],
    ['24:00', 1440],
  ])('%s is minute %i of the day', (time, minute) => {
    expect(parseWallTime(time)).toBe(minute);
  });

  test('instants are written in UTC to the second', () => {
    expect(toRfc3339(Date.UTC(2026, 10, 24, 15, 0, 0))).toBe('2026-11-24T15:00:00Z');
    expect(toRfc3339(Date.UTC(2026, 10, 24, 15, 4, 5, 678))).toBe('2026-11-24T15:04:05Z');
  });
});
