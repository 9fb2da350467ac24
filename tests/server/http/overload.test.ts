import { expect, test } from 'vitest';
import { createApp } from '#server/http/app.ts';
import { NO_METRICS } from '#server/metrics/metrics.ts';
import { recordLog } from '#support/recorded_log.ts';
import { API_SETTINGS, createSite, serveHandler } from '#support/served_handler.ts';
import { openTestContext } from '#support/test_context.ts';

const ORIGIN = 'http://studio.test';
const CACHED = { 'Cache-Control': 'public, max-age=60', 'Surrogate-Control': 'max-age=60' };
const TEXT = 'A lot is going on right now. Please try again.';

/** Serves the API and pages, and is overloaded on demand. */
async function serve() {
  const logged: string[] = [];
  const refusals: string[] = [];
  const load = { isTooHigh: false };
  const log = recordLog(logged);
  const { context } = await openTestContext({
    log,
    metrics: { ...NO_METRICS, countRefusal: (reason: string) => void refusals.push(reason) },
  });
  const config = { ...API_SETTINGS, allowedOrigins: [ORIGIN], trustedOrigins: [ORIGIN] };
  const { app, connectDirectly } = createApp(context, config);
  const url = await serveHandler({
    app,
    connectDirectly,
    site: createSite(async () => new Response('<p>Page</p>', { headers: CACHED })),
    cacheBytes: 1024 * 1024,
    allowedOrigins: [ORIGIN],
    loadShedding: {
      isTooMuch: () => load.isTooHigh,
      isBusy: () => false,
      track: (_, _ip, work) => work,
    },
    log,
  });
  const call = (path: string, init?: RequestInit) => fetch(new URL(path, url), init);
  return { load, logged, refusals, call };
}

test('an overloaded server refuses pages and forms with 503, Retry-After and a reference', async () => {
  const { load, call } = await serve();
  load.isTooHigh = true;
  for (const method of ['GET', 'POST']) {
    const answer = await call('/ana', { method });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('Retry-After')).toBe('10');
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(await answer.text()).toBe(`${TEXT} (Reference: ${answer.headers.get('X-Request-Id')})`);
  }
  load.isTooHigh = false;
  expect((await call('/ana')).status).toBe(200);
});

test('an overloaded server refuses calls of the API, so that other sites can read why', async () => {
  const { load, refusals, logged, call } = await serve();
  load.isTooHigh = true;
  for (const path of ['/api/v1/users/artist/ana', '/api/v1/users/me']) {
    const answer = await call(path, { headers: { Origin: ORIGIN } });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('Retry-After')).toBe('10');
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(ORIGIN);
    expect(await answer.json()).toEqual({
      detail: TEXT,
      reason: 'overloaded',
      request_id: answer.headers.get('X-Request-Id'),
    });
  }
  expect(refusals).toEqual(['overloaded', 'overloaded']);
  // All have the same error, so that the log counts them in one line.
  const line = /^Server: Requests are refused \(answered 503\): Error: more requests/;
  expect(logged).toEqual(Array(2).fill(expect.stringMatching(line)));
});

test('an overloaded server still serves cached pages and its health checks', async () => {
  const { load, call } = await serve();
  await call('/ana');
  load.isTooHigh = true;
  for (const path of ['/ana', '/healthz', '/readyz'])
    expect([path, (await call(path)).status]).toEqual([path, 200]);
});
