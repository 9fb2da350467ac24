import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createCdns } from '#server/cache/cdn/cdns.ts';
import { createCloudflareAdapter } from '#server/cache/cdn/cloudflare.ts';
import { createFastlyAdapter } from '#server/cache/cdn/fastly.ts';
import { createVarnishAdapter } from '#server/cache/cdn/varnish.ts';
import { ConfigError, readConfig } from '#server/config.ts';
import { listenForTest } from '#support/listen.ts';

const PATIENCE_MS = 4000;
const tagsUpTo = (count: number) => Array.from({ length: count }, (_, nth) => `designs:${nth}`);

/** Someone's API that answers as it is told, until the test ends. */
async function openApi(
  respond: (call: {
    method: string;
    path: string;
    headers: IncomingHttpHeaders;
    body: string;
  }) => readonly [status: number, answer?: unknown],
): Promise<string> {
  const { origin } = await listenForTest(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const [status, answer] = respond({ method, path, headers, body: await text(request) });
    response.writeHead(status).end(answer === undefined ? '' : JSON.stringify(answer));
  });
  return origin;
}

/** What Cloudflare refuses: another token, another zone, too many tags, and words it does not know. */
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

/** What Fastly refuses: another token or service, too many keys, and words it does not know. */
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

test('Cloudflare is told every tag, in calls of as many as it takes', async () => {
  const { apiBase, purged } = await openCloudflare();
  const zone = createCloudflareAdapter({ id: 'z1', apiToken: 'right', apiBase });
  await zone.purge(tagsUpTo(70), PATIENCE_MS);
  expect(purged.map((tags) => tags.length)).toEqual([30, 30, 10]);
  expect(purged.flat().toSorted()).toEqual(tagsUpTo(70).toSorted());
});

test('what Cloudflare refuses is told in its words, without the token', async () => {
  const { apiBase } = await openCloudflare();
  const wrong = createCloudflareAdapter({ id: 'z1', apiToken: 'wrong-token', apiBase });
  const refused = wrong.purge(['designs:1'], PATIENCE_MS);
  await expect(refused).rejects.toThrow(/answered 401 to a purge: Authentication error \(10000\)$/);
  await expect(refused).rejects.not.toThrow(/wrong-token/);
  const elsewhere = createCloudflareAdapter({ id: 'z2', apiToken: 'right', apiBase });
  await expect(elsewhere.purge(['designs:1'], PATIENCE_MS)).rejects.toThrow('(7003)');
});

test('a purge that Cloudflare answers with no success is none', async () => {
  const apiBase = await openApi(() => [200, { success: false, errors: [] }]);
  const zone = createCloudflareAdapter({ id: 'z1', apiToken: 'right', apiBase });
  await expect(zone.purge(['designs:1'], PATIENCE_MS)).rejects.toThrow('answered 200 to a purge');
  const proxy = await openApi(() => [200]);
  const behind = createCloudflareAdapter({ id: 'z1', apiToken: 'right', apiBase: proxy });
  await expect(behind.purge(['designs:1'], PATIENCE_MS)).rejects.toThrow('answered 200 to a purge');
});

test('Fastly is told every tag, in calls of as many as it takes', async () => {
  const { apiBase, purged } = await openFastly();
  const service = createFastlyAdapter({ id: 's1', apiToken: 'right', apiBase });
  await service.purge(tagsUpTo(300), PATIENCE_MS);
  expect(purged.map((tags) => tags.length)).toEqual([256, 44]);
  expect(purged.flat().toSorted()).toEqual(tagsUpTo(300).toSorted());
});

test('what Fastly refuses fails', async () => {
  const { apiBase } = await openFastly();
  const wrong = createFastlyAdapter({ id: 's1', apiToken: 'wrong', apiBase });
  await expect(wrong.purge(['designs:1'], PATIENCE_MS)).rejects.toThrow('Fastly answered 401');
  const elsewhere = createFastlyAdapter({ id: 's2', apiToken: 'right', apiBase });
  await expect(elsewhere.purge(['designs:1'], PATIENCE_MS)).rejects.toThrow('Fastly answered 404');
});

