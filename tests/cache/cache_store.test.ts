import { expect, test } from 'vitest';
import { type CacheEntry, createCacheStore } from '#server/cache/cache_store.ts';

const KILOBYTE = 1024;
const NOW = Date.parse('2026-11-21T12:00:00Z');

function answer(tags: readonly string[], bytes = KILOBYTE): CacheEntry {
  const variant = { headers: [], body: Buffer.alloc(0) };
  return {
    status: 200,
    etag: 'W/"a"',
    variants: { br: variant, gzip: variant, identity: variant },
    notModifiedHeaders: [],
    bytes,
    tags,
    freshUntil: NOW + 1000,
    staleUntil: NOW + 2000,
  };
}

function openCache(mostBytes = 100 * KILOBYTE) {
  const cache = createCacheStore(mostBytes);
  cache.enable();
  const keep = (key: string, tags: readonly string[] = [], bytes?: number) => {
    const making = cache.startRender();
    cache.set(key, answer(tags, bytes), making);
    cache.endRender(making);
  };
  const isKept = (key: string, now = NOW) => cache.get(key, now) !== undefined;
  return { cache, keep, isKept };
}

test('an answer is found until it is stale', () => {
  const { keep, isKept } = openCache();
  keep('/ana');
  expect(isKept('/ana', NOW + 1999)).toBe(true);
  expect(isKept('/ana', NOW + 2000)).toBe(false);
});

test('a clear drops what shows any of its tags, and nothing else', () => {
  const { cache, keep, isKept } = openCache();
  keep('/ana', ['artist:a', 'designs:a']);
  keep('/ana/about', ['artist:a']);
  keep('/bo', ['artist:b', 'designs:b']);
  cache.invalidate(['designs:a', 'designs:nobody']);
  expect(['/ana', '/ana/about', '/bo'].map((key) => isKept(key))).toEqual([false, true, true]);
  cache.invalidate(['artist:a']);
  expect(isKept('/ana/about')).toBe(false);
});

test('what began before a clear of what it shows is not kept', () => {
  const { cache, isKept } = openCache();
  const [first, second, third] = [cache.startRender(), cache.startRender(), cache.startRender()];
  cache.invalidate(['designs:a']);
  cache.set('/ana', answer(['artist:a', 'designs:a']), first);
  cache.set('/bo', answer(['artist:b', 'designs:b']), second);
  cache.endRender(first);
  cache.endRender(second);
  expect([isKept('/ana'), isKept('/bo')]).toEqual([false, true]);
  expect(cache.isStorable(third, ['designs:a'])).toBe(false);
  const after = cache.startRender();
  cache.set('/ana', answer(['artist:a', 'designs:a']), after);
  expect(isKept('/ana')).toBe(true);
});

test('however much is cleared meanwhile, what began before is known to be old', () => {
  const { cache, isKept } = openCache();
  const slow = cache.startRender();
  cache.invalidate(['designs:a']);
  for (let n = 0; n < 5000; n += 1) {
    const quick = cache.startRender();
    cache.invalidate([`designs:${n}`]);
    cache.endRender(quick);
  }
  cache.set('/ana', answer(['designs:a']), slow);
  expect(isKept('/ana')).toBe(false);
});

test('a closed cache keeps nothing, and an opened one nothing that began before', () => {
  const { cache, keep, isKept } = openCache();
  keep('/ana', ['artist:a']);
  const deaf = cache.startRender();
  cache.disable();
  expect(isKept('/ana')).toBe(false);
  keep('/ana', ['artist:a']);
  expect(isKept('/ana')).toBe(false);
  const stillDeaf = cache.startRender();
  cache.enable();
  cache.set('/ana', answer(['artist:a']), deaf);
  cache.set('/ana', answer(['artist:a']), stillDeaf);
  expect(isKept('/ana')).toBe(false);
  keep('/ana', ['artist:a']);
  expect(isKept('/ana')).toBe(true);
});

test('it stays within its bytes, and what was not asked for longest goes first', () => {
  const { cache, keep, isKept } = openCache();
  for (let n = 0; n < 10; n += 1) keep(`/artist-${n}`, [], 9 * KILOBYTE);
  expect(isKept('/artist-0')).toBe(true);
  for (let n = 10; n < 15; n += 1) keep(`/artist-${n}`, [], 9 * KILOBYTE);
  expect(cache.bytes).toBeLessThanOrEqual(100 * KILOBYTE);
  expect(cache.bytes).toBeGreaterThan(80 * KILOBYTE);
  expect([isKept('/artist-0'), isKept('/artist-1'), isKept('/artist-14')]).toEqual([
    true,
    false,
    true,
  ]);
});

test('an answer that would push out everything else is not kept', () => {
  const { keep, isKept } = openCache();
  keep('/large', [], 20 * KILOBYTE);
  expect(isKept('/large')).toBe(false);
});

test('a cache of no bytes keeps nothing', () => {
  const { keep, isKept } = openCache(0);
  keep('/ana', [], KILOBYTE);
  expect(isKept('/ana')).toBe(false);
});
