import { expect, test } from 'vitest';
import { PLACE, placeOf } from '#server/database/log_place.ts';

test('an LSN is read as upper and lower half in hexadecimal', () => {
  expect(placeOf('0/0')).toBe(0n);
  expect(placeOf('16/B374D848')).toBe((0x16n << 32n) | 0xb374d848n);
  expect(placeOf('FFFFFFFF/FFFFFFFF')).toBe(2n ** 64n - 1n);
});

test('LSNs compare as numbers where their text does not', () => {
  expect(placeOf('9/0') < placeOf('10/0')).toBe(true);
  expect(placeOf('0/9') < placeOf('0/10')).toBe(true);
});

test('text that is no LSN is refused', () => {
  for (const text of ['', '16', '16-B374D848', 'x/1', '123456789/0']) {
    expect(PLACE.test(text), text).toBe(false);
  }
  expect(() => placeOf('x/y')).toThrow(SyntaxError);
});
