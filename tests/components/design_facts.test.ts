import { expect, test } from 'vitest';
import { describeEditions, shownPrice } from '#components/design_facts.ts';
import { createDesign } from '#support/design_facts.ts';

const DESIGN = createDesign('swallow');

test('a design that is tattooed once says so, and one of several says how many are left', () => {
  expect(describeEditions(1, 1)).toBe('Tattooed only once');
  expect(describeEditions(5, 2)).toBe('2 of 5 left');
  expect(describeEditions(5, 5)).toBe('5 of 5 left');
});

test('a design without a limit, or of which none is left, says nothing about editions', () => {
  expect(describeEditions(null, null)).toBeNull();
  expect(describeEditions(1, 0)).toBeNull();
  expect(describeEditions(5, 0)).toBeNull();
});

test('a claimed design shows its price, but not that clients can request it', () => {
  const ask = { kind: 'ask', amount: null, amount_to: null, currency: 'EUR' } as const;
  const fixed = { kind: 'fixed', amount: 15000, amount_to: null, currency: 'EUR' } as const;
  const claimed = { ...DESIGN, editions: 1, left: 0 };
  expect(shownPrice({ ...DESIGN, price: ask })).toBe(ask);
  expect(shownPrice({ ...claimed, price: ask })).toBeNull();
  expect(shownPrice({ ...claimed, price: fixed })).toBe(fixed);
});
