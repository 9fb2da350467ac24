import { expect, test } from 'vitest';
import { cachePolicyOf, DEFAULT_CACHE_POLICY } from '#cache/policy.ts';

const NOW = Date.parse('2026-12-01T12:00:00Z');
const at = (until: number | null) => cachePolicyOf({ value: {}, tags: ['artist:one'], until }, NOW);

test('an answer that only a write changes is cached until it is invalidated', () => {
  expect(at(null)).toEqual({ ...DEFAULT_CACHE_POLICY, tags: ['artist:one'] });
});

test('an answer that changes by itself is never cached past that moment, nor served stale', () => {
  expect(at(NOW + 90_500)).toEqual({ maxAge: 90, swr: 0, tags: ['artist:one'] });
  expect(at(NOW + 999)).toMatchObject({ maxAge: 0 });
  expect(at(NOW - 1)).toMatchObject({ maxAge: 0 });
});

test('an answer that changes in days is cached no longer than any other', () => {
  expect(at(NOW + 86_400_000)).toMatchObject({ maxAge: DEFAULT_CACHE_POLICY.maxAge, swr: 0 });
});
