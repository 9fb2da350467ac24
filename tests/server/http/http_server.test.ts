import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#support/test_app.ts';

/** Serves the API on a port; returns its base URL. */
async function serve(app: TestApp): Promise<URL> {
  return new URL('/api/v1/', await app.serve());
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

test('a client that disconnects within a body is not logged', async () => {
  const app = await openTestApp();
  const site = await serve(app);
  const socket = connect(Number(site.port), site.hostname);
  socket.write(
    `POST ${site.pathname}users/signup HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"email":`,
  );
  await sleep(50);
  socket.destroy();
  await sleep(50);
  expect((await fetch(new URL('users/artist/nobody', site))).status).toBe(404);
  expect(app.logged).toEqual([]);
});

test('a request with two hosts is a 400', async () => {
  const site = await serve(await openTestApp());
  const socket = connect(Number(site.port), site.hostname);
  const answer = text(socket);
  const lines = ['GET /healthz HTTP/1.1', 'Host: localhost', 'host: evil.example'];
  socket.end(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  expect(await answer).toMatch(/^HTTP\/1.1 400 /);
});

test('behind a proxy, rate limits count the last address of X-Forwarded-For', async () => {
  const app = await openTestApp({ database: 'own', rateLimit: true });
  const site = await serve(app);
  const logIn = async (forwarded: string) => {
    const headers = { ...JSON_TYPE, 'X-Forwarded-For': forwarded };
    return (await fetch(new URL('login/access-token', site), { method: 'POST', headers })).status;
  };
  for (let n = 0; n < 20; n += 1) expect(await logIn(`10.9.9.${n}, 192.0.2.1`)).toBe(415);
  expect(await logIn('10.9.9.99, 192.0.2.1')).toBe(429);
  expect(await logIn('192.0.2.1, 198.51.100.2')).toBe(415);
});

test.each([
  ['GET /\\ HTTP/1.1', 'Host: x'],
  ['GET http://[ HTTP/1.1', 'Host: x'],
  ['GET http:////[ HTTP/1.1', 'Host: x'],
  ['POST /ana HTTP/1.1', 'Host: x@y'],
  ['POST /ana HTTP/1.1', 'Host: x/y'],
])('"%s" with "%s" gets 400 and is not logged', async (line, host) => {
  const app = await openTestApp();
  const site = await serve(app);
  const socket = connect(Number(site.port), site.hostname);
  socket.write(`${line}\r\n${host}\r\nContent-Length: 0\r\n\r\n`);
  const [response] = await once(socket, 'data');
  socket.destroy();
  expect(String(response)).toMatch(/^HTTP\/1.1 400 /);
  expect(app.logged).toEqual([]);
});

test.each([
  ['https://linework.test', 'max-age=31536000'],
  ['http://linework.test', null],
])('with the site at %s, every response has the HSTS header %s', async (siteUrl, expected) => {
  const app = await openTestApp({ siteUrl });
  const site = await serve(app);
  const { username } = await app.newArtist();
  const artist = new URL(`users/artist/${username}`, site);
  const first = await fetch(artist);
  const responses = [
    first,
    // From the cache, and 304.
    await fetch(artist),
    await fetch(artist, { headers: { 'If-None-Match': first.headers.get('ETag') ?? '' } }),
    await fetch(new URL('users/me', site)),
    await fetch(new URL('users/artist/nobody', site)),
    await fetch(new URL('/media/none', site)),
    await fetch(new URL('/%ff', site)),
    await fetch(new URL('/healthz', site)),
    await fetch(new URL('/', site), { method: 'PUT' }),
  ];
  expect(responses.map(({ status }) => status)).toEqual([
    200, 200, 304, 401, 404, 404, 400, 200, 405,
  ]);
  for (const { headers } of responses)
    expect(headers.get('Strict-Transport-Security')).toBe(expected);
});
