import { Temporal } from 'temporal-polyfill';
import { afterEach, describe, expect, test } from 'vitest';
import { addDays, datesBetween, weekdayOf } from '#domain/time/calendar_date.ts';
import { localDateAt } from '#domain/time/format_time.ts';
import { parseWallTime, toRfc3339 } from '#domain/time/time.ts';
import { resolveWallTime } from '#domain/time/wall_clock.ts';

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

  test.each([
    ['America/New_York', '2000-01-01', '2000-01-01T15:00:00Z'],
    ['America/New_York', '2199-12-31', '2199-12-31T15:00:00Z'],
    ['Pacific/Kiritimati', '2000-01-01', '1999-12-31T20:00:00Z'],
    ['Etc/GMT+12', '2199-12-31', '2199-12-31T22:00:00Z'],
  ])(
    'in %s on %s has an instant: the first and last dates of the contract',
    (zone, date, instant) => {
      expect(resolve(zone, date, '10:00')).toEqual({ skipped: false, instant });
    },
  );

  // In Gaza the clocks change a week apart in 2040, less than in any other zone since 2000.
  test.each([
    ['Asia/Gaza', 2040],
    ['America/Argentina/Tucuman', 2004],
    ['Africa/Cairo', 2010],
  ])('in %s during %i has the same instant as in Temporal', (zone, year) => {
    for (const date of datesBetween(`${year}-01-01`, `${year}-12-31`))
      for (const hour of [0, 1, 2, 3, 12, 23]) {
        const local = Temporal.PlainDate.from(date).toPlainDateTime({ hour });
        const expected = local.toZonedDateTime(zone);
        if (!expected.toPlainDateTime().equals(local)) continue;
        const { instant } = resolveWallTime(zone, date, hour * 60);
        expect(instant, `${date} ${hour}:00`).toBe(expected.epochMilliseconds);
      }
  });

  test.each([
    ['America/New_York', '1850-06-15', '2 seconds', '1850-06-15T14:56:00Z'],
    ['Africa/Monrovia', '1971-06-15', '30 seconds', '1971-06-15T10:44:00Z'],
  ])(
    'in %s on %s is up to a minute off: offsets then had seconds (%s)',
    (zone, date, _, instant) => {
      expect(resolve(zone, date, '10:00')).toEqual({ skipped: false, instant });
    },
  );
});

describe("the machine's own zone", () => {
  const original = process.env['TZ'];

  afterEach(() => {
    if (original === undefined) delete process.env['TZ'];
    else process.env['TZ'] = original;
  });

  // Two of the test projects set TZ (vitest.config.ts).
  if (original !== undefined)
    test('is the zone of TZ', () => {
      expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(original);
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
