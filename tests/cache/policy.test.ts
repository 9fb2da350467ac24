import { expect, test } from 'vitest';
import { cachePolicyOf, DEFAULT_CACHE_POLICY } from '#cache/policy.ts';

const NOW = Date.parse('2026-12-01T12:00:00Z');
const policyUntil = (until: number | null) =>
  cachePolicyOf({ value: {}, tags: ['artist:one'], until }, NOW);

test('a response that only a write changes has the default cache policy', () => {
  expect(policyUntil(null)).toEqual({ ...DEFAULT_CACHE_POLICY, tags: ['artist:one'] });
});

test('a response that changes by itself is never cached past that moment, nor served stale', () => {
  expect(policyUntil(NOW + 90_500)).toEqual({ maxAge: 90, swr: 0, tags: ['artist:one'] });
  expect(policyUntil(NOW + 999)).toMatchObject({ maxAge: 0 });
  expect(policyUntil(NOW - 1)).toMatchObject({ maxAge: 0 });
});

test('a response that changes in a day is cached no longer than by default', () => {
  expect(policyUntil(NOW + 86_400_000)).toMatchObject({
    maxAge: DEFAULT_CACHE_POLICY.maxAge,
    swr: 0,
  });
});
