import { expect, test } from 'vitest';
import { type CacheEntry, createCacheStore } from '#server/cache/cache_store.ts';
import { COMPRESSIONS, encodeResponse } from '#server/cache/encoded_response.ts';

const KILOBYTE = 1024;
const NOW = Date.parse('2026-11-21T12:00:00Z');

function entryOf(tags: readonly string[], bytes = KILOBYTE): CacheEntry {
  const variant = { headers: [], readBody: () => Buffer.alloc(0), isStored: true };
  return {
    status: 200,
    route: undefined,
    etag: 'W/"a"',
    variants: { br: variant, gzip: variant, identity: variant },
    notModifiedHeaders: [],
    bytes,
    tags,
    freshUntil: NOW + 1000,
    staleUntil: NOW + 2000,
  };
}

function openCache(maxBytes = 100 * KILOBYTE) {
  const cache = createCacheStore(maxBytes);
  cache.enable();
  const store = (key: string, tags: readonly string[] = [], bytes?: number) => {
    const ticket = cache.startRender();
    cache.set(key, entryOf(tags, bytes), ticket);
    cache.endRender(ticket);
  };
  const isStored = (key: string, now = NOW) => cache.get(key, now) !== undefined;
  return { cache, store, isStored };
}

test('an entry is served until it expires', () => {
  const { store, isStored } = openCache();
  store('/ana');
  expect(isStored('/ana', NOW + 1999)).toBe(true);
  expect(isStored('/ana', NOW + 2000)).toBe(false);
});

test('an invalidation deletes the entries with any of its tags, and no others', () => {
  const { cache, store, isStored } = openCache();
  store('/ana', ['artist:a', 'designs:a']);
  store('/ana/about', ['artist:a']);
  store('/bo', ['artist:b', 'designs:b']);
  cache.invalidate(['designs:a', 'designs:nobody']);
  expect(['/ana', '/ana/about', '/bo'].map((key) => isStored(key))).toEqual([false, true, true]);
  cache.invalidate(['artist:a']);
  expect(isStored('/ana/about')).toBe(false);
});

test('a render that began before an invalidation of its tags is not stored', () => {
  const { cache, isStored } = openCache();
  const [first, second, third] = [cache.startRender(), cache.startRender(), cache.startRender()];
  cache.invalidate(['designs:a']);
  cache.set('/ana', entryOf(['artist:a', 'designs:a']), first);
  cache.set('/bo', entryOf(['artist:b', 'designs:b']), second);
  cache.endRender(first);
  cache.endRender(second);
  expect([isStored('/ana'), isStored('/bo')]).toEqual([false, true]);
  expect(cache.isStorable(third, ['designs:a'])).toBe(false);
  const after = cache.startRender();
  cache.set('/ana', entryOf(['artist:a', 'designs:a']), after);
  expect(isStored('/ana')).toBe(true);
});

test('a slow render whose tag was invalidated is not stored, even after 5000 further invalidations', () => {
  const { cache, isStored } = openCache();
  const slow = cache.startRender();
  cache.invalidate(['designs:a']);
  for (let n = 0; n < 5000; n += 1) {
    const quick = cache.startRender();
    cache.invalidate([`designs:${n}`]);
    cache.endRender(quick);
  }
  cache.set('/ana', entryOf(['designs:a']), slow);
  expect(isStored('/ana')).toBe(false);
});

test('a disabled cache stores nothing, and after enabling it no render that began before', () => {
  const { cache, store, isStored } = openCache();
  store('/ana', ['artist:a']);
  const beforeDisable = cache.startRender();
  cache.disable();
  expect(isStored('/ana')).toBe(false);
  store('/ana', ['artist:a']);
  expect(isStored('/ana')).toBe(false);
  const whileDisabled = cache.startRender();
  cache.enable();
  cache.set('/ana', entryOf(['artist:a']), beforeDisable);
  cache.set('/ana', entryOf(['artist:a']), whileDisabled);
  expect(isStored('/ana')).toBe(false);
  store('/ana', ['artist:a']);
  expect(isStored('/ana')).toBe(true);
});

test('the cache stays within its bytes and evicts the least recently used entry first', () => {
  const { cache, store, isStored } = openCache();
  for (let n = 0; n < 10; n += 1) store(`/artist-${n}`, [], 9 * KILOBYTE);
  expect(isStored('/artist-0')).toBe(true);
  for (let n = 10; n < 15; n += 1) store(`/artist-${n}`, [], 9 * KILOBYTE);
  expect(cache.bytes).toBeLessThanOrEqual(100 * KILOBYTE);
  expect(cache.bytes).toBeGreaterThan(80 * KILOBYTE);
  expect([isStored('/artist-0'), isStored('/artist-1'), isStored('/artist-14')]).toEqual([
    true,
    false,
    true,
  ]);
});

test('an entry larger than its share of the memory is not stored', () => {
  const { store, isStored } = openCache();
  store('/large', [], 20 * KILOBYTE);
  expect(isStored('/large')).toBe(false);
});

test('a cache of 0 bytes stores nothing', () => {
  const { store, isStored } = openCache(0);
  store('/ana', [], KILOBYTE);
  expect(isStored('/ana')).toBe(false);
});

test.each([
  ['is stored at the second hit, counted, and deleted with its entry', 10 * 1024 * KILOBYTE, true],
  ['is not stored if it does not fit, and the compressed ones stay', 100 * KILOBYTE, false],
])('the uncompressed body of a page %s', async (_, maxBytes, fits) => {
  const { cache } = openCache(maxBytes);
  const body = Buffer.from('a design '.repeat(6000));
  const headers = new Map([['content-type', 'text/html']]);
  const encoded = await encodeResponse({ status: 200, headers, body }, COMPRESSIONS);
  const times = { freshUntil: NOW + 1000, staleUntil: NOW + 2000 };
  cache.set('/ana', { ...encoded, ...times, tags: ['artist:a'] }, cache.startRender());
  const hit = () => {
    const entry = cache.get('/ana', NOW);
    if (entry) cache.notePlainHit('/ana', entry);
    return { bytes: cache.bytes, sent: entry?.variants.identity.readBody() };
  };
  const [first, second, third, fourth] = [hit(), hit(), hit(), hit()];
  expect(first.bytes).toBeLessThan(body.length / 10);
  expect(second.bytes).toBe(first.bytes + (fits ? body.length : 0));
  expect(third.sent?.equals(body)).toBe(true);
  expect(third.sent === fourth.sent).toBe(fits);
  expect(fourth.bytes).toBe(second.bytes);
  cache.invalidate(['artist:a']);
  expect(cache.bytes).toBe(0);
});
