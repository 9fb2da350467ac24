import { request } from 'node:http';
import { extname, join } from 'node:path';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { USERNAME_PATTERN } from '#domain/accounts/username.ts';
import { loadSite } from '#server/http/site.ts';
import { recordLog } from '#support/recorded_log.ts';
import { responseTo } from '#support/response_to.ts';
import { queryDatabase, serveDemo } from '#support/sandbox.ts';
import { readSiteSettings } from '../../src/site_settings.ts';

const NO_STORE = 'no-store';
const REVALIDATED = 'public, max-age=0, must-revalidate';
const NOBODY = '00000000-0000-4000-8000-000000000000';

const demo = serveDemo({ env: { LOG_FORMAT: 'text' } });

test('every kind of response has Cache-Control, and only cacheable ones allow caching', async () => {
  const { url, output } = demo.server;
  const page = await fetch(`${url}/ana`);
  expect(page.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
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

test('the redirect of a free username is cached with its tag, and invalid usernames or query ids are not cached', async () => {
  const fetchHeaders = async (path: string) => {
    const { status, headers } = await fetch(demo.server.url + path, { redirect: 'manual' });
    return [status, headers.get('Cache-Tag'), headers.get('Surrogate-Control')];
  };
  expect(await fetchHeaders('/nobody')).toEqual([
    302,
    'username:nobody',
    expect.stringMatching(/^max-age=\d+$/),
  ]);
  for (const path of ['/%E2%82%AC', '/a,artist:1', `/${'a'.repeat(3000)}`, '/%0D%0AX'])
    expect(await fetchHeaders(path)).toEqual([302, null, null]);
  expect(await fetchHeaders('/ana/scheduling?service=nonsense')).toEqual([200, null, null]);
  expect(await fetchHeaders('/ana/scheduling?design=nonsense')).toEqual([200, null, null]);
});

test('a form that another site posts is refused, also over plain HTTP', async () => {
  const { url } = demo.server;
  const post = async (path: string, headers: Record<string, string>) => {
    const body = new URLSearchParams({ name: 'Rosa', email: 'no email', message: 'Hello' });
    return (await fetch(url + path, { method: 'POST', body, headers })).status;
  };
  const evil = 'https://evil.example';
  for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: evil }, { Origin: 'null' }])
    expect(await post('/ana/contact', headers)).toBe(403);
  // The email is refused, so nothing is sent.
  for (const headers of [{ Origin: url }, { 'Sec-Fetch-Site': 'same-origin' }, {}])
    expect(await post('/ana/contact', headers)).toBe(422);
  expect(await post('/ana/contact?draft', { Origin: 'null' })).toBe(200);
  expect(await post(`/ana/confirmation/${NOBODY}`, { Origin: 'null' })).toBe(404);
  expect(await post(`/ana/confirmation/${NOBODY}`, { Origin: evil })).toBe(403);
});

describe('the image endpoint of Astro', () => {
  const PICTURE = encodeURIComponent('/og.png');

  /** Sends the target as it is: `fetch` would normalize it. */
  async function statusOf(method: string, path: string): Promise<number | undefined> {
    const { port } = demo.server;
    return (await responseTo(request({ port, method, path }).end())).resume().statusCode;
  }

  test.each([
    ['/_image', 404],
    ['/_image/', 404],
    [`/_image?href=${PICTURE}&w=4000&f=avif`, 404],
    [`/_image/?href=${PICTURE}`, 404],
    [`/_image?href=${encodeURIComponent('https://example.com/picture.png')}&f=png`, 404],
    ['//_image?href=/favicon.svg', 404],
    ['/./_image?href=/favicon.svg', 404],
    ['/_image/x?href=/favicon.svg', 404],
    // Other spellings redirect to the one above.
    ['/%5Fimage?href=/favicon.svg', 308],
    ['/%5f%69mage/?href=/favicon.svg', 308],
  ])('serves no picture at %s: %i', async (target, status) => {
    expect(await statusOf('GET', target)).toBe(status);
    expect(await statusOf('HEAD', target)).toBe(status);
    expect(await statusOf('POST', target)).toBe(404);
  });
});

test('an error page shows the id by which the log names its request, and the log names its route', async () => {
  const { sandbox, server } = demo;
  const databaseUrl = await sandbox.databaseUrl();
  await queryDatabase(databaseUrl, 'ALTER TABLE artists RENAME TO elsewhere');
  const response = await fetch(`${server.url}/bo/contact`);
  await queryDatabase(databaseUrl, 'ALTER TABLE elsewhere RENAME TO artists');
  const id = response.headers.get('X-Request-Id') ?? '';
  expect(response.status).toBe(503);
  expect(await response.text()).toMatch(new RegExp(`this reference:\\s*<code[^>]*>${id}</code>`));
  await server.waitForOutput(
    new RegExp(`WARN: Request: Answered .*"${id}".*"route":"/\\[username\\]/contact"`),
  );
  expect(server.output()).toMatch(new RegExp(`ERROR: API: A call failed .*"${id}"`));
});

test('no username can end like a file of the build', async () => {
  const settings = readSiteSettings(() => undefined, 'http://localhost');
  const site = await loadSite(join(inject('program'), 'dist/current'), settings, recordLog([]));
  const endings = new Set([...site.files.keys()].map((path) => extname(path)));
  expect(endings).toContain('.css');
  expect([...endings].filter((ending) => USERNAME_PATTERN.test(`mika${ending}`))).toEqual([]);
});

test('Astro prints no error of a page itself: it tells our log', async () => {
  const printed = ['error', 'warn', 'log'] as const;
  const spies = printed.map((name) => vi.spyOn(console, name).mockImplementation(() => {}));
  onTestFinished(() => void vi.restoreAllMocks());
  const logged: string[] = [];
  const settings = readSiteSettings(() => undefined, 'http://localhost');
  const site = await loadSite(join(inject('program'), 'dist/current'), settings, recordLog(logged));
  const errors: unknown[] = [];
  const response = await site.render(new Request('http://localhost/ana/about'), {
    settings,
    onRoute: () => {},
    onError: (error) => errors.push(error),
    // An artist without a studio, so that the page throws.
    connectDirectly: () => ({
      send: async () => JSON.parse('{"ok":true,"value":{"artist":{"username":"ana"},"images":[]}}'),
    }),
    requestId: 'request-1',
  });
  expect(response.status).toBe(500);
  expect(errors).toHaveLength(1);
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
  // The HTTP server logs what the page reported.
  expect(logged).toEqual([]);
});
