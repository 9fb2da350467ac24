import { expect, test } from 'vitest';
import { browserName } from '#server/operations/accounts/browser_name.ts';

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) ${WEBKIT} Version/17.4 Mobile/15E148 Safari/604.1`,
    'Safari on iOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  ['curl/8.1', null],
  ['Buy pills at evil.example/1.0 (now)', null],
  ['', null],
  ['x'.repeat(2000), null],
])('%s is named %s', (userAgent, expected) => {
  expect(browserName(userAgent)).toBe(expected);
});

test('a call without the header has no name', () => {
  expect(browserName(undefined)).toBeNull();
});
