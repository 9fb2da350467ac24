import { expect, test } from 'vitest';
import { matchTimeZone, searchTimeZones } from '#domain/time_zone_search.ts';

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
