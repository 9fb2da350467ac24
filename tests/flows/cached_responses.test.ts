import { request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { openArtistApp } from '#support/artist_app.ts';
import { createSite } from '#support/served_handler.ts';
import { bookSlot, findSlot, openTestApp } from '#support/test_app.ts';

interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Sends exactly these headers; `fetch` would add its own and decompress the body. */
function send(
  url: URL,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const call = httpRequest(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      );
    });
    call.on('error', reject);
    call.end();
  });
}

/** A site with the same page at every path; `rendered` lists the path of each render. */
function createPages(
  renderPage: (url: string) => Promise<{ headers: Record<string, string>; body: string }>,
) {
  const rendered: string[] = [];
  const site = createSite(async (request) => {
    const { pathname, search } = new URL(request.url);
    rendered.push(pathname + search);
    const { headers, body } = await renderPage(pathname + search);
    return new Response(body, { headers: { 'Content-Type': 'text/html', ...headers } });
  });
  return { site, rendered };
}

const CACHEABLE = { 'Surrogate-Control': 'max-age=600', 'Cache-Tag': 'artist:a' };
const LONG = '<p>A swallow.</p>'.repeat(100);

test('a cached page has the same content in every encoding, and revalidates with 304', async () => {
  const app = await openTestApp({ database: 'own' });
  const { site, rendered } = createPages(async () => ({ headers: CACHEABLE, body: LONG }));
  const page = new URL('ana', await app.serve(site));
  const plain = await send(page);
  const zipped = await send(page, { 'Accept-Encoding': 'gzip, deflate' });
  const brotli = await send(page, { 'Accept-Encoding': 'gzip, deflate, br, zstd' });
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(zipped.headers['content-encoding']).toBe('gzip');
  expect(brotli.headers['content-encoding']).toBe('br');
  for (const { headers, body } of [plain, zipped, brotli]) {
    expect(headers['vary']).toBe('Accept-Encoding');
    expect(headers['content-length']).toBe(String(body.length));
  }
  const bodies = [plain.body, gunzipSync(zipped.body), brotliDecompressSync(brotli.body)];
  expect(bodies.map(String)).toEqual([LONG, LONG, LONG]);

  const etag = String(plain.headers['etag']);
  for (const known of [etag, etag.replace('W/', ''), `"x", ${etag}`, '*']) {
    const again = await send(page, { 'If-None-Match': known });
    expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, etag]);
  }
  expect((await send(page, { 'If-None-Match': '"x"' })).status).toBe(200);
  const head = await send(page, {}, 'HEAD');
  expect([head.status, head.body.length]).toEqual([200, 0]);
  expect(head.headers['content-length']).toBe(String(LONG.length));
  expect(rendered).toEqual(['/ana']);
});

test.each([
  ['without Surrogate-Control', {}],
  ['with no-store', { ...CACHEABLE, 'Cache-Control': 'no-store' }],
  ['with Set-Cookie', { ...CACHEABLE, 'Set-Cookie': 'a=b' }],
  ['with max-age=0', { 'Surrogate-Control': 'max-age=0' }],
])('a page %s is not cached', async (_, headers) => {
  const app = await openTestApp({ database: 'own' });
  const { site, rendered } = createPages(async () => ({ headers, body: LONG }));
  const page = new URL('ana', await app.serve(site));
  await send(page);
  await send(page);
  expect(rendered).toHaveLength(2);
});

test('a stale page is served while it is rendered once again (stale-while-revalidate)', async () => {
  let now = Date.now();
  const app = await openTestApp({ database: 'own', clock: () => now });
  let rerender = Promise.withResolvers<void>();
  rerender.resolve();
  let version = 0;
  const { site, rendered } = createPages(async () => {
    await rerender.promise;
    version += 1;
    return {
      headers: { 'Surrogate-Control': 'max-age=10, stale-while-revalidate=60' },
      body: `version ${version}`,
    };
  });
  const page = new URL('ana', await app.serve(site));
  const readPage = async () => String((await send(page)).body);
  expect(await readPage()).toBe('version 1');
  rerender = Promise.withResolvers();
  now += 11_000;
  const duringRender = await Promise.all([readPage(), readPage(), readPage()]);
  expect(duringRender).toEqual(['version 1', 'version 1', 'version 1']);
  expect(rendered).toHaveLength(2);
  rerender.resolve();
  await vi.waitFor(async () => expect(await readPage()).toBe('version 2'));
  expect(rendered).toHaveLength(2);
  now += 71_000;
  expect(await readPage()).toBe('version 3');
});

test('the CORS headers of a cached response, also of a 304, depend on the origin of the request', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const url = new URL(`/api/v1/users/artist/${artist.username}`, await app.serve());
  const allowedOrigin = async (headers: Record<string, string>) => {
    const response = await send(url, headers);
    expect(String(response.headers['vary'])).toContain('Origin');
    return response.headers['access-control-allow-origin'];
  };
  for (let times = 0; times < 2; times += 1) {
    expect(await allowedOrigin({})).toBeUndefined();
    expect(await allowedOrigin({ Origin: 'http://localhost:4321' })).toBe('http://localhost:4321');
    expect(await allowedOrigin({ Origin: 'http://evil.test' })).toBeUndefined();
  }
  const from = { Origin: 'http://localhost:4321' };
  const { headers } = await send(url, from);
  const again = await send(url, { ...from, 'If-None-Match': String(headers['etag']) });
  expect([again.status, again.headers['access-control-allow-origin']]).toEqual([304, from.Origin]);
});

test('confirmations, errors and responses to a logged-in artist are never cached', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const origin = await app.serve();
  const slot = await findSlot(app, artist);
  const { id } = await bookSlot(app, artist, slot);
  const paths = [
    `appointments/confirmation/${id}`,
    'users/artist/nobody-here',
    `services/${artist.service.id}/availability?year=2026`,
    'users/me',
  ];
  for (const path of paths) {
    const { headers } = await send(new URL(`/api/v1/${path}`, origin));
    expect(headers['surrogate-control'], path).toBeUndefined();
    expect(headers['cache-control'], path).toBe('no-store');
  }
  const self = await send(new URL('/api/v1/users/me', origin), {
    Authorization: `Bearer ${artist.token}`,
  });
  expect(self.status).toBe(200);
  expect(self.headers['surrogate-control']).toBeUndefined();
  expect(self.headers['cache-control']).toBe('no-store');
});
