import { expect, test } from 'vitest';
import { remembered } from '#domain/remembered.ts';

test('a value is created once for each key, also one that is falsy', () => {
  const values = new Map<string, number>();
  let created = 0;
  const load = (key: string) =>
    remembered(values, key, () => {
      created += 1;
      return key.length;
    });
  expect([load('ab'), load('ab'), load(''), load(''), load('abc')]).toEqual([2, 2, 0, 0, 3]);
  expect(created).toBe(3);
});
