import { describe, expect, test } from 'vitest';
import { phoneError } from '#domain/clients/phone.ts';
import {
  countryOf,
  keepsRules,
  listCountries,
  type PhoneCountry,
  toNational,
  toPhoneValue,
} from '#islands/booking/phone_countries.ts';

describe('the countries of phone numbers', () => {
  test('are listed by their English names, with their calling codes', () => {
    const countries = listCountries('en');
    expect(countries.length).toBeGreaterThan(200);
    expect(countries[0]?.name).toBe('Afghanistan');
    expect(countries).toContainEqual({ code: 'DE', name: 'Germany', callingCode: '+49' });
  });

  test.each([
    ['de-AT', 'Austria'],
    ['zh-Hant-TW', 'Taiwan'],
    ['de', 'Afghanistan'],
  ])('begin with the country of the browser’s language: %s, %s', (language, name) => {
    expect(listCountries(language)[0]?.name).toBe(name);
  });
});

describe('a number as it is dialled in a country', () => {
  test.each([
    ['Germany', '0170 1234567', '+49 170 1234567'],
    ['Germany', '0170/1234567', '+49 170 1234567'],
    ['Germany', '030 901820 ext. 4', '+49 30 901820 ext. 4'],
    ['Germany', '\u202a０１７０ー１２３４５６７\u202c', '+49 170 1234567'],
    ['Germany', '0049 170 1234567', '+49 170 1234567'],
    ['Germany', '+43 664 1234567', '+43 664 1234567'],
    ['United Kingdom', '07911 123456', '+44 7911 123456'],
    ['Italy', '06 1234 5678', '+39 06 1234 5678'],
    ['Brazil', '(11) 91234-5678', '+55 11 91234 5678'],
    ['Mexico', '55 1234 5678', '+52 55 1234 5678'],
  ])('gets the country code: %s, %s', (country, typed, value) => {
    expect(toPhoneValue(typed, countryNamed(country))).toBe(value);
  });

  test.each([
    ['a digit is missing', 'Germany', '0170 123456', '+49 0170 123456'],
    ['a digit is missing after the plus', 'Germany', '+49 170 123456', '+49 170 123456'],
    ['a digit is missing after 00', 'Germany', '0049 170 123456', '+49 170 123456'],
    ['it is one in the US', 'Netherlands', '2125550123', '+31 2125550123'],
    ['it has words', 'Germany', 'call me', '+49 call me'],
  ])(
    'stays as it is typed when the country has no such number: %s',
    (_name, country, typed, value) => {
      expect(toPhoneValue(typed, countryNamed(country))).toBe(value);
      expect(phoneError(value) !== null || !keepsRules(value)).toBe(true);
    },
  );

  test('is the reverse of the stored one', () => {
    expect(countryOf('+49 170 1234567')).toBe('DE');
    expect(toNational('+49 170 1234567')).toBe('0170 1234567');
    expect(toNational('0170 1234567')).toBe('0170 1234567');
    expect(countryOf('0170 1234567')).toBeNull();
  });
});

function countryNamed(wanted: string): PhoneCountry {
  const country = listCountries('en').find(({ name }) => name === wanted);
  if (!country) throw new Error(`No country is called ${wanted}`);
  return country;
}
