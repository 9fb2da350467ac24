import type { Benchmark } from './benchmark.ts';
import { startServer } from './child_server.ts';
import { compareUnderLoad } from './load.ts';
import { getRaw, type RawResponse } from './raw_http.ts';
import { openSandbox } from './sandbox.ts';

export const CONNECTIONS = 50;
export const BROWSER_HEADERS = { 'Accept-Encoding': 'gzip, deflate, br, zstd' };
/** What node:http writes by itself. */
const NODE_HEADERS = new Set(['date', 'connection', 'keep-alive']);

export const cachedPage: Benchmark = {
  name: 'cached-page',
  title: `cached artist page, requests/s, ${CONNECTIONS} connections`,
  baseline: 'bare `node:http` sending the same bytes',
  target: { atLeast: 0.8 },
  method:
    'The designs page of a demo artist in Brotli, checked to come from the page cache; the yardstick sends the same headers and the same body from memory.',
  async measure(scale) {
    await using place = await openSandbox();
    await using server = await place.serve();
    const page = `${server.url}/ana/`;
    const cached = await fetchUntilCached(page);
    await using bare = await startServer('bench/baselines/static_response.ts', {
      HEADERS: JSON.stringify(
        Object.entries(cached.headers)
          .filter(([name]) => !NODE_HEADERS.has(name))
          .flat(),
      ),
      BODY: cached.body.toString('base64'),
    });
    const how = {
      connections: CONNECTIONS,
      seconds: scale === 'full' ? 4 : 2,
      headers: BROWSER_HEADERS,
    };
    return await compareUnderLoad(
      scale === 'full' ? 9 : 3,
      { ...how, url: page, pid: server.pid },
      { ...how, url: bare.url, pid: bare.pid },
    );
  },
};

/** The page as the cache sends it: in Brotli, and as a 304 to a browser that has it. */
export async function fetchUntilCached(page: string): Promise<RawResponse> {
  await getRaw(page, BROWSER_HEADERS);
  const cached = await getRaw(page, BROWSER_HEADERS);
  const { etag, 'content-encoding': encoding } = cached.headers;
  const again = await getRaw(page, { ...BROWSER_HEADERS, 'If-None-Match': String(etag) });
  if (cached.status !== 200 || encoding !== 'br' || again.status !== 304)
    throw new Error(`${page} is not cached: ${cached.status}, ${encoding}, then ${again.status}`);
  return cached;
}
