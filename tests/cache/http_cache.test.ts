import { expect, test } from 'vitest';
import { createCacheStore } from '#server/cache/cache_store.ts';
import { createHttpCache } from '#server/cache/http_cache.ts';
import { listenForTest } from '#support/listen.ts';
import { silentLog } from '#support/recorded_log.ts';

const NOON = Date.UTC(2026, 10, 2, 12);

/** A cache with one page, and the `Cache-Status` of its responses. */
async function openCache(render: () => Promise<void> = async () => {}, surrogate = 'max-age=60') {
  const store = createCacheStore(1_000_000);
  store.enable();
  let now = NOON;
  const cache = createHttpCache(store, () => now, silentLog);
  const page = async () => {
    await render();
    const headers = new Map([['surrogate-control', surrogate]]);
    return { status: 200, headers, body: Buffer.from('a page') };
  };
  let requests = 0;
  const url = await listenForTest((request, response) => {
    requests += 1;
    const key = request.url === '/uncached' ? undefined : request.url;
    const record = { route: '' };
    const read = { key, render: page };
    if (
      !cache.serveFresh(response, read, record, []) &&
      !cache.serveStale(response, read, record, [])
    )
      void cache.renderAndSend(response, read, record);
  });
  const statusOf = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(new URL(path, url), { headers })).headers.get('cache-status');
  return {
    url,
    statusOf,
    countRequests: () => requests,
    passTime(seconds: number) {
      now += seconds * 1000;
    },
  };
}

test('Cache-Status says stored on a miss, hit with the seconds of freshness left, also stale or with 304, and bypass', async () => {
  const { url, statusOf, passTime } = await openCache(
    undefined,
    'max-age=60, stale-while-revalidate=60',
  );
  expect(await statusOf('/ana')).toBe('Linework; fwd=uri-miss; stored');
  const etag = (await fetch(new URL('/ana', url))).headers.get('etag') ?? '';
  passTime(20);
  for (const headers of [{}, { 'If-None-Match': etag }])
    expect(await statusOf('/ana', headers)).toBe('Linework; hit; ttl=40');
  passTime(50);
  expect(await statusOf('/ana')).toBe('Linework; hit; ttl=-10');
  expect(await statusOf('/uncached')).toBe('Linework; fwd=bypass');
});

test('concurrent requests for one page share a single render, and Cache-Status says collapsed', async () => {
  const rendered = Promise.withResolvers<void>();
  let renders = 0;
  const { statusOf, countRequests } = await openCache(async () => {
    renders += 1;
    await rendered.promise;
  });
  const statuses = Promise.all(['/ana', '/ana', '/ana'].map((path) => statusOf(path)));
  await expect.poll(countRequests).toBe(3);
  rendered.resolve();
  expect((await statuses).toSorted()).toEqual([
    'Linework; fwd=uri-miss; collapsed',
    'Linework; fwd=uri-miss; collapsed',
    'Linework; fwd=uri-miss; stored',
  ]);
  expect(renders).toBe(1);
});
