import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Hono } from 'hono';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { call } from '#client/call.ts';
import { createHttpTransport } from '#client/http.ts';
import type { Transport } from '#contract/endpoint.ts';
import {
  cancelAsClient,
  changeSchedule,
  confirmAppointment,
  fetchConfirmation,
  logIn,
  moveAsClient,
  uploadPortfolio,
} from '#contract/endpoints.ts';
import type { HttpHandlerOptions } from '#server/http/http_server.ts';
import { LOCAL_PROXIES } from '#server/http/ip_address.ts';
import { createRequestContext } from '#server/http/request_context.ts';
import { createRequestLog } from '#server/http/request_log.ts';
import { loadSite } from '#server/http/site.ts';
import { createLog } from '#server/log/log.ts';
import type { Config } from '#server/settings/config.ts';
import { openFolder } from '#support/folder.ts';
import { PASSWORD } from '#support/new_artist.ts';
import { createPicture } from '#support/pictures.ts';
import { UNKNOWN_ID } from '#support/problems.ts';
import { ROSA_DETAILS } from '#support/sample_people.ts';
import { SITE_SETTINGS, serveHandler } from '#support/served_handler.ts';
import { bookSlot, findSlot, openTestApp } from '#support/test_app.ts';

/** A JSON log in memory. */
function openLog(level: Config['log']['level'] = 'info') {
  const lines: string[] = [];
  const log = createLog({ format: 'json', level }, { write: (line) => lines.push(line) });
  const records = () => lines.map((line) => JSON.parse(line));
  return {
    log,
    lines,
    records,
    /** The lines about requests, once there are so many. A line is written after its response. */
    async answered(count: number) {
      const answers = () => records().filter(({ msg }) => msg === 'Answered');
      await expect.poll(() => answers().length).toBeGreaterThanOrEqual(count);
      expect(answers()).toHaveLength(count);
      return answers();
    },
  };
}

/** The whole server without pages. */
async function serveApp(level?: Config['log']['level']) {
  const opened = openLog(level);
  const app = await openTestApp({ database: 'own', log: opened.log });
  const url = await app.serve();
  return {
    ...opened,
    app,
    url,
    fetchPath: (path: string, init = {}) => fetch(new URL(path, url), init),
  };
}

/** A page that calls the middleware's `onRoute`, as Astro's pages do, also those of errors. */
const ENTRY = `export const sendAstroLogTo = () => {};
export const render = async ({ url }, { onRoute, onError, requestId }) => {
  const { pathname } = new URL(url);
  onRoute('/[username]/about');
  if (pathname === '/ana/about') return new Response('About Ana');
  onError(new Error('a bug of the page'));
  onRoute('/500');
  return new Response('Reference: ' + requestId, { status: 500 });
};`;

