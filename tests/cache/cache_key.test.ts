import { expect, test } from 'vitest';
import { toCacheKey } from '#server/cache/cache_key.ts';

const keyOf = (url: string, headers = {}) =>
  toCacheKey(url, headers, (path) => (path.endsWith('/scheduling') ? ['service', 'design'] : []))
    ?.key;

test.each([
  ['/ana', '/ana'],
  ['/ana/', '/ana'],
  ['/', '/'],
  ['/ana?', '/ana'],
  ['/ana/?utm_source=insta&fbclid=1', '/ana'],
  ['/api/v1/designs/d/share-image?v=2', '/api/v1/designs/d/share-image'],
  ['/ana/scheduling?service=s', '/ana/scheduling?service=s'],
  ['/ana/scheduling/?service=s&design=d&gclid=2', '/ana/scheduling?design=d&service=s'],
  ['/ana/scheduling?design=d&service=s', '/ana/scheduling?design=d&service=s'],
  ['/ana/scheduling?design=a%26b', '/ana/scheduling?design=a%26b'],
])('the cache key of %s is %s', (url, key) => {
  expect(keyOf(url)).toBe(key);
});

test.each([
  ['/ana?page=2'],
  ['/ana?service=s'],
  ['/ana/scheduling?service=s&page=2'],
  ['/ana/scheduling?service=s&service=t'],
  ['/ana/scheduling?service=%FF'],
])('%s has no cache key: its query is unknown, repeated or not UTF-8', (url) => {
  expect(keyOf(url)).toBeUndefined();
});

test.each([
  '/x/../ana',
  '/./ana',
  '/ana/..',
  '/x\\..\\ana',
  '//ana',
  '/ana//about',
  '/ana#top',
  '/%61na',
  '/ANA',
  '/x/../ana/scheduling?service=s',
])('%s has no cache key: it is another spelling of a path', (url) => {
  expect(keyOf(url)).toBeUndefined();
});

test('a request with a cookie or a token has no cache key', () => {
  expect(keyOf('/ana', { cookie: 'a=b' })).toBeUndefined();
  expect(keyOf('/ana', { authorization: 'Bearer x' })).toBeUndefined();
});

test('a response is rendered from the address without ignored parameters', () => {
  const found = toCacheKey('/ana/?utm_source=x', {}, () => []);
  expect(found?.address).toBe('/ana/');
});
