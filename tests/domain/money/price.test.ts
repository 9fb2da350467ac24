import { expect, test } from 'vitest';
import { depositOfBooking, priceOfBooking } from '#domain/booking/booking_price.ts';
import { formatPrice, type Price } from '#domain/money/price.ts';

const USD = { amount_to: null, currency: 'USD' } as const;
const FIXED: Price = { kind: 'fixed', amount: 15_000, ...USD };
const RANGE: Price = { kind: 'range', amount: 15_000, amount_to: 20_000, currency: 'USD' };
const FREE: Price = { ...FIXED, amount: 0 };
const ASK: Price = { kind: 'ask', amount: null, ...USD };

test.each<[Price, string]>([
  [FIXED, '$150'],
  [FREE, 'Free'],
  [{ ...FIXED, kind: 'from' }, 'From $150'],
  [RANGE, '$150 – $200'],
  [ASK, 'Price on request'],
])('%o reads %s', (price, text) => {
  expect(formatPrice(price, 'en-US').replace(/\s/g, ' ')).toBe(text);
});

test.each<[string, Price | null, Price | null, Price | null]>([
  ['the design has its own', FIXED, RANGE, FIXED],
  ['the design has none', null, RANGE, RANGE],
  ['the design’s is on request', ASK, RANGE, RANGE],
  ['the design’s is on request, and the service has none', ASK, null, ASK],
  ['the design’s is on request, and the service is free', ASK, FREE, FREE],
  ['neither has one', null, null, null],
])('the price of a booking when %s', (_case, design, service, price) => {
  expect(priceOfBooking({ price: design }, { price: service })).toBe(price);
});

test('a deposit is expected for all but what is free', () => {
  const deposit = { amount: 5000, currency: 'USD' };
  expect(depositOfBooking(FREE, deposit)).toBeNull();
  expect(depositOfBooking({ ...FREE, kind: 'from' }, deposit)).toBe(deposit);
  for (const price of [FIXED, RANGE, null]) expect(depositOfBooking(price, deposit)).toBe(deposit);
  expect(depositOfBooking(FIXED, null)).toBeNull();
});
