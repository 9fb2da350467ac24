import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { createCacheStore } from '#server/cache/cache_store.ts';
import { createHttpCache } from '#server/cache/http_cache.ts';
import { createHttpHandler } from '#server/http_server.ts';
import { loadSite } from '#server/site.ts';
import { listenForTest } from '#support/listen.ts';
import { readSiteSettings } from '../../src/site_settings.ts';

const SCRIPT = `console.log(${JSON.stringify('x'.repeat(2000))})`;

/** A build as Astro leaves it: its page is in a file that is imported at the first request. */
const BUILD: Readonly<Record<string, string | Buffer>> = {
  'client/favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
  'client/_astro/island.abcd1234.js': SCRIPT,
  'client/_astro/island.abcd1234.js.br': brotliCompressSync(SCRIPT),
  'server/chunks/page.mjs': `export const page = '<p>The page</p>';`,
  'server/entry.mjs': `export const handler = async (request, response, next) => {
    if (!request.url.startsWith('/ana')) return next();
    const { page } = await import('./chunks/page.mjs');
    response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  };`,
};

async function writeBuild(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'linework-build-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(BUILD)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

async function serve(build: string, earlier: ReadonlyMap<string, Buffer> = new Map()) {
  const logged: string[] = [];
  const log = (line: string) => logged.push(line);
  const url = await listenForTest(
    createHttpHandler({
      app: new Hono<{ Bindings: { address: string } }>(),
      imageFolder: build,
      site: await loadSite(
        build,
        readSiteSettings(() => undefined, 'http://localhost'),
      ),
      findAsset: async (name) => earlier.get(name),
      cache: createHttpCache(createCacheStore(0), Date.now, log),
      allowedOrigins: [],
      log,
    }),
  );
  return { logged, ask: (path: string, init = {}) => fetch(new URL(path, url), init) };
}

test('a build that is removed while it is served goes on being served whole, pages included', async () => {
  const build = await writeBuild();
  const { ask, logged } = await serve(build);
  await rm(build, { recursive: true });
  expect(await (await ask('/ana')).text()).toBe('<p>The page</p>');
  expect(await (await ask('/_astro/island.abcd1234.js')).text()).toBe(SCRIPT);
  expect((await ask('/favicon.svg')).status).toBe(200);
  expect(logged).toEqual([]);
});

test('a link to a build is followed once, so that a new build changes nothing for a running server', async () => {
  const [first, second] = [await writeBuild(), await writeBuild()];
  await writeFile(join(second, 'server/chunks/page.mjs'), `export const page = 'another';`);
  const link = `${first}-current`;
  onTestFinished(() => rm(link, { force: true }));
  await symlink(first, link);
  const { ask } = await serve(link);
  await rm(link);
  await symlink(second, link);
  expect(await (await ask('/ana')).text()).toBe('<p>The page</p>');
});

test('built files are sent compressed as they were built, and 304 to a browser that has them', async () => {
  const { ask } = await serve(await writeBuild());
  const answer = await ask('/_astro/island.abcd1234.js', { headers: { 'Accept-Encoding': 'br' } });
  expect(answer.headers.get('Content-Encoding')).toBe('br');
  expect(answer.headers.get('Content-Type')).toMatch(/^text\/javascript/);
  expect(answer.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
  expect(await answer.text()).toBe(SCRIPT);
  const etag = answer.headers.get('ETag') ?? '';
  const again = await ask('/_astro/island.abcd1234.js', { headers: { 'If-None-Match': etag } });
  expect(again.status).toBe(304);
});

test('files without a hash in their name are cached for an hour', async () => {
  const { ask } = await serve(await writeBuild());
  const { headers } = await ask('/favicon.svg');
  expect(headers.get('Cache-Control')).toBe('public, max-age=3600');
  expect(headers.get('Content-Type')).toMatch(/^image\/svg\+xml/);
});

test('the .br and .gz files are not served under their own names', async () => {
  const { ask } = await serve(await writeBuild());
  expect((await ask('/_astro/island.abcd1234.js.br')).status).toBe(404);
});

test('a file of an earlier build is sent with the headers that it had', async () => {
  const old = Buffer.from(SCRIPT.replaceAll('x', 'y'));
  const { ask } = await serve(await writeBuild(), new Map([['island.00000000.js', old]]));
  const answer = await ask('/_astro/island.00000000.js');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Content-Type')).toMatch(/^text\/javascript/);
  expect(answer.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
  expect(await answer.text()).toBe(old.toString());
});

test('files of earlier builds are sent although they are more than the server keeps in memory', async () => {
  const names = Array.from({ length: 8 }, (_, n) => `island.${n}${n}${n}${n}.js`);
  const large = randomBytes(900_000).toString('base64');
  const earlier = new Map(names.map((name) => [name, Buffer.from(large)]));
  const { ask, logged } = await serve(await writeBuild(), earlier);
  const answers = await Promise.all(names.map((name) => ask(`/_astro/${name}`)));
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
  for (const answer of answers) expect(await answer.text()).toBe(large);
  expect(logged).toEqual([]);
});

test.each(['/_astro/island.99999999.js', '/_astro/', '/_astro/a/b.js', '/_astro/%2e%2e/entry.mjs'])(
  '%s is not found',
  async (path) => {
    const { ask, logged } = await serve(await writeBuild());
    expect((await ask(path)).status).toBe(404);
    expect(logged).toEqual([]);
  },
);

test('a build without its entry is not loaded', async () => {
  const build = await writeBuild();
  await rm(join(build, 'server/entry.mjs'));
  await expect(
    loadSite(
      build,
      readSiteSettings(() => undefined, 'http://localhost'),
    ),
  ).rejects.toThrow();
});
