import { describe, expect, test } from 'vitest';
import { isTimeZone, timeZoneCity } from '#domain/time_zone.ts';

describe('a time zone', () => {
  test.each([
    'America/New_York',
    'America/Argentina/Buenos_Aires',
    'America/Port-au-Prince',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'Europe/Kyiv',
    'Etc/GMT+5',
    'UTC',
  ])('may be %s', (name) => {
    expect(isTimeZone(name)).toBe(true);
  });

  test.each([
    ['empty', ''],
    ['an offset', '+02:00'],
    ['an offset without minutes', '-05'],
    ['a name with an offset', 'UTC+2'],
    ['an unknown city', 'America/Gotham'],
    ['a country', 'Germany'],
    ['only a region', 'America'],
    ['a space', 'America/New York'],
    ['a space at its end', 'UTC '],
    ['a line break', 'UTC\n'],
    ['a path', '../etc/localtime'],
    ['a description', 'Eastern Time'],
  ])('may not be %s', (_name, name) => {
    expect(isTimeZone(name)).toBe(false);
  });
});

test.each([
  ['America/Los_Angeles', 'Los Angeles'],
  ['America/Argentina/Buenos_Aires', 'Buenos Aires'],
  ['UTC', 'UTC'],
])('the city of %s is %s', (zone, city) => {
  expect(timeZoneCity(zone)).toBe(city);
});
