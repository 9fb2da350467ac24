import { once } from 'node:events';
import http, { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, test, vi } from 'vitest';
import { toCacheHeaders } from '#cache/policy.ts';
import { createVarnishAdapter } from '#server/cache/cdn/varnish.ts';
import { openVarnish } from '#support/varnish.ts';

const TEST_TIMEOUT_MS = 60_000;
const CALL_TIMEOUT_MS = 10_000;
const cacheable = toCacheHeaders({ maxAge: 600, swr: 0, tags: ['artist:1', 'designs:1'] });

interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** A Varnish in front of a server that answers with `respond`. */
async function openVarnishAndServer(
  respond: (request: ReceivedRequest, response: ServerResponse) => void,
) {
  const received: ReceivedRequest[] = [];
  let isReady = true;
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    if (url === '/readyz') {
      response.writeHead(isReady ? 200 : 503).end();
      return;
    }
    received.push({ method, url, headers });
    respond({ method, url, headers }, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  const varnish = await openVarnish([port]).catch((error: unknown) => {
    close();
    throw error;
  });
  await varnish.waitForHealthy(1);
  const get = async (path: string, headers?: Record<string, string>) => {
    const response = await fetch(varnish.url + path, {
      // By default, `fetch` accepts every encoding.
      headers: { 'Accept-Encoding': 'identity', ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  return {
    received,
    get,
    varnish,
    setReady(ready: boolean) {
      isReady = ready;
      return varnish.waitForHealthy(ready ? 1 : 0);
    },
    [Symbol.asyncDispose]: async () => {
      await varnish[Symbol.asyncDispose]();
      close();
    },
  };
}

describe.concurrent('deploy/varnish/default.vcl', { timeout: TEST_TIMEOUT_MS }, () => {
  test('caches a cacheable response, ignoring tracking parameters, until one of its tags is purged', async ({
    expect,
  }) => {
    let version = 1;
    await using both = await openVarnishAndServer(({ url }, response) =>
      response.writeHead(200, cacheable).end(`${url} ${version}`),
    );
    const { received, get, varnish } = both;
    const first = await get('/ana?utm_source=x&year=2026&fbclid=1&month=12&utm_x');
    expect(first.body).toBe('/ana?month=12&year=2026 1');
    version = 2;
    expect((await get('/ana?month=12&gclid=2&year=2026')).body).toBe(first.body);
    expect((await get('/ana?month=1&year=2026')).body).toBe('/ana?month=1&year=2026 2');
    expect((await get('/a&b?utm_source=x')).body).toBe('/a&b 2');
    expect((await get('/ana?utm_source=x&utm_medium=y')).body).toBe('/ana 2');
    expect(received).toHaveLength(4);
    const headerNames = [...first.headers.keys()];
    for (const hidden of ['cache-tag', 'surrogate-control', 'via', 'x-varnish', 'age'])
      expect(headerNames).not.toContain(hidden);

    const purge = createVarnishAdapter([varnish.url]);
    await purge.purge(['designs:12', 'designs'], CALL_TIMEOUT_MS);
    expect((await get('/ana?month=12&year=2026')).body).toBe(first.body);
    await purge.purge(['services:9', 'designs:1'], CALL_TIMEOUT_MS);
    expect((await get('/ana?month=12&year=2026')).body).toBe('/ana?month=12&year=2026 2');
  });

  test('accepts a purge only of valid tags, and refuses one that was forwarded for a client', async ({
    expect,
  }) => {
    await using both = await openVarnishAndServer((_, response) => response.end());
    const purge = (headers: Record<string, string>) =>
      fetch(both.varnish.url, { method: 'PURGE', headers }).then(({ status }) => status);
    expect(await purge({ 'Cache-Tag': 'artist:1,username:ana.b_c-d' })).toBe(200);
    expect(await both.varnish.listBans()).toContain('(^|,)(artist:1|username:ana[.]b_c-d)(,|$)');
    expect(await purge({ 'Cache-Tag': 'artist:1', 'X-Forwarded-For': '192.0.2.1' })).toBe(403);
    expect(await purge({ 'Cache-Tag': 'artist:1 || req.url ~ .' })).toBe(400);
    expect(await purge({})).toBe(400);
    expect(both.received).toEqual([]);
  });

  test('never caches private responses, responses without Surrogate-Control, or errors', async ({
    expect,
  }) => {
    await using both = await openVarnishAndServer(({ url }, response) => {
      const [status, headers] = {
        '/cacheable': [200, cacheable] as const,
        '/cookie': [200, { ...cacheable, 'Set-Cookie': 'a=b' }] as const,
        '/no-store': [200, { ...cacheable, 'Surrogate-Control': 'no-store' }] as const,
        '/private': [200, { 'Cache-Control': 'no-store' }] as const,
        '/silent': [200, {}] as const,
        '/failure': [503, {}] as const,
      }[url] ?? [404, {}];
      response.writeHead(status, headers).end('text');
    });
    const { received, get, varnish } = both;
    /** Requests the path twice, and counts the requests that reach the server. */
    const requestsToServer = async (path: string, headers?: Record<string, string>) => {
      const before = received.length;
      await get(path, headers);
      await get(path, headers);
      return received.length - before;
    };
    expect(await requestsToServer('/cacheable')).toBe(1);
    expect(await requestsToServer('/cacheable', { Cookie: 'a=b' })).toBe(2);
    expect(await requestsToServer('/cacheable', { Authorization: 'Bearer x' })).toBe(2);
    for (const path of ['/cookie', '/no-store', '/private', '/silent', '/failure', '/missing'])
      expect([path, await requestsToServer(path)]).toEqual([path, 2]);
    const deleted = await fetch(`${varnish.url}/cacheable`, { method: 'DELETE' });
    expect(deleted.status).toBe(200);
    expect(received.at(-1)?.method).toBe('DELETE');
    expect((await fetch(varnish.url, { method: 'PROPFIND' })).status).toBe(405);
  });

  test('caches one response per encoding', async ({ expect }) => {
    const encode = { br: brotliCompressSync, gzip: gzipSync };
    await using both = await openVarnishAndServer(({ headers }, response) => {
      const accepted = headers['accept-encoding'];
      const encoding = accepted === 'br' || accepted === 'gzip' ? accepted : undefined;
      response
        .writeHead(200, {
          ...cacheable,
          Vary: 'Origin, Accept-Encoding',
          ...(encoding && { 'Content-Encoding': encoding }),
        })
        .end(encoding ? encode[encoding]('page') : 'page');
    });
    const { received, varnish } = both;
    const raw = async (accepted: string) => {
      const request = http.get(varnish.url, { headers: { 'accept-encoding': accepted } });
      const [response] = await once(request, 'response');
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part);
      const body = Buffer.concat(parts);
      const encoding: unknown = response.headers['content-encoding'];
      const plain =
        encoding === 'br'
          ? brotliDecompressSync(body)
          : encoding === 'gzip'
            ? gunzipSync(body)
            : body;
      return [encoding, String(plain)];
    };
    for (const time of [1, 2]) {
      expect([time, await raw('gzip, deflate, br, zstd')]).toEqual([time, ['br', 'page']]);
      expect([time, await raw('gzip;q=1.0, br;q=0')]).toEqual([time, ['gzip', 'page']]);
      expect([time, await raw('identity')]).toEqual([time, [undefined, 'page']]);
    }
    expect(received.map(({ headers }) => headers['accept-encoding'])).toEqual([
      'br',
      'gzip',
      undefined,
    ]);
  });

  test('serves a stale page within its stale-while-revalidate time, or longer while no server is healthy', async ({
    expect,
  }) => {
    let version = 1;
    await using both = await openVarnishAndServer(({ url }, response) => {
      const swr = { '/page': 600, '/brief': 1 }[url] ?? 0;
      response
        .writeHead(200, toCacheHeaders({ maxAge: 1, swr, tags: [`page:${url.slice(1)}`] }))
        .end(`${version}`);
    });
    const { get, varnish } = both;
    const paths = ['/page', '/brief', '/month', '/purged'];
    for (const path of paths) expect((await get(path)).body).toBe('1');
    version = 2;
    // Every page is expired now; only `/page` may still be served stale.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect((await get('/month')).body).toBe('2');
    expect((await get('/brief')).body).toBe('2');
    expect((await get('/page')).body).toBe('1');
    await vi.waitFor(async () => expect((await get('/page')).body).toBe('2'), {
      timeout: 10_000,
    });

    version = 3;
    await both.setReady(false);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect((await get('/brief')).body).toBe('2');
    for (const _ of [1, 2]) expect((await get('/page')).body).toBe('2');
    expect((await get('/month')).status).toBe(503);
    await createVarnishAdapter([varnish.url]).purge(['page:page'], CALL_TIMEOUT_MS);
    expect((await get('/page')).status).toBe(503);
    await both.setReady(true);
    expect((await get('/page')).body).toBe('3');
  });
});
