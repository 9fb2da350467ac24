import { expect, test } from 'vitest';
import { currentZoneName } from '#domain/time/current_zone_name.ts';
import { otherZoneNames } from '#domain/time/time_zone_names.ts';
import {
  matchTimeZone,
  onlyTimeZoneNamed,
  searchTimeZones,
} from '#domain/time/time_zone_search.ts';

const ZONES = [
  'America/Indiana/Indianapolis',
  'America/New_York',
  'Europe/Berlin',
  'Pacific/Port_Moresby',
  'UTC',
];

test.each(['new york', 'NEW_YORK', 'newyork', ' new  york ', 'america/new york', 'w Y'])(
  'a zone is found by “%s”',
  (typed) => {
    expect(searchTimeZones(typed, ZONES)).toEqual(['America/New_York']);
  },
);

test('cities that begin with the text come first', () => {
  expect(searchTimeZones('ber', ['America/Lamberton', 'Europe/Berlin'])).toEqual([
    'Europe/Berlin',
    'America/Lamberton',
  ]);
});

test('a region finds its zones, and a zone without a region is found by its name', () => {
  expect(searchTimeZones('america', ZONES)).toEqual([
    'America/Indiana/Indianapolis',
    'America/New_York',
  ]);
  expect(searchTimeZones('utc', ZONES)).toEqual(['UTC']);
});

test('an empty text finds every zone in order, and an unknown one finds none', () => {
  expect(searchTimeZones('  ', ZONES)).toEqual(ZONES);
  expect(searchTimeZones('gotham', ZONES)).toEqual([]);
});

test('matchTimeZone accepts a whole name only', () => {
  expect(matchTimeZone('america/new york', ZONES)).toBe('America/New_York');
  expect(matchTimeZone('new york', ZONES)).toBeUndefined();
});

const ALL_ZONES = Intl.supportedValuesOf('timeZone').map(currentZoneName);
const OTHER_NAMES = otherZoneNames();

test.each([
  ['Kyiv', 'Europe/Kyiv'],
  ['Kiev', 'Europe/Kyiv'],
  ['Ukraine', 'Europe/Kyiv'],
  ['Mumbai', 'Asia/Kolkata'],
  ['india', 'Asia/Kolkata'],
  ['São Paulo', 'America/Sao_Paulo'],
  ['Munich', 'Europe/Berlin'],
  ['Eastern', 'America/New_York'],
  ['EST', 'America/New_York'],
  ['curacao', 'America/Curacao'],
  ['Georgia', 'America/New_York'],
  ['GMT', 'Europe/London'],
])('of all zones, “%s” finds %s first', (typed, zone) => {
  expect(searchTimeZones(typed, ALL_ZONES, OTHER_NAMES)[0]).toBe(zone);
});

test('only a name that one zone alone has is that zone', () => {
  const named = (typed: string) => onlyTimeZoneNamed(typed, ALL_ZONES, OTHER_NAMES);
  expect(['mumbai', 'asia/tokyo'].map(named)).toEqual(['Asia/Kolkata', 'Asia/Tokyo']);
  const unsure = ['Brazil', 'tok', 'gotham', '', 'Georgia', 'CST', 'ist', 'Pacific', 'Portland'];
  expect(unsure.map(named)).toEqual(unsure.map(() => undefined));
});
