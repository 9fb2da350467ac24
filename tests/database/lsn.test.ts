import { expect, test } from 'vitest';
import { LSN_PATTERN, parseLsn } from '#server/database/lsn.ts';

test('an LSN is parsed as two hexadecimal halves, and compares as a number, unlike its text', () => {
  expect(parseLsn('0/0')).toBe(0n);
  expect(parseLsn('16/B374D848')).toBe((0x16n << 32n) | 0xb374d848n);
  expect(parseLsn('FFFFFFFF/FFFFFFFF')).toBe(2n ** 64n - 1n);
  expect(parseLsn('9/0') < parseLsn('10/0')).toBe(true);
  expect(parseLsn('0/9') < parseLsn('0/10')).toBe(true);
});

test('text that is not an LSN is refused', () => {
  for (const text of ['', '16', '16-B374D848', 'x/1', '123456789/0']) {
    expect(LSN_PATTERN.test(text), text).toBe(false);
  }
  expect(() => parseLsn('x/y')).toThrow(SyntaxError);
});
