import { describe, expect, test } from 'vitest';
import { describeTimeZone } from '#domain/time/describe_time_zone.ts';
import { isTimeZone, timeZoneCity } from '#domain/time/time_zone.ts';
import { canonicalZone } from '#domain/time/zone_data.ts';

describe('a time zone', () => {
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

  test.each([
    ['asia/kolkata', 'Asia/Kolkata'],
    ['america/argentina/buenos_aires', 'America/Argentina/Buenos_Aires'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['US/eastern', 'America/New_York'],
    ['est5edt', 'America/New_York'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['ASIA/SAIGON', 'Asia/Ho_Chi_Minh'],
    ['Australia/ACT', 'Australia/Sydney'],
    ['America/Argentina/ComodRivadavia', 'America/Argentina/Catamarca'],
    ['antarctica/dumontdurville', 'Antarctica/DumontDUrville'],
    ['etc/utc', 'UTC'],
    ['etc/gmt+5', 'Etc/GMT+5'],
    ['Nowhere/City', null],
  ])('is stored by today’s name in its usual spelling: %s is %s', (typed, name) => {
    expect(canonicalZone(typed)).toBe(name);
  });
});

test.each([
  ['America/Los_Angeles', 'Los Angeles'],
  ['America/Argentina/Buenos_Aires', 'Buenos Aires'],
  ['UTC', 'UTC'],
])('the city of %s is %s', (zone, city) => {
  expect(timeZoneCity(zone)).toBe(city);
});

describe('the name that people say', () => {
  test.each([
    ['America/New_York', 'Eastern Time (New York)'],
    ['Europe/Berlin', 'Central European Time (Berlin)'],
    ['America/Indiana/Tell_City', 'Central Time (Tell City)'],
    ['Asia/Kolkata', 'India Time (Kolkata)'],
    ['Asia/Tokyo', 'Japan Time (Tokyo)'],
    // Their clocks do not change, unlike those of their neighbors.
    ['America/Phoenix', 'Mountain Standard Time (Phoenix)'],
    ['Australia/Brisbane', 'Australian Eastern Standard Time (Brisbane)'],
    // The place is named once.
    ['Asia/Hong_Kong', 'Hong Kong Time'],
    ['Indian/Reunion', 'Réunion Time'],
    ['Australia/Hobart', 'Australian Eastern Time (Hobart)'],
    // Without a city.
    ['UTC', 'Coordinated Universal Time'],
    ['Etc/UTC', 'Coordinated Universal Time'],
    ['Etc/GMT+5', 'GMT-05:00'],
    ['EST5EDT', 'Eastern Time'],
    // The platform does not know it.
    ['America/Gotham_City', 'Gotham City'],
  ])('of %s is %s', (zone, name) => {
    expect(describeTimeZone(zone)).toBe(name);
  });

  test('exists for every zone, and has no underscore or offset', () => {
    for (const zone of Intl.supportedValuesOf('timeZone'))
      if (!zone.startsWith('Etc/')) expect(describeTimeZone(zone)).toMatch(/^[^_\d]{3,}$/);
  });
});
