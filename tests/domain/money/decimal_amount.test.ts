import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toDecimal } from '#domain/money/decimal_amount.ts';
import { currencyDigits, MAX_AMOUNT } from '#domain/money/money.ts';

test('a decimal for programs loses nothing', () => {
  expect(toDecimal({ amount: 5, currency: 'USD' })).toBe('0.05');
  expect(toDecimal({ amount: 5000, currency: 'JPY' })).toBe('5000');
  expect(toDecimal({ amount: 1500, currency: 'KWD' })).toBe('1.500');
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: MAX_AMOUNT }),
      fc.constantFrom('USD', 'JPY', 'KWD'),
      (amount, currency) => {
        const digits = currencyDigits(currency);
        expect(Math.round(Number(toDecimal({ amount, currency })) * 10 ** digits)).toBe(amount);
      },
    ),
  );
});
