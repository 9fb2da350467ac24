import { randomBytes } from 'node:crypto';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { loadSite, logRejectionOfPage } from '#server/http/site.ts';
import { openFolder } from '#support/folder.ts';
import { UNKNOWN_ID } from '#support/problems.ts';
import { recordLog } from '#support/recorded_log.ts';
import { SITE_SETTINGS, serveHandler } from '#support/served_handler.ts';

const SCRIPT = `console.log(${JSON.stringify('x'.repeat(2000))})`;

/** A build like Astro's: its page is imported at the first request. */
const BUILD: Readonly<Record<string, string | Buffer>> = {
  'client/favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
  'client/_astro/island.abcd1234.js': SCRIPT,
  'client/_astro/island.abcd1234.js.br': brotliCompressSync(SCRIPT),
  'server/chunks/page.mjs': `export const page = '<p>The page</p>';`,
  'server/entry.mjs': `let sendLog;
  export const sendAstroLogTo = (receive) => { sendLog = receive; };
  export const render = async ({ url }, { onRoute, onError }) => {
    onRoute(new URL(url).pathname);
    if (url.endsWith('/astro')) {
      sendLog({ level: 'info', message: 'It works' });
      sendLog({ level: 'error', message: 'Error: no rosa@example.com\\n    at page (page.mjs:1:1)' });
      const error = new Error('a bug of the page');
      onError(error);
      sendLog({ level: 'error', message: error.stack });
      onError(new Error('a bug of the error page'));
      sendLog({ level: 'warn', message: 'Other' });
    }
    if (url.endsWith('/broken')) throw new Error('the error page failed too');
    if (url.endsWith('/no-database')) throw new Error('Connection terminated unexpectedly');
    if (new URL(url).pathname !== '/ana') return new Response('Not found', { status: 404 });
    const { page } = await import('./chunks/page.mjs');
    return new Response(page, { headers: { 'content-type': 'text/html' } });
  };`,
};