test('each Varnish is told, though another one is away', async () => {
  const banned: unknown[] = [];
  const url = await openApi(({ method, headers }) => {
    banned.push([method, headers['cache-tag']]);
    return [200];
  });
  const away = createVarnishAdapter(['http://127.0.0.1:9', url]);
  await expect(away.purge(['designs:1', 'artist:1'], PATIENCE_MS)).rejects.toThrow();
  expect(banned).toEqual([['PURGE', 'designs:1,artist:1']]);
});

test('a Varnish that does not let us purge, or is none, fails', async () => {
  const url = await openApi(() => [403]);
  const purge = createVarnishAdapter([url]);
  await expect(purge.purge(['designs:1'], PATIENCE_MS)).rejects.toThrow(/answered 403 to a purge/);
});

test('a Varnish that does not answer keeps nobody else from being purged', async () => {
  const { origin: url } = await listenForTest(() => {});
  // Who stands behind it is purged all the same.
  const told: string[] = [];
  const apiBase = await openApi(({ path }) => {
    told.push(path);
    return [200, { success: true }];
  });
  const cloudflare = { id: 'z1', apiToken: 'right', apiBase };
  const purge = createCdns({ varnishUrls: [url], cloudflare, fastly: undefined });
  await expect(purge?.purge(['designs:1'], 300)).rejects.toThrow(/timeout/i);
  expect(told).toEqual(['/zones/z1/purge_cache']);
});

test('who stands nearer is purged first, and each is told how long to keep in its own words', async () => {
  const told: string[] = [];
  const varnish = await openApi(() => {
    told.push('varnish');
    return [200];
  });
  const apiBase = await openApi(({ path }) => {
    told.push(path);
    return [200, { success: true }];
  });
  const purge = createCdns({
    varnishUrls: [varnish],
    cloudflare: { id: 'z1', apiToken: 'right', apiBase },
    fastly: { id: 's1', apiToken: 'right', apiBase },
  });
  await purge?.purge(['designs:1'], PATIENCE_MS);
  expect(told).toEqual(['varnish', '/zones/z1/purge_cache', '/service/s1/purge']);
  const hints = (vary: string) =>
    purge?.cdnHeaders?.('max-age=60', ['cache-tag', 'designs:1,artist:1', 'vary', vary]);
  expect(hints('Accept-Encoding')).toEqual([
    'cloudflare-cdn-cache-control',
    'max-age=60',
    'surrogate-key',
    'designs:1 artist:1',
  ]);
  // Cloudflare would give one origin's answer to all.
  expect(hints('Origin, Accept-Encoding')).toContain('no-store');
  expect(createCdns(readConfig({}).cdn)).toBeUndefined();
});

test('settings of a cache in front come all together, or are named', () => {
  expect(
    readConfig({
      VARNISH_URLS: 'http://varnish-1:6081, http://varnish-2:6081',
      CLOUDFLARE_ZONE_ID: 'z1',
      CLOUDFLARE_API_TOKEN: 'right',
      FASTLY_SERVICE_ID: 's1',
      FASTLY_API_TOKEN: 'right',
      FASTLY_API_BASE: 'http://localhost:9/',
    }).cdn,
  ).toEqual({
    varnishUrls: ['http://varnish-1:6081', 'http://varnish-2:6081'],
    cloudflare: {
      id: 'z1',
      apiToken: 'right',
      apiBase: 'https://api.cloudflare.com/client/v4',
    },
    fastly: { id: 's1', apiToken: 'right', apiBase: 'http://localhost:9' },
  });
  const read = () =>
    readConfig({
      VARNISH_URLS: 'varnish:6081',
      CLOUDFLARE_ZONE_ID: 'z1',
      FASTLY_API_BASE: 'http://localhost:9',
    });
  expect(read).toThrow(ConfigError);
  for (const name of [
    'VARNISH_URLS must be web addresses',
    'CLOUDFLARE_API_TOKEN must be set, since CLOUDFLARE_ZONE_ID is',
    'FASTLY_SERVICE_ID must be set, since FASTLY_API_BASE is',
  ])
    expect(read).toThrow(name);
});
