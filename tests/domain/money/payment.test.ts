import { expect, test } from 'vitest';
import { sumByCurrency } from '#domain/money/payment.ts';

test('sums never mix currencies', () => {
  expect(
    sumByCurrency([
      { amount: 5000, currency: 'USD' },
      { amount: 100, currency: 'EUR' },
      { amount: 2500, currency: 'USD' },
    ]),
  ).toEqual([
    { amount: 100, currency: 'EUR' },
    { amount: 7500, currency: 'USD' },
  ]);
  expect(sumByCurrency([])).toEqual([]);
});
