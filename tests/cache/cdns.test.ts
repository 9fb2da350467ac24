import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createCdns } from '#server/cache/cdn/cdns.ts';
import { createCloudflareAdapter } from '#server/cache/cdn/cloudflare.ts';
import { createFastlyAdapter } from '#server/cache/cdn/fastly.ts';
import { createVarnishAdapter } from '#server/cache/cdn/varnish.ts';
import { readConfig } from '#server/settings/config.ts';
import { listenForTest } from '#support/listen.ts';

const TIMEOUT_MS = 4000;
const tagsUpTo = (count: number) => Array.from({ length: count }, (_, nth) => `designs:${nth}`);

/** An HTTP API that answers with the result of `respond` until the test ends. */
async function openApi(
  respond: (call: {
    method: string;
    path: string;
    headers: IncomingHttpHeaders;
    body: string;
  }) => readonly [status: number, body?: unknown],
): Promise<string> {
  const { origin } = await listenForTest(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const [status, result] = respond({ method, path, headers, body: await text(request) });
    response.writeHead(status).end(result === undefined ? '' : JSON.stringify(result));
  });
  return origin;
}

/** Refuses what Cloudflare refuses: another token or zone, too many tags, and unknown fields. */
async function openCloudflare() {
  const purged: string[][] = [];
  const refusal = (code: number, message: string) => ({
    success: false,
    errors: [{ code, message }],
    messages: [],
    result: null,
  });
  const apiBase = await openApi(({ method, path, headers, body }) => {
    if (headers.authorization !== 'Bearer right')
      return [401, refusal(10_000, 'Authentication error')];
    if (method !== 'POST' || path !== '/zones/z1/purge_cache')
      return [404, refusal(7003, 'Could not route to that zone')];
    const { tags, ...others }: { tags: string[] } = JSON.parse(body);
    if (headers['content-type'] !== 'application/json' || Object.keys(others).length > 0)
      return [400, refusal(1012, 'Request must contain one of "files", "tags"')];
    if (tags.length === 0 || tags.length > 30) return [400, refusal(1088, 'Too many tags')];
    purged.push(tags);
    return [200, { success: true, errors: [], messages: [], result: { id: 'z1' } }];
  });
  return { apiBase, purged };
}

/** Refuses what Fastly refuses: another token or service, too many keys, and unknown fields. */
async function openFastly() {
  const purged: string[][] = [];
  const apiBase = await openApi(({ method, path, headers, body }) => {
    if (headers['fastly-key'] !== 'right')
      return [401, { msg: 'Provided credentials are missing' }];
    if (method !== 'POST' || path !== '/service/s1/purge')
      return [404, { msg: 'Record not found' }];
    const { surrogate_keys: keys, ...others }: { surrogate_keys: string[] } = JSON.parse(body);
    if (headers['content-type'] !== 'application/json' || Object.keys(others).length > 0)
      return [400, { msg: 'Bad request' }];
    if (keys.length === 0 || keys.length > 256 || keys.some((key) => /[\s,]/.test(key)))
      return [400, { msg: 'Bad request' }];
    purged.push(keys);
    return [200, Object.fromEntries(keys.map((key, nth) => [key, `108-${nth}`]))];
  });
  return { apiBase, purged };
}

test.each([
  {
    ...{ name: 'Cloudflare', open: openCloudflare, create: createCloudflareAdapter, id: 'z1' },
    batches: [30, 30, 10],
    wrongToken: /answered 401 to a purge: Authentication error \(10000\)$/,
    wrongId: '(7003)',
  },
  {
    ...{ name: 'Fastly', open: openFastly, create: createFastlyAdapter, id: 's1' },
    batches: [256, 44],
    wrongToken: 'Fastly answered 401',
    wrongId: 'Fastly answered 404',
  },
])(
  'every tag is purged from $name, in batches, and a purge that it refuses rejects without the token',
  async ({ open, create, id, batches, wrongToken, wrongId }) => {
    const { apiBase, purged } = await open();
    const tags = tagsUpTo(batches.reduce((sum, size) => sum + size));
    await create({ id, apiToken: 'right', apiBase }).purge(tags, TIMEOUT_MS);
    expect(purged.map(({ length }) => length)).toEqual(batches);
    expect(purged.flat().toSorted()).toEqual(tags.toSorted());
    const wrong = create({ id, apiToken: 'wrong-token', apiBase });
    const refused = wrong.purge(['designs:1'], TIMEOUT_MS);
    await expect(refused).rejects.toThrow(wrongToken);
    await expect(refused).rejects.not.toThrow(/wrong-token/);
    const elsewhere = create({ id: 'elsewhere', apiToken: 'right', apiBase });
    await expect(elsewhere.purge(['designs:1'], TIMEOUT_MS)).rejects.toThrow(wrongId);
    const { origin: silent } = await listenForTest(() => {});
    const hanging = create({ id, apiToken: 'right', apiBase: silent });
    await expect(hanging.purge(['designs:1'], 100)).rejects.toThrow(/timeout/i);
  },
);

