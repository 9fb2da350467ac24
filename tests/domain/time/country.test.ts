import { expect, test } from 'vitest';
import {
  countryOfZone,
  currencyOfCountry,
  isCountry,
  listCountries,
  listCurrencies,
} from '#domain/time/country.ts';

test.each([
  ['America/New_York', 'US'],
  ['America/Los_Angeles', 'US'],
  ['Europe/Berlin', 'DE'],
  ['Asia/Tokyo', 'JP'],
  // Names that the platform replaces by others.
  ['Asia/Kolkata', 'IN'],
  ['Europe/Kyiv', 'UA'],
  ['US/Eastern', 'US'],
  ['UTC', null],
])('the country of the zone %s is %s', (zone, country) => {
  expect(countryOfZone(zone)).toBe(country);
});

test('a country has its currency; an unknown one that of the United States', () => {
  expect(['DE', 'JP', 'KW', 'CH'].map(currencyOfCountry)).toEqual(['EUR', 'JPY', 'KWD', 'CHF']);
  expect([currencyOfCountry(null), currencyOfCountry('XX')]).toEqual(['USD', 'USD']);
});

test('codes of countries that no longer exist are none', () => {
  expect(isCountry('US')).toBe(true);
  // The Netherlands Antilles: the platform names Curaçao in their place.
  for (const code of ['AN', 'us', 'XX', 'toString', ''])
    expect([code, isCountry(code)]).toEqual([code, false]);
  expect(listCountries()).toContain('DE');
  expect(listCountries().every(isCountry)).toBe(true);
});

test('the currencies begin with those of the likely countries, and the most common', () => {
  const first = ['BRL', 'USD', 'EUR', 'GBP', 'AED'];
  expect(listCurrencies(['BR', null]).slice(0, 5)).toEqual(first);
});

test('every listed currency is one that the platform knows', () => {
  const known = new Set(Intl.supportedValuesOf('currency'));
  expect(listCurrencies().filter((currency) => !known.has(currency))).toEqual([]);
  expect(listCurrencies()).toEqual(expect.arrayContaining(['EUR', 'JPY', 'KWD', 'USD']));
});
