import { expect, test } from 'vitest';
import { depositOfBooking, formatPrice, type Price, priceOfBooking } from '#domain/price.ts';

const USD = { amount_to: null, currency: 'USD' } as const;
const FIXED: Price = { kind: 'fixed', amount: 15_000, ...USD };
const RANGE: Price = { kind: 'range', amount: 15_000, amount_to: 20_000, currency: 'USD' };

test.each<[Price, string]>([
  [FIXED, '$150'],
  [{ ...FIXED, amount: 0 }, 'Free'],
  [{ ...FIXED, kind: 'from' }, 'From $150'],
  [RANGE, '$150 – $200'],
  [{ kind: 'ask', amount: null, ...USD }, 'Price on request'],
])('%o reads %s', (price, text) => {
  expect(formatPrice(price, 'en-US').replace(/\s/g, ' ')).toBe(text);
});

test('the price of a booking is that of the design, or else of the service', () => {
  const none = { price: null };
  expect(priceOfBooking({ price: FIXED }, { price: RANGE })).toBe(FIXED);
  expect(priceOfBooking(none, { price: RANGE })).toBe(RANGE);
  expect(priceOfBooking(null, { price: RANGE })).toBe(RANGE);
  expect(priceOfBooking(none, none)).toBeNull();
  expect(priceOfBooking(undefined, null)).toBeNull();
});

test('a deposit is expected for all but what is free', () => {
  const deposit = { amount: 5000, currency: 'USD' };
  const free = { kind: 'fixed', amount: 0, amount_to: null, currency: 'USD' } as const;
  expect(depositOfBooking(free, deposit)).toBeNull();
  expect(depositOfBooking({ ...free, kind: 'from' }, deposit)).toBe(deposit);
  expect([FIXED, RANGE, null].map((price) => depositOfBooking(price, deposit))).toEqual([
    ...[deposit, deposit, deposit],
  ]);
  expect(depositOfBooking(FIXED, null)).toBeNull();
});
