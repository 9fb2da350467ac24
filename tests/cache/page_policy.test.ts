import { expect, test, vi } from 'vitest';
import { trackCachePolicies } from '#cache/page_policy.ts';

/** The part of Astro's cache that `apply` uses. */
function pageCache(maxAge: number | undefined) {
  return {
    options: { ...(maxAge !== undefined && { maxAge }), swr: 3600, tags: [] },
    set: vi.fn(),
  };
}
const POLICY = { maxAge: 600, swr: 3600, tags: ['artist:1'] };

function applyTo(
  maxAge: number | undefined,
  note: (add: ReturnType<typeof trackCachePolicies>['note']) => void,
) {
  const policies = trackCachePolicies();
  note(policies.note);
  const cache = pageCache(maxAge);
  policies.apply(Object.assign(cache, { tags: [], enabled: true, invalidate: async () => {} }));
  return cache.set.mock.calls;
}

test('a page is cached with the tags of all answers, and the shortest of their times', () => {
  const calls = applyTo(600, (note) => {
    note(200, POLICY);
    note(200, { maxAge: 20, swr: 0, tags: ['designs:1'] });
  });
  expect(calls).toEqual([[{ maxAge: 20, swr: 0, tags: ['artist:1', 'designs:1'] }]]);
});

test('a page is not cached if one of its answers must not be stored or is about to change', () => {
  expect(applyTo(600, (note) => note(503, undefined))).toEqual([[false]]);
  expect(applyTo(600, (note) => note(200, { ...POLICY, maxAge: 0 }))).toEqual([[false]]);
});

test('a page decides itself how long an unknown artist is cached', () => {
  expect(applyTo(60, (note) => note(404, undefined))).toEqual([
    [{ maxAge: 60, swr: 3600, tags: [] }],
  ]);
});

test('a page without a lifetime is not cached', () => {
  expect(applyTo(undefined, (note) => note(200, POLICY))).toEqual([]);
});
