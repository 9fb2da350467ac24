import { expect, test } from 'vitest';
import { openSandbox } from '#support/sandbox.ts';

const NO_STORE = 'no-store';
const REVALIDATED = 'public, max-age=0, must-revalidate';
const NOBODY = '00000000-0000-4000-8000-000000000000';

test('every kind of response has Cache-Control, and only cacheable ones allow caching', async () => {
  await using sandbox = await openSandbox();
  const { url, output } = await sandbox.serve();
  const script = /\/_astro\/[^"]+\.js/.exec(await (await fetch(`${url}/login`)).text())?.[0];
  const picture = /\/media\/[^"?\s]+\.webp/.exec(await (await fetch(`${url}/ana`)).text())?.[0];
  const expected: Record<string, [number, string]> = {
    '/': [200, REVALIDATED],
    '/ana': [200, REVALIDATED],
    '/ana/scheduling': [200, REVALIDATED],
    '/ana/scheduling?design=nonsense': [200, NO_STORE],
    [`/ana/scheduling?design=${NOBODY}`]: [200, NO_STORE],
    [`/ana/scheduling?service=${NOBODY}`]: [200, NO_STORE],
    '/nobody': [302, REVALIDATED],
    '/%E2%82%AC': [302, NO_STORE],
    '/404': [404, NO_STORE],
    '/no/such/page/here': [404, NO_STORE],
    '/a//b': [404, NO_STORE],
    '/sitemaps/999.xml': [404, NO_STORE],
    '/ana/confirmation/x': [404, NO_STORE],
    [`/confirmation/${NOBODY}`]: [404, NO_STORE],
    // The pages of failures are no addresses of their own.
    '/500': [404, NO_STORE],
    '/-unavailable': [404, NO_STORE],
    '/login': [200, REVALIDATED],
    '/studio': [302, NO_STORE],
    '/studio/hours': [200, 'private, no-cache'],
    '/studio/nothing': [404, NO_STORE],
    '/%E0%A4%A': [400, NO_STORE],
    '/ana/%E0%A4%A': [400, NO_STORE],
    '/media/%E0%A4%A': [400, NO_STORE],
    '/media/none': [404, NO_STORE],
    '/_astro/none.js': [404, NO_STORE],
    [script ?? 'no script']: [200, 'public, max-age=31536000, immutable'],
    [picture ?? 'no picture']: [200, 'public, max-age=31536000, immutable'],
    '/favicon.svg': [200, 'public, max-age=3600'],
    '/robots.txt': [200, REVALIDATED],
    '/sitemap.xml': [200, REVALIDATED],
    '/manifest.webmanifest': [200, REVALIDATED],
    '/artist-prefetch.json': [200, 'public, max-age=3600'],
    '/healthz': [200, NO_STORE],
    '/readyz': [200, NO_STORE],
    '/api/v1/openapi.json': [200, NO_STORE],
    '/api/v1/docs': [200, NO_STORE],
    '/api/v1/users/artist/ana': [200, REVALIDATED],
    '/api/v1/users/artist/nobody': [404, NO_STORE],
    '/api/v1/users/me': [401, NO_STORE],
    '/api/v1/%E0%A4%A': [404, NO_STORE],
  };
  const actual: Record<string, [number, string | null]> = {};
  for (const path of Object.keys(expected)) {
    const { status, headers } = await fetch(url + path, { redirect: 'manual' });
    actual[path] = [status, headers.get('Cache-Control')];
  }
  expect(actual).toEqual(expected);
  for (const path of ['/ana', '/healthz', '/api/v1/users/me', '/media/none']) {
    const { headers } = await fetch(url + path, { method: 'PUT' });
    expect([path, headers.get('Cache-Control')]).toEqual([path, NO_STORE]);
  }
  const preflight = { method: 'OPTIONS', headers: { Origin: url } };
  const { headers } = await fetch(`${url}/api/v1/users/me`, preflight);
  expect(headers.get('Cache-Control')).toBe(NO_STORE);
  // None of these responses is logged as an error.
  expect(output()).not.toMatch(/error/i);
});
