import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAmount, toTypedAmount } from '#domain/money/amount_input.ts';
import { currencyDigits, formatMoney, MAX_AMOUNT } from '#domain/money/money.ts';
import { CURRENCIES, LOCALES } from '#support/currencies.ts';

const amounts = fc.oneof(
  fc.integer({ min: 0, max: MAX_AMOUNT }),
  fc.integer({ min: 0, max: 2_000_000 }),
);

test('there are twenty currencies and at least ten locales', () => {
  expect([new Set(CURRENCIES).size, LOCALES.length >= 10]).toEqual([20, true]);
});

test.each(LOCALES)('in %s, an amount that a field shows is read as the same amount', (locale) => {
  fc.assert(
    fc.property(amounts, fc.constantFrom(...CURRENCIES), (amount, currency) => {
      const typed = toTypedAmount({ amount, currency }, locale);
      expect([typed, parseAmount(typed, currency, locale)]).toEqual([typed, { amount }]);
    }),
  );
});

test.each(LOCALES)('in %s, the digits that people read are those that are stored', (locale) => {
  fc.assert(
    fc.property(amounts, fc.constantFrom(...CURRENCIES), (amount, currency) => {
      const parts = partsOf(formatMoney({ amount, currency }, locale), locale);
      const digits = currencyDigits(currency);
      // Where all digits after the separator are zero, they are not shown.
      const isWhole = amount % 10 ** digits === 0;
      const expected = isWhole
        ? String(amount / 10 ** digits)
        : String(amount).padStart(digits + 1, '0');
      expect(parts.replace(/^0+(?=\d)/, '')).toBe(expected.replace(/^0+(?=\d)/, ''));
    }),
  );
});

/** The digits of a text in Latin ones. */
function partsOf(text: string, locale: string): string {
  const format = new Intl.NumberFormat(locale, { useGrouping: false });
  const digits = new Map(Array.from({ length: 10 }, (_, n) => [format.format(n), String(n)]));
  return [...text].map((sign) => digits.get(sign) ?? '').join('');
}

test.each([
  ['', 'USD', 'en-US', 'Amount is required'],
  ['  ', 'USD', 'en-US', 'Amount is required'],
  ['ten', 'USD', 'en-US', 'Write the amount like 1,234.50'],
  ['-5', 'USD', 'en-US', 'Write the amount like 1,234.50'],
  // One and a half, or fifteen.
  ['1,5', 'USD', 'en-US', 'Write the amount like 1,234.50'],
  // Twelve and a half, or 1250.
  ['12 50', 'USD', 'en-US', 'Write the amount like 1,234.50'],
  ['12 50', 'EUR', 'de-DE', 'Write the amount like 1.234,50'],
  ["12'50", 'CHF', 'de-CH', "Write the amount like 1'234.50"],
  ['1€50', 'EUR', 'de-DE', 'Write the amount like 1.234,50'],
  ['£150', 'USD', 'en-US', 'Write the amount like 1,234.50'],
  ['1 2345', 'USD', 'en-US', 'Write the amount like 1,234.50'],
  ['1,2,3', 'USD', 'en-US', 'Write the amount like 1,234.50'],
  ['1.50.00', 'EUR', 'de-DE', 'Write the amount like 1.234,50'],
  ['0.505', 'EUR', 'de-DE', 'At most 2 digits after the separator'],
  ['1,5', 'JPY', 'de-DE', 'JPY has no decimals'],
  ['9999999999999', 'USD', 'en-US', 'This amount is too large'],
])('%j in %s and %s is refused', (typed, currency, locale, error) => {
  expect(parseAmount(typed, currency, locale)).toEqual({ error });
});
