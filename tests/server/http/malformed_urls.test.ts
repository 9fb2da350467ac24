import { once } from 'node:events';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { Hono } from 'hono';
import { expect, test, vi } from 'vitest';
import { createLoadShedding } from '#server/http/load_shedding.ts';
import { createSite, serveHandler } from '#support/served_handler.ts';
import { openTestApp } from '#support/test_app.ts';

test('a path with malformed or repeated percent-encoding is a 400 or 404 that reaches no page and is not logged', async () => {
  const app = await openTestApp();
  const pageRequests: string[] = [];
  const url = await app.serve(
    createSite(async ({ url: pageUrl }) => {
      pageRequests.push(pageUrl);
      return new Response();
    }),
  );
  for (const [path, expected] of [
    ['/%E0%A4%A', 400],
    ['/ana/%', 400],
    ['/%2561na', 400],
    ['/media/%ff', 400],
    ['/_astro/%E0%A4%A', 400],
    ['/api/v1/users/artist/%ff', 404],
    ['/api/v1/users/names/%ff', 404],
  ] as const)
    for (const method of ['GET', 'HEAD', 'POST']) {
      const { status, headers } = await fetch(new URL(path, url), { method });
      const answer = [path, method, status, headers.get('Cache-Control')];
      expect(answer).toEqual([path, method, expected, 'no-store']);
    }
  // A query may be anything.
  expect((await fetch(new URL('/ana?a=%E0%A4%A', url))).status).toBe(200);
  expect([pageRequests.length, app.logged]).toEqual([1, []]);
});

test('a page path with needless percent-encoding redirects to its one spelling, and an API path does not', async () => {
  const app = await openTestApp();
  const site = createSite(async () => new Response('a page'));
  const url = await app.serve(site);
  const locate = async (path: string, method = 'GET') => {
    const { status, headers } = await fetch(url.origin + path, { method, redirect: 'manual' });
    return [status, headers.get('Location')];
  };
  expect(await locate('/%61na/about/?a=%62')).toEqual([308, '/ana/about/?a=%62']);
  expect(await locate('/%c3%A9-%7e', 'HEAD')).toEqual([308, '/%C3%A9-~']);
  for (const path of ['/ana/', '/%C3%A9', '/a%2Fb', '//evil.example/%61'])
    expect(await locate(path), path).toEqual([200, null]);
  expect(await locate('/%61na/contact', 'POST')).toEqual([200, null]);
  expect(await locate('/api/v1/users/artist/%6eobody')).toEqual([404, null]);
});

test.each(['//x', '/x/..'])(
  'the page at %s/api/v1/…/share-image is never sent as the share card',
  async (before) => {
    const card = '/api/v1/users/artist/ana/share-image';
    const { promise: rendered, resolve: finishPage } = Promise.withResolvers<void>();
    const loadShedding = createLoadShedding(false);
    const arrived = vi.spyOn(loadShedding, 'track');
    const app = new Hono<{ Bindings: { clientIp: string } }>().get(card, (c) => c.text('a card'));
    const site = createSite(() => rendered.then(() => new Response('a page')));
    const { hostname: host, port } = await serveHandler({ app, site, loadShedding });
    // `fetch` would change the path.
    const ask = async (path: string) => {
      const [response] = await once(get({ host, port, path }), 'response');
      return text(response);
    };
    const page = ask(before + card);
    await expect.poll(() => arrived.mock.calls).toHaveLength(1);
    const honest = ask(card);
    await expect.poll(() => arrived.mock.calls).toHaveLength(2);
    finishPage();
    expect([await page, await honest]).toEqual(['a page', 'a card']);
  },
);
