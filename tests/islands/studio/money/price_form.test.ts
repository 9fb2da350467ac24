import { expect, test } from 'vitest';
import type { Price } from '#domain/money/price.ts';
import {
  moneyFormSchema,
  priceFormSchema,
  toPriceForm,
} from '../../../../src/islands/studio/money/price_form.ts';

const errorsOf = (form: Parameters<typeof parseUs>[0]) =>
  parseUs(form).error?.issues.map(({ path, message }) => [path.join('.'), message]);

function parseUs(form: Partial<ReturnType<typeof toPriceForm>>) {
  return priceFormSchema('USD', 'en-US').safeParse({
    kind: '',
    amount: '',
    amount_to: '',
    ...form,
  });
}

test.each<Price | null>([
  null,
  { kind: 'fixed', amount: 15_050, amount_to: null, currency: 'USD' },
  { kind: 'from', amount: 0, amount_to: null, currency: 'USD' },
  { kind: 'range', amount: 100_000, amount_to: 123_456, currency: 'USD' },
  { kind: 'ask', amount: null, amount_to: null, currency: 'USD' },
])('a price comes back from its form unchanged: %o', (price) => {
  expect(parseUs(toPriceForm(price, 'en-US')).data).toEqual(price);
});

test('a bad amount has a message beside its field', () => {
  expect(errorsOf({ kind: 'fixed', amount: 'ten' })).toEqual([
    ['amount', 'Write the amount like 1,234.50'],
  ]);
  expect(errorsOf({ kind: 'range', amount: '', amount_to: '1.234' })).toEqual([
    ['amount', 'Amount is required'],
    ['amount_to', 'At most 2 digits after the separator'],
  ]);
  expect(errorsOf({ kind: 'range', amount: '20', amount_to: '10' })).toEqual([
    ['amount_to', 'Must be more than the lower amount'],
  ]);
});

test('amounts are not checked where the kind has none', () => {
  expect(parseUs({ kind: 'ask', amount: 'much' }).data).toMatchObject({ kind: 'ask' });
  expect(parseUs({ kind: '', amount: 'much' }).data).toBeNull();
});

test('a field with one amount may be empty', () => {
  const schema = moneyFormSchema('JPY', 'ja-JP');
  expect(schema.parse(' ')).toBeNull();
  expect(schema.parse('5,000')).toEqual({ amount: 5000, currency: 'JPY' });
  expect(schema.safeParse('50.5').error?.issues[0]?.message).toBe('JPY has no decimals');
});
