import type { Benchmark, Measurement, Scale } from './benchmark.ts';
import { type ChildServer, startServer } from './child_server.ts';
import { compareUnderLoad } from './load.ts';
import { getRaw, type RawResponse } from './raw_http.ts';
import { openSandbox } from './sandbox.ts';

export const CONNECTIONS = 50;
export const BROWSER_HEADERS = { 'Accept-Encoding': 'gzip, deflate, br, zstd' };
/** Other programs than browsers often ask so. */
const PLAIN_HEADERS = { 'Accept-Encoding': 'identity' };
/** What node:http writes by itself. */
const NODE_HEADERS = new Set(['date', 'connection', 'keep-alive']);
/** Launches of one program differ, because V8 and malloc do not decide the same each time. */
const LAUNCHES = 5;

type RequestHeaders = Readonly<Record<string, string>>;

export const cachedPage: Benchmark = {
  name: 'cached-page',
  title: `cached artist page, requests/s, ${CONNECTIONS} connections`,
  baseline: 'bare `node:http` sending the same bytes',
  target: { atLeast: 0.85 },
  method: `The designs page of a demo artist in Brotli, checked to come from the page cache; the yardstick sends the same headers and the same body from memory. The worst of ${LAUNCHES} launches of both.`,
  measure: (scale) => measureLaunches(scale, BROWSER_HEADERS),
};

export const cachedPlainPage: Benchmark = {
  name: 'cached-plain',
  title: `the same, not compressed`,
  baseline: cachedPage.baseline,
  target: { atLeast: 0.5 },
  method: 'As cached-page, with `Accept-Encoding: identity`.',
  measure: (scale) => measureLaunches(scale, PLAIN_HEADERS),
};

/** The measurement of the worst launch, with the ratios of all. */
async function measureLaunches(scale: Scale, headers: RequestHeaders): Promise<Measurement> {
  await using place = await openSandbox();
  const launches: Measurement[] = [];
  for (let launch = 0; launch < (scale === 'full' ? LAUNCHES : 2); launch += 1) {
    await using server = await place.serve();
    launches.push(await measureLaunch(server, scale, headers));
  }
  const ratios = launches.map(({ ratio }) => ratio.toFixed(2));
  const [worst] = launches.toSorted((a, b) => a.ratio - b.ratio);
  if (!worst) throw new RangeError('Nothing was measured');
  return {
    ...worst,
    notes: [`The ratios of the launches: ${ratios.join(', ')}.`, ...(worst.notes ?? [])],
  };
}

async function measureLaunch(
  server: ChildServer,
  scale: Scale,
  headers: RequestHeaders,
): Promise<Measurement> {
  const page = `${server.url}/ana/`;
  const cached = await fetchUntilCached(page, headers);
  await using bare = await startServer('bench/baselines/static_response.ts', {
    HEADERS: JSON.stringify(
      Object.entries(cached.headers)
        .filter(([name]) => !NODE_HEADERS.has(name))
        .flat(),
    ),
    BODY: cached.body.toString('base64'),
  });
  const how = { connections: CONNECTIONS, seconds: 2, headers };
  return await compareUnderLoad(
    scale === 'full' ? 4 : 2,
    { ...how, url: page, pid: server.pid },
    { ...how, url: bare.url, pid: bare.pid },
  );
}

/** The page as the cache sends it: in Brotli to browsers, and as a 304 to those who have it. */
export async function fetchUntilCached(
  page: string,
  headers: RequestHeaders = BROWSER_HEADERS,
): Promise<RawResponse> {
  await getRaw(page, headers);
  const cached = await getRaw(page, headers);
  const { etag, 'content-encoding': encoding } = cached.headers;
  const again = await getRaw(page, { ...headers, 'If-None-Match': String(etag) });
  const expected = headers === PLAIN_HEADERS ? undefined : 'br';
  if (cached.status !== 200 || encoding !== expected || again.status !== 304)
    throw new Error(`${page} is not cached: ${cached.status}, ${encoding}, then ${again.status}`);
  return cached;
}
