import { expect, test } from 'vitest';
import { toKnownLocale } from '#domain/locale.ts';

test.each([
  ['de-CH', 'de-CH'],
  ['nds', 'nds'],
  ['en-US@posix', 'en-US'],
  ['en_US@posix', 'en-US'],
  ['de_DE.UTF-8@euro', 'de-DE'],
  ...['C', 'POSIX', '', '-', 'x'.repeat(40)].map((odd) => [odd, 'en-US']),
])('the locale of a browser that names %j is %s', (named, locale) => {
  expect(toKnownLocale(named)).toBe(locale);
});
