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
