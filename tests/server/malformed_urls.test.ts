import { expect, test } from 'vitest';
import { createSite } from '#support/served_handler.ts';
import { openTestApp } from '#support/test_app.ts';

test('a path with malformed percent-encoding is a 400 that reaches no page and is not logged', async () => {
  const app = await openTestApp();
  const pageRequests: string[] = [];
  const url = await app.serve(
    createSite(async ({ url: pageUrl }) => {
      pageRequests.push(pageUrl);
      return new Response();
    }),
  );
  for (const path of ['/%E0%A4%A', '/ana/%', '/media/%ff', '/_astro/%E0%A4%A'])
    for (const method of ['GET', 'HEAD', 'POST']) {
      const { status, headers } = await fetch(new URL(path, url), { method });
      expect([path, method, status, headers.get('Cache-Control')]).toEqual([
        path,
        method,
        400,
        'no-store',
      ]);
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