/** A server with pages, and with the API's routes in the place of ours. */
async function serveSite(
  level?: Config['log']['level'],
  options: Partial<Pick<HttpHandlerOptions, 'app' | 'trustedProxies'>> = {},
) {
  const build = await openFolder();
  for (const folder of ['client', 'server']) await mkdir(join(build, folder));
  await writeFile(join(build, 'client/favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(build, 'server/entry.mjs'), ENTRY);
  const opened = openLog(level);
  const { log } = opened;
  const url = await serveHandler({
    site: await loadSite(build, SITE_SETTINGS, log),
    findAsset: async (name) => (name === 'old.js' ? Buffer.from('old') : undefined),
    trustedProxies: LOCAL_PROXIES,
    log,
    ...options,
  });
  return {
    ...opened,
    url,
    fetchPath: (path: string, init = {}) => fetch(new URL(path, url), init),
  };
}

const idOf = ({ headers }: Response) => headers.get('X-Request-Id');

test('a page that fails has a line with the id that it shows, its route and the reason', async () => {
  const { fetchPath, answered, records } = await serveSite();
  const response = await fetchPath('/ana/broken');
  await answered(1);
  const found = records().filter(({ request_id }) => request_id === idOf(response));
  expect(await response.text()).toBe(`Reference: ${idOf(response)}`);
  expect(found).toMatchObject([
    { level: 'error', route: '/[username]/about', err: { message: 'a bug of the page' } },
    { level: 'warn', route: '/[username]/about', status: 500 },
  ]);
});

describe('the line of a call', () => {
  test('has its method, the pattern of its route, status, milliseconds and id, and no address', async () => {
    const { app, fetchPath, answered, lines } = await serveApp();
    const { username, self } = await app.newArtist();
    const response = await fetchPath(`/api/v1/users/artist/${username}?utm_source=rosa`);
    expect(await answered(1)).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        component: 'Request',
        request_id: idOf(response),
        artist_id: self.id,
        method: 'GET',
        route: '/api/v1/users/artist/:username',
        status: 200,
        ms: expect.any(Number),
        msg: 'Answered',
      },
    ]);
    expect(lines.join()).not.toMatch(new RegExp(`${username}|utm_source|127\\.0\\.0\\.1`));
  });

  test('has the reason of a refusal, and its id is in the response', async () => {
    const { fetchPath, answered, lines } = await serveApp();
    const confirmation = '/api/v1/appointments/confirmation';
    const calls = [
      ['GET', '/api/v1/users/artist/nobody', '/api/v1/users/artist/:username', 404, 'not_found'],
      ['GET', '/api/v1/users/me', '/api/v1/users/me', 401, 'not_signed_in'],
      ['POST', '/api/v1/users/signup', '/api/v1/users/signup', 422, 'invalid_input'],
      ['GET', `${confirmation}/${UNKNOWN_ID}`, `${confirmation}/:appt_id`, 404, 'not_found'],
      ['GET', `/api/v1/nothing/${UNKNOWN_ID}`, 'unknown', 404, 'not_found'],
    ] as const;
    for (const [index, [method, path, route, status, reason]] of calls.entries()) {
      const json = { headers: { 'Content-Type': 'application/json' }, body: '{}' };
      const response = await fetchPath(path, { method, ...(method === 'POST' && json) });
      const line = (await answered(index + 1)).at(-1);
      expect(line).toMatchObject({ level: 'info', method, route, status, reason });
      expect(line.request_id).toBe(idOf(response));
      expect(await response.json()).toMatchObject({ request_id: line.request_id });
    }
    expect(lines.join()).not.toMatch(new RegExp(`${UNKNOWN_ID}|nobody`));
  });

  test('of a bug is a warning, and its id finds the line with the stack', async () => {
    const { app, fetchPath, answered, records } = await serveApp();
    await sql`ALTER TABLE artists RENAME TO elsewhere`.execute(app.database);
    const response = await fetchPath('/api/v1/users/artist/ana');
    await sql`ALTER TABLE elsewhere RENAME TO artists`.execute(app.database);
    const [line] = await answered(1);
    expect(line).toMatchObject({ level: 'warn', status: 500, reason: 'failed' });
    const { request_id } = await response.json();
    expect(records().filter((record) => record.request_id === request_id)).toEqual([
      expect.objectContaining({
        level: 'error',
        component: 'API',
        msg: 'A call failed (answered 500)',
        route: 'GET /api/v1/users/artist/:username',
        err: expect.objectContaining({ stack: expect.stringMatching(/artists.*\n +at /s) }),
      }),
      line,
    ]);
  });

  test('names the artist whom it concerns: by an appointment, a username or a login', async () => {
    const { app, fetchPath, answered } = await serveApp();
    const artist = await app.newArtist();
    const { id } = await bookSlot(app, artist, await findSlot(app, artist));
    const { username, service, token, self } = artist;
    const body = JSON.stringify({
      ...ROSA_DETAILS,
      ...(await findSlot(app, artist, 0)),
      service_id: UNKNOWN_ID,
      design_id: null,
      location: 'arms',
      size: 'small',
    });
    const booking = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
    const calls: [path: string, init: RequestInit, artistId: string | undefined][] = [
      [`/api/v1/appointments/confirmation/${id}`, {}, self.id],
      [`/api/v1/appointments/confirmation/${id}`, { method: 'POST' }, self.id],
      [`/api/v1/appointments/request/service?username=${username}`, booking, self.id],
      ['/api/v1/users/me', { headers: { Authorization: `Bearer ${token}` } }, self.id],
      ['/api/v1/users/me', {}, undefined],
      [`/api/v1/services/${username}/available/${service.id}`, {}, self.id],
      [`/api/v1/services/${service.id}/availability?year=2030&month=1`, {}, self.id],
    ];
    const expected = new Map<string | null, string | undefined>();
    for (const [path, init, artistId] of calls)
      expected.set(idOf(await fetchPath(path, init)), artistId);
    const lines = await answered(calls.length);
    expect(new Map(lines.map((line) => [line.request_id, line.artist_id]))).toEqual(expected);
  });

  test('has the status of the response while a file waits for the one before it on the connection', async () => {
    const finish = Promise.withResolvers<void>();
    const app = new Hono<{ Bindings: { clientIp: string } }>().get('/api/slow', async () => {
      await finish.promise;
      return new Response('late');
    });
    const { url, answered } = await serveSite('debug', { app });
    const socket = connect(Number(url.port), url.hostname);
    for (const path of ['/api/slow', '/favicon.svg'])
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await answered(1);
    finish.resolve();
    const [file, slow] = await answered(2);
    socket.destroy();
    expect([file.route, file.status, slow.status]).toEqual(['/:file', 200, 200]);
  });
});

test.each([
  ['of a trusted proxy is taken over', LOCAL_PROXIES, /^4bf92f3577b34da6a3ce929d0e0e4736$/],
  ['of a client that is not a trusted proxy is replaced', [], /^[0-9a-f]{10}-[0-9a-z]+$/],
])('a request id %s', async (_, trustedProxies, expected) => {
  const { fetchPath, answered } = await serveSite('info', { trustedProxies });
  const headers = { 'X-Request-Id': '4bf92f3577b34da6a3ce929d0e0e4736' };
  const id = idOf(await fetchPath('/ana/about', { headers }));
  expect(id).toMatch(expected);
  expect(await answered(1)).toMatchObject([{ request_id: id }]);
});