async function writeBuild(): Promise<string> {
  const folder = await openFolder();
  for (const [name, content] of Object.entries(BUILD)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

async function serve(build: string, earlier: ReadonlyMap<string, Buffer> = new Map()) {
  const logged: string[] = [];
  const log = recordLog(logged);
  const url = await serveHandler({
    site: await loadSite(build, SITE_SETTINGS, log),
    findAsset: async (name) => earlier.get(name),
    log,
  });
  return { logged, fetchPath: (path: string, init = {}) => fetch(new URL(path, url), init) };
}

test('a build that is deleted while it is served is still served completely', async () => {
  const build = await writeBuild();
  const { fetchPath, logged } = await serve(build);
  await rm(build, { recursive: true });
  expect(await (await fetchPath('/ana')).text()).toBe('<p>The page</p>');
  expect(await (await fetchPath('/_astro/island.abcd1234.js')).text()).toBe(SCRIPT);
  const { headers } = await fetchPath('/favicon.svg');
  expect(headers.get('Content-Type')).toMatch(/^image\/svg\+xml/);
  // It has no hash in its name.
  expect(headers.get('Cache-Control')).toBe('public, max-age=3600');
  expect(logged).toEqual([]);
});

test('a symlink to a build is resolved once, so a running server stays on its build', async () => {
  const [first, second] = [await writeBuild(), await writeBuild()];
  await writeFile(join(second, 'server/chunks/page.mjs'), `export const page = 'another';`);
  const link = `${first}-current`;
  onTestFinished(() => rm(link, { force: true }));
  await symlink(first, link);
  const { fetchPath } = await serve(link);
  await rm(link);
  await symlink(second, link);
  expect(await (await fetchPath('/ana')).text()).toBe('<p>The page</p>');
});

test('built files are sent with the compression of the build, and browsers that have them get 304', async () => {
  const { fetchPath } = await serve(await writeBuild());
  const response = await fetchPath('/_astro/island.abcd1234.js', {
    headers: { 'Accept-Encoding': 'br' },
  });
  expect(response.headers.get('Content-Encoding')).toBe('br');
  expect(response.headers.get('Content-Type')).toMatch(/^text\/javascript/);
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
  expect(await response.text()).toBe(SCRIPT);
  const etag = response.headers.get('ETag') ?? '';
  const second = await fetchPath('/_astro/island.abcd1234.js', {
    headers: { 'If-None-Match': etag },
  });
  expect(second.status).toBe(304);
});

const DOWN = 'A part of the service is down. Please try again soon.';
const DOWN_HEADERS = { 'content-type': 'text/plain', 'retry-after': '10' };

test.each([
  ['GET', '/broken', 500, 'Something went wrong.', {}],
  ['POST', '/broken', 500, 'Something went wrong.', {}],
  ['GET', '/no-database', 503, DOWN, DOWN_HEADERS],
  ['POST', '/no-database', 503, DOWN, DOWN_HEADERS],
])(
  'a page that cannot be rendered at all is a text with a reference: %s %s is a %i',
  async (method, path, status, sentence, headers) => {
    const { fetchPath, logged } = await serve(await writeBuild());
    const response = await fetchPath(path, { method });
    const text = `${sentence} (Reference: ${response.headers.get('X-Request-Id')})`;
    expect([response.status, await response.text()]).toEqual([status, text]);
    const expected = { 'cache-control': 'no-store', ...headers };
    expect(Object.fromEntries(response.headers)).toMatchObject(expected);
    expect(logged).toHaveLength(1);
  },
);

test('a file of an earlier build is sent with the headers of a built file', async () => {
  const old = Buffer.from(SCRIPT.replaceAll('x', 'y'));
  const { fetchPath } = await serve(await writeBuild(), new Map([['island.00000000.js', old]]));
  const response = await fetchPath('/_astro/island.00000000.js');
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toMatch(/^text\/javascript/);
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
  expect(await response.text()).toBe(old.toString());
});

test('files of earlier builds are sent even beyond the limit of the memory cache', async () => {
  const names = Array.from({ length: 8 }, (_, n) => `island.${n}${n}${n}${n}.js`);
  const large = randomBytes(900_000).toString('base64');
  const earlier = new Map(names.map((name) => [name, Buffer.from(large)]));
  const { fetchPath, logged } = await serve(await writeBuild(), earlier);
  const responses = await Promise.all(names.map((name) => fetchPath(`/_astro/${name}`)));
  expect(responses.map(({ status }) => status)).toEqual(names.map(() => 200));
  for (const response of responses) expect(await response.text()).toBe(large);
  expect(logged).toEqual([]);
});

test.each([
  '/_astro/island.99999999.js',
  '/_astro/island.abcd1234.js.br',
  '/_astro/',
  '/_astro/a/b.js',
  '/_astro/%2e%2e/entry.mjs',
])('%s is not found', async (path) => {
  const { fetchPath, logged } = await serve(await writeBuild());
  expect((await fetchPath(path)).status).toBe(404);
  expect(logged).toEqual([]);
});

test('a rejected promise of a page is logged with its path, but without ids and tokens', async () => {
  const logged: string[] = [];
  const log = recordLog(logged);
  const { render } = await loadSite(await writeBuild(), SITE_SETTINGS, log);
  const rejection = new Error('the client is gone');
  const path = `/ana/confirmation/${UNKNOWN_ID}?mail_token=secret`;
  await render(new Request(`http://localhost${path}`), {
    settings: SITE_SETTINGS,
    connectDirectly: () => {
      throw new Error('These pages call no API');
    },
    requestId: undefined,
    onError: () => {},
    onRoute: () => logRejectionOfPage(log, rejection),
  });
  const line = 'Site: A promise was rejected while a page was rendered: Error: the client is gone';
  expect(logged.map((text) => text.split('\n')[0])).toEqual([line]);
  expect(logRejectionOfPage(log, rejection)).toBe(false);
});

test('what Astro logs is a line of ours without personal data, and an error that a page has noted is logged once', async () => {
  const { fetchPath, logged } = await serve(await writeBuild());
  await fetchPath('/astro');
  expect(
    logged.filter((line) => line.includes('Site: ')).map((line) => line.split('\n')[0]),
  ).toEqual([
    'Site: A message of Astro: string: Error: no …@…',
    expect.stringMatching(/^Site: A page failed \(answered 500\): Error: a bug of the page/),
    expect.stringMatching(/^Site: A page failed \(answered 500\): Error: a bug of the error page/),
    'Site: A message of Astro: string: Other {"route":"unknown"}',
  ]);
});
