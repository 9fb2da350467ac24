import { expect, test } from 'vitest';
import { currencyDigits, formatMoney, formatMoneyRange } from '#domain/money/money.ts';

test('currencies have the digits of ISO 4217, not those of locale data', () => {
  const digits = (...currencies: string[]) => currencies.map(currencyDigits);
  expect(digits('USD', 'EUR', 'HUF', 'IDR', 'COP')).toEqual([2, 2, 2, 2, 2]);
  expect(digits('JPY', 'KRW', 'ISK', 'XPF')).toEqual([0, 0, 0, 0]);
  expect(digits('KWD', 'BHD', 'TND')).toEqual([3, 3, 3]);
  expect(digits('CLF')).toEqual([4]);
});

/** Spaces of any kind as one. */
const plain = (text: string) => text.replace(/\s/g, ' ');

test.each([
  [15_000, 'USD', 'en-US', '$150'],
  [15_050, 'USD', 'en-US', '$150.50'],
  [15_050, 'EUR', 'de-DE', '150,50 €'],
  [5000, 'JPY', 'ja-JP', '￥5,000'],
  [1500, 'KWD', 'en-US', 'KWD 1.500'],
  [150_000_000, 'IDR', 'id-ID', 'Rp 1.500.000'],
  [0, 'USD', 'en-US', '$0'],
])('%i minor units of %s in %s read %s', (amount, currency, locale, text) => {
  expect(plain(formatMoney({ amount, currency }, locale))).toBe(text);
});

test('a range has the currency where the locale writes it', () => {
  expect(plain(formatMoneyRange(15_000, 20_050, 'USD', 'en-US'))).toBe('$150.00 – $200.50');
  expect(plain(formatMoneyRange(15_000, 20_000, 'EUR', 'de-DE'))).toBe('150–200 €');
});