test('a purge rejects when Cloudflare answers 200 without success', async () => {
  const apiBase = await openApi(() => [200, { success: false, errors: [] }]);
  const zone = createCloudflareAdapter({ id: 'z1', apiToken: 'right', apiBase });
  await expect(zone.purge(['designs:1'], TIMEOUT_MS)).rejects.toThrow('answered 200 to a purge');
  const proxy = await openApi(() => [200]);
  const proxied = createCloudflareAdapter({ id: 'z1', apiToken: 'right', apiBase: proxy });
  await expect(proxied.purge(['designs:1'], TIMEOUT_MS)).rejects.toThrow('answered 200 to a purge');
});

test('a purge reaches each Varnish although another one is down, and rejects; so does a purge that is answered with 403', async () => {
  const requests: unknown[] = [];
  const url = await openApi(({ method, headers }) => {
    requests.push([method, headers['cache-tag']]);
    return [200];
  });
  const adapter = createVarnishAdapter(['http://127.0.0.1:9', url]);
  await expect(adapter.purge(['designs:1', 'artist:1'], TIMEOUT_MS)).rejects.toThrow();
  expect(requests).toEqual([['PURGE', 'designs:1,artist:1']]);
  const forbidding = createVarnishAdapter([await openApi(() => [403])]);
  await expect(forbidding.purge(['designs:1'], TIMEOUT_MS)).rejects.toThrow(
    'answered 403 to a purge',
  );
});

test('a Varnish that does not answer does not stop the purge of other CDNs', async () => {
  const { origin: url } = await listenForTest(() => {});
  const purged: string[] = [];
  const apiBase = await openApi(({ path }) => {
    purged.push(path);
    return [200, { success: true }];
  });
  const cloudflare = { id: 'z1', apiToken: 'right', apiBase };
  const cdns = createCdns({ varnishUrls: [url], cloudflare, fastly: undefined });
  await expect(cdns?.purge(['designs:1'], 300)).rejects.toThrow(/timeout/i);
  expect(purged).toEqual(['/zones/z1/purge_cache']);
});

test('CDNs are purged one after another, the nearest to the server first', async () => {
  const purged: string[] = [];
  const varnish = await openApi(() => {
    purged.push('varnish');
    return [200];
  });
  const apiBase = await openApi(({ path }) => {
    purged.push(path);
    return [200, { success: true }];
  });
  const cdns = createCdns({
    varnishUrls: [varnish],
    cloudflare: { id: 'z1', apiToken: 'right', apiBase },
    fastly: { id: 's1', apiToken: 'right', apiBase },
  });
  await cdns?.purge(['designs:1'], TIMEOUT_MS);
  expect(purged).toEqual(['varnish', '/zones/z1/purge_cache', '/service/s1/purge']);
});

test('each CDN receives cache headers in its own format', () => {
  const cdns = createCdns({
    varnishUrls: ['http://localhost:9'],
    cloudflare: { id: 'z1', apiToken: 'right', apiBase: 'http://localhost:9' },
    fastly: { id: 's1', apiToken: 'right', apiBase: 'http://localhost:9' },
  });
  const headersWith = (vary: string) =>
    cdns?.cdnHeaders?.('max-age=60', ['cache-tag', 'designs:1,artist:1', 'vary', vary]);
  expect(headersWith('Accept-Encoding')).toEqual([
    'cloudflare-cdn-cache-control',
    'max-age=60',
    'surrogate-key',
    'designs:1 artist:1',
  ]);
  // Cloudflare ignores `Vary: Origin`: it would serve the response for one origin to all.
  expect(headersWith('Origin, Accept-Encoding')).toContain('no-store');
});

test('CDN settings are read; without them there is no CDN', () => {
  expect(
    readConfig({
      VARNISH_URLS: 'http://varnish-1:6081, http://varnish-2:6081',
      CLOUDFLARE_ZONE_ID: 'z1',
      CLOUDFLARE_API_TOKEN: 'z-token',
      FASTLY_SERVICE_ID: 's1',
      FASTLY_API_TOKEN: 's-token',
      FASTLY_API_BASE: 'http://localhost:9/',
    }).cdn,
  ).toEqual({
    varnishUrls: ['http://varnish-1:6081', 'http://varnish-2:6081'],
    cloudflare: {
      id: 'z1',
      apiToken: 'z-token',
      apiBase: 'https://api.cloudflare.com/client/v4',
    },
    fastly: { id: 's1', apiToken: 's-token', apiBase: 'http://localhost:9' },
  });
  expect(createCdns(readConfig({}).cdn)).toBeUndefined();
});
