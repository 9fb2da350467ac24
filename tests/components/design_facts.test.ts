import { expect, test } from 'vitest';
import { describeEditions } from '#components/design_facts.ts';

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