const PAGE = { method: 'GET', route: '/[username]', status: 200, seconds: 1, cache: undefined };

describe('cached responses, files and health checks', () => {
  test('have lines at the level debug', async () => {
    const { app, fetchPath, answered } = await serveApp('debug');
    const path = `/api/v1/users/artist/${(await app.newArtist()).username}`;
    const quiet = [path, '/healthz', '/readyz', '/media/none'];
    for (const next of [path, ...quiet]) await fetchPath(next);
    const levels = (await answered(5)).map(({ level }) => level);
    expect(levels).toEqual(['info', ...quiet.map(() => 'debug')]);
  });

  test('are files of this build, and of others', async () => {
    const { fetchPath, answered } = await serveSite('debug');
    for (const path of ['/favicon.svg', '/_astro/old.js']) await fetchPath(path);
    expect(await answered(2)).toMatchObject([{ level: 'debug' }, { level: 'debug' }]);
  });

  test('have no lines at the level info, but a check that fails has one', async () => {
    const opened = openLog();
    const app = await openTestApp({
      database: new URL('postgres://linework@127.0.0.1:1/linework'),
      servesPages: false,
      log: opened.log,
    });
    const url = await app.serve();
    for (const path of ['/healthz', '/readyz']) await fetch(new URL(path, url));
    expect(await opened.answered(1)).toMatchObject([
      { level: 'warn', route: '/readyz', status: 503, reason: 'unavailable' },
    ]);
  });

  test('have no lines at the level info, nor has a request that is refused because of the load', () => {
    const { log, records } = openLog();
    const request = { ...createRequestContext('request-1'), refusal: 'overloaded' };
    const route = { ...PAGE, status: 503 };
    createRequestLog(log).write(route, request);
    expect(records()).toEqual([]);
    createRequestLog(log).write(route, { ...request, refusal: 'unavailable' });
    expect(records()).toMatchObject([{ level: 'warn', status: 503, reason: 'unavailable' }]);
  });

  test('are counted once a minute, and a minute without them has no line', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { log, records } = openLog();
    const requestLog = createRequestLog(log);
    const answer = () =>
      requestLog.write({ ...PAGE, cache: 'hit' }, createRequestContext('request-1'));
    for (let times = 0; times < 3; times += 1) answer();
    vi.advanceTimersByTime(59_999);
    expect(records()).toEqual([]);
    vi.advanceTimersByTime(120_001);
    answer();
    vi.advanceTimersByTime(60_000);
    expect(records()).toMatchObject([3, 1].map((count) => ({ component: 'Request', count })));
    for (const record of records()) expect(record).not.toHaveProperty('request_id');
  });
});

test('the log of a whole booking, a login and an upload has no name, email, phone, token or id of an appointment', async () => {
  const { app, url, lines, records } = await serveApp('debug');
  const http = (token = ''): Transport =>
    createHttpTransport(url.origin, {
      bearer: { getToken: () => token, onUnauthorized: () => {} },
    });
  const artist = await app.newArtist({ viaSignup: true, full_name: 'Ana Reyes' });
  const login = { username: artist.self.email, password: PASSWORD };
  const { access_token } = await call(http(), logIn, { body: login });
  const picture = new Blob([new Uint8Array(await createPicture())], { type: 'image/png' });
  await call(http(access_token), uploadPortfolio, { body: { file: [picture] } });
  await call(http(access_token), changeSchedule, { body: { client_move_notice_hours: 0 } });
  const [slot, later] = [await findSlot(app, artist, 120), await findSlot(app, artist, 130)];
  const { id } = await bookSlot({ ...app, http }, artist, slot);
  const path = { appt_id: id };
  await call(http(), confirmAppointment, { path });
  await call(http(), moveAsClient, { path, body: { start: later.start, end: later.end } });
  await call(http(), cancelAsClient, { path });
  await call(http(), fetchConfirmation, { path });
  const mails = await app.mails();
  expect(mails.length).toBeGreaterThan(3);
  await expect
    .poll(() => records().map(({ route }) => route))
    .toContain('/api/v1/appointments/confirmation/:appt_id/cancel');
  const text = lines.join('');
  const { first_name, last_name, email, phone_number } = ROSA_DETAILS;
  const secrets = [id, access_token, PASSWORD, artist.self.email, 'Ana Reyes', 'swallow'];
  for (const secret of [...secrets, first_name, last_name, email, phone_number])
    expect(text).not.toContain(secret);
  expect(text).not.toMatch(/[\w.]@[\w.]|token=\w/);
  for (const { level } of records()) expect(['info', 'debug']).toContain(level);
});
