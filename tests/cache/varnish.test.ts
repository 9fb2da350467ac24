import { once } from 'node:events';
import http, { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { toCacheHeaders } from '#cache/policy.ts';
import { createVarnishAdapter } from '#server/cache/cdn/varnish.ts';
import { openVarnish } from '#support/varnish.ts';

const PATIENCE_MS = 60_000;
const CALL_MS = 10_000;
const kept = toCacheHeaders({ maxAge: 600, swr: 0, tags: ['artist:1', 'designs:1'] });

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** A server behind a Varnish that answers as it is told; both end with the test. */
async function openBoth(respond: (asked: Asked, response: ServerResponse) => void) {
  const asked: Asked[] = [];
  let isReady = true;
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    if (url === '/readyz') {
      response.writeHead(isReady ? 200 : 503).end();
      return;
    }
    asked.push({ method, url, headers });
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
      // Unless it is asked for, it asks for every encoding.
      headers: { 'Accept-Encoding': 'identity', ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(CALL_MS),
    });
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  return {
    asked,
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

describe.concurrent('Varnish with our rules', { timeout: PATIENCE_MS }, () => {
  test('keeps what says so, under any visit-counting address, until one of its tags is purged', async ({
    expect,
  }) => {
    let version = 1;
    await using both = await openBoth(({ url }, response) =>
      response.writeHead(200, kept).end(`${url} ${version}`),
    );
    const { asked, get, varnish } = both;
    const first = await get('/ana?utm_source=x&year=2026&fbclid=1&month=12&utm_x');
    expect(first.body).toBe('/ana?month=12&year=2026 1');
    version = 2;
    expect((await get('/ana?month=12&gclid=2&year=2026')).body).toBe(first.body);
    expect((await get('/ana?month=1&year=2026')).body).toBe('/ana?month=1&year=2026 2');
    expect((await get('/a&b?utm_source=x')).body).toBe('/a&b 2');
    expect((await get('/ana?utm_source=x&utm_medium=y')).body).toBe('/ana 2');
    expect(asked).toHaveLength(4);
    const shown = [...first.headers.keys()];
    for (const hidden of ['cache-tag', 'surrogate-control', 'via', 'x-varnish', 'age'])
      expect(shown).not.toContain(hidden);

    const purge = createVarnishAdapter([varnish.url]);
    await purge.purge(['designs:12', 'designs'], CALL_MS);
    expect((await get('/ana?month=12&year=2026')).body).toBe(first.body);
    await purge.purge(['services:9', 'designs:1'], CALL_MS);
    expect((await get('/ana?month=12&year=2026')).body).toBe('/ana?month=12&year=2026 2');
  });

  test('takes a purge from servers of ours alone, and of tags alone', async ({ expect }) => {
    await using both = await openBoth((_, response) => response.end());
    const purge = (headers: Record<string, string>) =>
      fetch(both.varnish.url, { method: 'PURGE', headers }).then(({ status }) => status);
    expect(await purge({ 'Cache-Tag': 'artist:1,username:ana.b_c-d' })).toBe(200);
    expect(await both.varnish.listBans()).toContain('(^|,)(artist:1|username:ana[.]b_c-d)(,|$)');
    expect(await purge({ 'Cache-Tag': 'artist:1', 'X-Forwarded-For': '192.0.2.1' })).toBe(403);
    expect(await purge({ 'Cache-Tag': 'artist:1 || req.url ~ .' })).toBe(400);
    expect(await purge({})).toBe(400);
    expect(both.asked).toEqual([]);
  });

  test('keeps nothing for one person, nothing that does not say so, and no failure', async ({
    expect,
  }) => {
    await using both = await openBoth(({ url }, response) => {
      const [status, headers] = {
        '/kept': [200, kept] as const,
        '/cookie': [200, { ...kept, 'Set-Cookie': 'a=b' }] as const,
        '/no-store': [200, { ...kept, 'Surrogate-Control': 'no-store' }] as const,
        '/private': [200, { 'Cache-Control': 'no-store' }] as const,
        '/silent': [200, {}] as const,
        '/failure': [503, {}] as const,
      }[url] ?? [404, {}];
      response.writeHead(status, headers).end('text');
    });
    const { asked, get, varnish } = both;
    const twice = async (path: string, headers?: Record<string, string>) => {
      const before = asked.length;
      await get(path, headers);
      await get(path, headers);
      return asked.length - before;
    };
    expect(await twice('/kept')).toBe(1);
    expect(await twice('/kept', { Cookie: 'a=b' })).toBe(2);
    expect(await twice('/kept', { Authorization: 'Bearer x' })).toBe(2);
    for (const path of ['/cookie', '/no-store', '/private', '/silent', '/failure', '/missing'])
      expect([path, await twice(path)]).toEqual([path, 2]);
    const deleted = await fetch(`${varnish.url}/kept`, { method: 'DELETE' });
    expect(deleted.status).toBe(200);
    expect(asked.at(-1)?.method).toBe('DELETE');
    expect((await fetch(varnish.url, { method: 'PROPFIND' })).status).toBe(405);
  });

  test('gives each browser the encoding that the server made for it', async ({ expect }) => {
    const encode = { br: brotliCompressSync, gzip: gzipSync };
    await using both = await openBoth(({ headers }, response) => {
      const accepted = headers['accept-encoding'];
      const encoding = accepted === 'br' || accepted === 'gzip' ? accepted : undefined;
      response
        .writeHead(200, {
          ...kept,
          Vary: 'Origin, Accept-Encoding',
          ...(encoding && { 'Content-Encoding': encoding }),
        })
        .end(encoding ? encode[encoding]('page') : 'page');
    });
    const { asked, varnish } = both;
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
    expect(asked.map(({ headers }) => headers['accept-encoding'])).toEqual([
      'br',
      'gzip',
      undefined,
    ]);
  });

  test('passes an upload on, whole', async ({ expect }) => {
    const length = 20_000_000;
    const server = createServer(async (request, response) => {
      response.end(String((await text(request)).length));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    await using varnish = await openVarnish([
      typeof address === 'object' && address ? address.port : 0,
    ]);
    await varnish.waitForHealthy(1);
    const response = await fetch(varnish.url, { method: 'POST', body: 'x'.repeat(length) });
    expect(await response.text()).toBe(String(length));
    server.closeAllConnections();
    server.close();
  });

  test('after its time, shows a page once more only if it may; longer only while no server is there', async ({
    expect,
  }) => {
    let version = 1;
    await using both = await openBoth(({ url }, response) => {
      const swr = { '/page': 600, '/brief': 1 }[url] ?? 0;
      response
        .writeHead(200, toCacheHeaders({ maxAge: 1, swr, tags: [`page:${url.slice(1)}`] }))
        .end(`${version}`);
    });
    const { get, varnish } = both;
    const paths = ['/page', '/brief', '/month', '/purged'];
    for (const path of paths) expect((await get(path)).body).toBe('1');
    version = 2;
    // Over, for all but the first.
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
    await createVarnishAdapter([varnish.url]).purge(['page:page'], CALL_MS);
    expect((await get('/page')).status).toBe(503);
    await both.setReady(true);
    expect((await get('/page')).body).toBe('3');
  });
});

test('where there is no varnishd, a test says how to install it', async () => {
  vi.stubEnv('PATH', '/nowhere');
  await expect(openVarnish([1])).rejects.toThrow('apt-get install varnish');
  vi.unstubAllEnvs();
});
