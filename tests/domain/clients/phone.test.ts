import examples from 'libphonenumber-js/examples.mobile.json';
import { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import { describe, expect, test } from 'vitest';
import { extensionNotice, phoneError, phoneSearchParts, toE164 } from '#domain/clients/phone.ts';

describe('a phone number', () => {
  test.each([
    ['+290 2223', '+2902223'],
    ['+123456789012345', null],
    ['+234567890123456', '+234567890123456'],
    ['+2345678901234567', null],
  ])('%s with a country code is %s', (typed, stored) => {
    expect(toE164(typed)).toBe(stored);
  });

  test.each([
    ['nothing', ''],
    ['only spaces', '   '],
    ['only a plus', '+'],
    ['too few digits', '555-0123'],
    ['nine digits', '212555012'],
    ['an area code that begins with 1', '1125550123'],
    ['a country code of 0', '+0125550123'],
    ['a word', 'call me'],
    ['a number abroad that is too short', '+44123'],
  ])('cannot be %s', (_name, typed) => {
    expect(toE164(typed)).toBeNull();
  });
});

test('a number of every country is read after 00, and with the zero that is dialled at home', () => {
  for (const country of getCountries()) {
    const example = getExampleNumber(country, examples);
    const home = example?.formatNational() ?? '';
    // In Argentina, numbers of mobile phones have other digits at home.
    const withZero = home.startsWith('0') && country !== 'AR' ? [home] : [];
    const abroad = withZero.map((typed) => `+${example?.countryCallingCode} ${typed}`);
    for (const typed of example ? [example.number, `00${example.number.slice(1)}`, ...abroad] : [])
      expect([typed, toE164(typed)]).toEqual([typed, example?.number]);
  }
});

test.each([
  ['a German mobile number as it is dialled at home', '0170 1234567'],
  ['an area code that begins with 1', '1125550123'],
])('a number that may be abroad gets a message that says how to type it: %s', (_name, typed) => {
  expect(phoneError(typed)).toBe(
    'This is no number in the US or Canada. For another country, begin with + and its code.',
  );
});

test.each([
  ['six digits', '555 012'],
  ['more digits than any number has', '004912345678901234'],
  ['words', 'call me'],
  ['an area code that begins with 0, after +1', '+1 012 555 0123'],
])('a text that is no phone number is called invalid: %s', (_name, typed) => {
  expect(phoneError(typed)).toBe('Invalid phone number');
});

test.each([
  ['tel:+1-212-555-0123;ext=4', 'Extension 4 is not saved: write it in the notes.'],
  ['+1 212 555 0123, p ١٢', 'Extension 12 is not saved: write it in the notes.'],
  ['555 #4', null],
])('%s has the notice %s', (typed, notice) => {
  expect(extensionNotice(typed)).toBe(notice);
});

test.each([
  ['(212) 555-0100', ['2125550100']],
  ['+1 212 555', ['+1212555']],
  ['0100', ['0100']],
  ['020 7946 0958', ['02079460958', '2079460958']],
  ['+44 (0)20 7946', ['+44207946']],
  ['٢١٢ 555', ['212555']],
  ['0044 20', ['004420', '+4420']],
  ['Rosa 2', []],
  ['rosa@example.com', []],
  ['-', []],
])('a search for %s means these parts of a stored phone number', (typed, parts) => {
  expect(phoneSearchParts(typed)).toEqual(parts);
});
