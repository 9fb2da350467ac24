import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { toEncodedResponse } from '#server/cache/encoded_response.ts';
import { createApp } from '#server/http/app.ts';
import { type AnsweredRequest, NO_METRICS } from '#server/metrics/metrics.ts';
import { API_SETTINGS, createSite, serveHandler } from '#support/served_handler.ts';
import { openTestApp } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

const ID = '11111111-1111-4111-8111-111111111111';
const CONFIRMATION = '/api/v1/appointments/confirmation';
const CACHED = { 'Cache-Control': 'public, max-age=60', 'Surrogate-Control': 'max-age=60' };

/** Serves the API and a site whose pages all have one route. Returns the requests that ended. */
async function serve() {
  const ended: AnsweredRequest[] = [];
  const refusals: string[] = [];
  const recorded: { error: unknown; place: object }[] = [];
  const countRefusal = (reason: string) => void refusals.push(reason);
  const { context } = await openTestContext({ metrics: { ...NO_METRICS, countRefusal } });
  const { app, connectDirectly } = createApp(context, API_SETTINGS);
  const icon = { status: 200, headers: new Map(), body: Buffer.from('icon') };
  const site = createSite(async (request, { onRoute, onError }) => {
    onRoute('/[username]');
    if (request.url.endsWith('/missing')) {
      onError(new Error('no such artist'));
      return new Response('Not found', { status: 404 });
    }
    if (request.url.endsWith('/failing')) {
      onError(new TypeError('No such field'));
      onError(new Error('a later one'));
      return new Response('Something went wrong', { status: 500 });
    }
    // Astro renders the page of an error after the page that failed.
    if (request.url.endsWith('/broken')) onRoute('/500');
    if (request.url.endsWith('/throws')) throw new Error('A page is broken');
    return new Response('<p>Page</p>', { headers: CACHED });
  });
  const url = await serveHandler({
    app,
    connectDirectly,
    site: { ...site, files: new Map([['/favicon.svg', toEncodedResponse(icon, undefined)]]) },
    cacheBytes: 1024 * 1024,
    onRequestEnd: (request) => ended.push(request),
    recordError: (error, place) => recorded.push({ error, place }),
  });
  const call = async (path: string, init: RequestInit = {}) => {
    const earlier = ended.length;
    await (await fetch(new URL(path, url), { redirect: 'manual', ...init })).arrayBuffer();
    await expect.poll(() => ended.length).toBe(earlier + 1);
  };
  return { url, ended, refusals, recorded, call };
}

test('the first error that fails a page is recorded with the id of the request and its route', async () => {
  const { recorded, url, call } = await serve();
  await call('/missing');
  await call(`/api/v1/services/${ID}`);
  expect(recorded).toEqual([]);
  const response = await fetch(new URL('/failing', url));
  expect(response.status).toBe(500);
  await expect
    .poll(() => recorded)
    .toEqual([
      {
        error: new TypeError('No such field'),
        place: {
          requestId: response.headers.get('x-request-id'),
          ...{ route: 'GET /[username]', status: 500 },
        },
      },
    ]);
});

test('every request is reported once with the pattern of its route, and never with its path', async () => {
  const { ended, call } = await serve();
  const { username } = await (await openTestApp()).newArtist();
  const requests: [method: string, path: string, route: string, status: number][] = [
    ['GET', `/${username}`, '/[username]', 200],
    ['GET', '/broken', '/[username]', 200],
    ['GET', '/throws', '/[username]', 500],
    ['OPTIONS', '/api/v1/users/me', '/api/*', 204],
    ['POST', `/ana/confirmation/${ID}`, '/[username]', 200],
    ['GET', `/api/v1/users/artist/${username}`, '/api/v1/users/artist/:username', 200],
    ['GET', `${CONFIRMATION}/${ID}`, `${CONFIRMATION}/:appt_id`, 404],
    ['GET', `/api/v1/services/${ID}`, '/api/v1/services/:service_id', 401],
    ['GET', `/api/v1/${ID}`, 'unknown', 404],
    ['PUT', `/api/v1/services/${ID}`, 'unknown', 405],
    ['GET', '/healthz', '/healthz', 200],
    ['GET', '/favicon.svg', '/:file', 200],
    ['GET', `/_astro/${ID}.js`, '/_astro/:file', 404],
    ['GET', `/media/${ID}/400.webp`, '/media/:image/:file', 404],
    ['PUT', `/${ID}`, 'unknown', 405],
    ['GET', '/%ff', 'unknown', 400],
  ];
  for (const [method, path] of requests) await call(path, { method });
  expect(ended.map(({ method, route, status }) => [method, route, status])).toEqual(
    requests.map(([method, , route, status]) => [method, route, status]),
  );
  expect(JSON.stringify(ended)).not.toContain(ID);
  for (const { seconds } of ended) expect(seconds).toBeGreaterThan(0);
});

test('what the page cache did is reported, with the route also of a hit', async () => {
  const { ended, call } = await serve();
  const { username } = await (await openTestApp()).newArtist();
  const api = `/api/v1/users/artist/${username}`;
  for (const path of [api, api, `${api}?unknown=1`, '/healthz']) await call(path);
  expect(ended.map(({ cache }) => cache)).toEqual(['miss', 'hit', 'bypass', undefined]);
  expect(ended[1]?.route).toBe('/api/v1/users/artist/:username');
});

test('a client that disconnects is reported with the status 499', async () => {
  const { url, ended } = await serve();
  const socket = connect(Number(url.port), url.hostname);
  await once(socket, 'connect');
  const continued = once(socket, 'data');
  socket.write(
    'POST /api/v1/users/signup HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
      'Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n',
  );
  await continued;
  socket.destroy();
  await expect.poll(() => ended).toMatchObject([{ status: 499, method: 'POST' }]);
});

test('a refusal is counted with its reason', async () => {
  const { refusals, call } = await serve();
  await call(`${CONFIRMATION}/${ID}`);
  await call(`/api/v1/services/${ID}`);
  await call(`${CONFIRMATION}/x`);
  expect(refusals).toEqual(['not_found', 'not_signed_in', 'invalid_input']);
});
