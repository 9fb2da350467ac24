import { request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { call } from '#client/call.ts';
import type { Availability } from '#contract/availability.ts';
import type { ListPage } from '#contract/common.ts';
import {
  changeAppointment,
  changeMe,
  changeService,
  confirmAppointment,
  fetchArtist,
} from '#contract/endpoints.ts';
import type { Service } from '#contract/service.ts';
import { DEFAULT_RETENTION } from '#domain/retention.ts';
import { MINUTE_MS } from '#domain/time.ts';
import type { BuiltSite } from '#server/site.ts';
import { expireAppointment } from '#support/app_rows.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { createDailySchedule } from '#support/sample_people.ts';
import { bookSlot, findSlot, openTestApp, type TestApp } from '#support/test_app.ts';

interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Sends exactly these headers; `fetch` would add its own and decompress the body. */
function send(
  url: URL,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const call = httpRequest(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      );
    });
    call.on('error', reject);
    call.end();
  });
}

/** A site with the same page at every path; `rendered` lists the path of each render. */
function createSite(
  renderPage: (url: string) => Promise<{ headers: Record<string, string>; body: string }>,
) {
  const rendered: string[] = [];
  const site: BuiltSite = {
    files: new Map(),
    assets: new Map(),
    settings: {
      productName: 'Linework',
      siteUrl: 'http://linework.test',
      publicApiUrl: '',
      imagesUrl: '',
      loginUrl: '/login',
      signupUrl: '/signup',
      retention: DEFAULT_RETENTION,
    },
    async render(request) {
      const { pathname, search } = new URL(request.url);
      rendered.push(pathname + search);
      const { headers, body } = await renderPage(pathname + search);
      return new Response(body, { headers: { 'Content-Type': 'text/html', ...headers } });
    },
  };
  return { site, rendered };
}

const CACHEABLE = { 'Surrogate-Control': 'max-age=600', 'Cache-Tag': 'artist:a' };
const LONG = '<p>A swallow.</p>'.repeat(100);
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

test('a cached page has the same content in every encoding, and revalidates with 304', async () => {
  const app = await openTestApp({ database: 'own' });
  const { site, rendered } = createSite(async () => ({ headers: CACHEABLE, body: LONG }));
  const page = new URL('ana', await app.serve(site));
  const plain = await send(page);
  const zipped = await send(page, { 'Accept-Encoding': 'gzip, deflate' });
  const brotli = await send(page, { 'Accept-Encoding': 'gzip, deflate, br, zstd' });
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(zipped.headers['content-encoding']).toBe('gzip');
  expect(brotli.headers['content-encoding']).toBe('br');
  for (const { headers, body } of [plain, zipped, brotli]) {
    expect(headers['vary']).toBe('Accept-Encoding');
    expect(headers['content-length']).toBe(String(body.length));
  }
  const bodies = [plain.body, gunzipSync(zipped.body), brotliDecompressSync(brotli.body)];
  expect(bodies.map(String)).toEqual([LONG, LONG, LONG]);

  const etag = String(plain.headers['etag']);
  for (const known of [etag, etag.replace('W/', ''), `"x", ${etag}`, '*']) {
    const again = await send(page, { 'If-None-Match': known });
    expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, etag]);
  }
  expect((await send(page, { 'If-None-Match': '"x"' })).status).toBe(200);
  const head = await send(page, {}, 'HEAD');
  expect([head.status, head.body.length]).toEqual([200, 0]);
  expect(head.headers['content-length']).toBe(String(LONG.length));
  expect(rendered).toEqual(['/ana']);
});

test('requests with a cookie, a token or an unknown query bypass the cache; tracking parameters do not', async () => {
  const app = await openTestApp({ database: 'own' });
  const { site, rendered } = createSite(async () => ({ headers: CACHEABLE, body: LONG }));
  const page = new URL('ana', await app.serve(site));
  for (let times = 0; times < 2; times += 1) {
    await send(page, { Cookie: 'a=b' });
    await send(page, { Authorization: 'Bearer x' });
    await send(new URL('?page=2', page));
  }
  expect(rendered).toHaveLength(6);
  await send(page);
  await send(new URL('?utm_source=flyer&fbclid=1', page));
  await send(new URL('ana/', page));
  expect(rendered).toHaveLength(7);
});

test.each([
  ['without Surrogate-Control', {}],
  ['with no-store', { ...CACHEABLE, 'Cache-Control': 'no-store' }],
  ['with Set-Cookie', { ...CACHEABLE, 'Set-Cookie': 'a=b' }],
  ['with max-age=0', { 'Surrogate-Control': 'max-age=0' }],
])('a page %s is not cached', async (_, headers) => {
  const app = await openTestApp({ database: 'own' });
  const { site, rendered } = createSite(async () => ({ headers, body: LONG }));
  const page = new URL('ana', await app.serve(site));
  await send(page);
  await send(page);
  expect(rendered).toHaveLength(2);
});

test('a stale page is served while it is rendered once again (stale-while-revalidate)', async () => {
  let now = Date.now();
  const app = await openTestApp({ database: 'own', clock: () => now });
  let rerender = Promise.withResolvers<void>();
  rerender.resolve();
  let version = 0;
  const { site, rendered } = createSite(async () => {
    await rerender.promise;
    version += 1;
    return {
      headers: { 'Surrogate-Control': 'max-age=10, stale-while-revalidate=60' },
      body: `version ${version}`,
    };
  });
  const page = new URL('ana', await app.serve(site));
  const readPage = async () => String((await send(page)).body);
  expect(await readPage()).toBe('version 1');
  rerender = Promise.withResolvers();
  now += 11_000;
  const duringRender = await Promise.all([readPage(), readPage(), readPage()]);
  expect(duringRender).toEqual(['version 1', 'version 1', 'version 1']);
  expect(rendered).toHaveLength(2);
  rerender.resolve();
  await vi.waitFor(async () => expect(await readPage()).toBe('version 2'));
  expect(rendered).toHaveLength(2);
  now += 71_000;
  expect(await readPage()).toBe('version 3');
});

test('concurrent requests for one page share a single render (coalescing)', async () => {
  const app = await openTestApp({ database: 'own' });
  const finish = Promise.withResolvers<void>();
  const { site, rendered } = createSite(async () => {
    await finish.promise;
    return { headers: CACHEABLE, body: LONG };
  });
  const page = new URL('ana', await app.serve(site));
  const all = Promise.all(Array.from({ length: 20 }, () => send(page)));
  await vi.waitFor(() => expect(rendered).toHaveLength(1));
  finish.resolve();
  expect((await all).map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(rendered).toHaveLength(1);
});

test('a page that is being rendered during an edit is never stored', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const finish = Promise.withResolvers<void>();
  const hasRead = Promise.withResolvers<void>();
  let isDelayed = true;
  const { site, rendered } = createSite(async () => {
    const body = await call(app.http(), fetchArtist, { path: { username: artist.username } });
    hasRead.resolve();
    if (isDelayed) await finish.promise;
    return {
      headers: { ...CACHEABLE, 'Cache-Tag': `artist:${artist.self.id}` },
      body: body.full_name,
    };
  });
  const page = new URL(artist.username, await app.serve(site));
  const slow = send(page);
  await hasRead.promise;
  isDelayed = false;
  await call(app.http(artist.token), changeMe, { body: { full_name: 'Rosa the Second' } });
  // A request after the edit does not join the render that began before it.
  expect(String((await send(page)).body)).toBe('Rosa the Second');
  finish.resolve();
  const late = await slow;
  expect(String(late.body)).toBe(artist.self.full_name);
  expect(late.headers['surrogate-control']).toBe('no-store');
  expect(String((await send(page)).body)).toBe('Rosa the Second');
  expect(rendered).toHaveLength(2);
});

test('signing up invalidates the cached page of a username that did not exist', async () => {
  const app = await openTestApp({ database: 'own' });
  const { site, rendered } = createSite(async () => ({
    headers: { 'Surrogate-Control': 'max-age=60', 'Cache-Tag': 'username:rosa_ink' },
    body: 'Nobody here',
  }));
  const page = new URL('rosa_ink', await app.serve(site));
  await send(page);
  await send(page);
  expect(rendered).toHaveLength(1);
  await app.newArtist({ username: 'rosa_ink', viaSignup: true });
  await send(page);
  expect(rendered).toHaveLength(2);
});

/** The cacheable API responses of an artist, read through the HTTP cache. */
async function readAll(origin: URL, artist: TestArtist, month: string) {
  const { username, self, service } = artist;
  const paths = [
    `users/artist/${username}`,
    `designs/${username}/available`,
    `services/${username}/available`,
    `images/artist-portfolio?username=${username}`,
    `services/${service.id}/availability?${month}`,
    `users/${self.id}/availability?${month}`,
  ];
  const responses = await Promise.all(
    paths.map((path) => send(new URL(`/api/v1/${path}`, origin))),
  );
  return new Map(responses.map(({ body }, index) => [paths[index], String(body)]));
}

test('API responses are cached until a write, and requests with a cookie or token bypass the cache', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const url = new URL(`/api/v1/users/artist/${artist.username}`, await app.serve());
  const name = () => send(url);
  await name();
  // A change in SQL, unlike an operation, invalidates nothing.
  await sql`UPDATE artists SET full_name = 'Changed in SQL'`.execute(app.database);
  expect(String((await name()).body)).toContain(artist.self.full_name);
  for (const headers of [{ Cookie: 'a=b' }, { Authorization: 'Bearer x' }])
    expect(String((await send(url, headers)).body)).toContain('Changed in SQL');
  await call(app.http(artist.token), changeMe, { body: { full_name: 'Rosa the Second' } });
  expect(String((await name()).body)).toContain('Rosa the Second');
});

test('the CORS headers of a cached response depend on the origin of the request', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const url = new URL(`/api/v1/users/artist/${artist.username}`, await app.serve());
  const allowedOrigin = async (headers: Record<string, string>) => {
    const response = await send(url, headers);
    expect(String(response.headers['vary'])).toContain('Origin');
    return response.headers['access-control-allow-origin'];
  };
  for (let times = 0; times < 2; times += 1) {
    expect(await allowedOrigin({})).toBeUndefined();
    expect(await allowedOrigin({ Origin: 'http://localhost:4321' })).toBe('http://localhost:4321');
    expect(await allowedOrigin({ Origin: 'http://evil.test' })).toBeUndefined();
  }
});

test('confirmations, errors and responses to a logged-in artist are never cached', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const origin = await app.serve();
  const slot = await findSlot(app, artist);
  const { id } = await bookSlot(app, artist, slot);
  const paths = [
    `appointments/confirmation/${id}`,
    'users/artist/nobody-here',
    `services/${artist.service.id}/availability?year=2026`,
    'users/me',
  ];
  for (const path of paths) {
    const { headers } = await send(new URL(`/api/v1/${path}`, origin));
    expect(headers['surrogate-control'], path).toBeUndefined();
    expect(headers['cache-control'], path).toBe('no-store');
  }
  const self = await send(new URL('/api/v1/users/me', origin), {
    Authorization: `Bearer ${artist.token}`,
  });
  expect(self.status).toBe(200);
  expect(self.headers['surrogate-control']).toBeUndefined();
  expect(self.headers['cache-control']).toBe('no-store');
});

/** The `max-age` of the slots of a month; they must never be served stale. */
async function availabilityMaxAge(app: TestApp, { service }: TestArtist, month: string) {
  const path = `GET /services/${service.id}/availability?${month}`;
  const { headers } = await app.call<Availability>(path);
  expect(headers.get('Surrogate-Control')).not.toContain('stale');
  return Number(/max-age=(\d+)/.exec(headers.get('Surrogate-Control') ?? '')?.[1]);
}

test('cached availability expires no later than a hold', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const maxAge = () => availabilityMaxAge(app, artist, monthOf(slot.start));
  expect(await maxAge()).toBeGreaterThan(0);
  const { id } = await bookSlot(app, artist, slot);
  await sql`UPDATE appointment_times SET expires_at = now() + interval '20 seconds'`.execute(
    app.database,
  );
  expect(await maxAge()).toBeLessThanOrEqual(20);
  await expireAppointment(app, id);
  expect(await maxAge()).toBeGreaterThanOrEqual(0);
});

test('cached availability expires at the minimum notice of the first slot and at midnight', async () => {
  const app = await openTestApp({ database: 'own' });
  const schedule = {
    ...createDailySchedule('00:00', '24:00'),
    slot_interval_minutes: 60,
    minimum_notice_minutes: 100,
  };
  const artist = await app.newArtist({ time_zone: 'UTC', schedule });
  const midnight = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;
  const month = monthOf(new Date(midnight).toISOString());
  const clock = vi.spyOn(Date, 'now');
  onTestFinished(() => void clock.mockRestore());
  // The next slot starts at 02:00, so its notice ends after midnight.
  clock.mockReturnValue(midnight - 90_000);
  expect(await availabilityMaxAge(app, artist, month)).toBe(90);
  // The next slot starts at 12:00.
  clock.mockReturnValue(midnight + 12 * HOUR_MS - 100 * MINUTE_MS - 45_000);
  expect(await availabilityMaxAge(app, artist, month)).toBe(45);
});

function monthOf(start: string): string {
  const [year, month] = start.split('-').map(Number);
  return `year=${year}&month=${month}`;
}

test('a hold, its expiry, confirmation and cancellation each invalidate the cached availability', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const origin = await app.serve();
  const slot = await findSlot(app, artist);
  const month = monthOf(slot.start);
  const isListed = async () => {
    const all = await readAll(origin, artist, month);
    const times = all.get(`services/${artist.service.id}/availability?${month}`) ?? '';
    return times.includes(slot.start);
  };
  expect(await isListed()).toBe(true);
  const { id } = await bookSlot(app, artist, slot);
  expect(await isListed()).toBe(false);
  await expireAppointment(app, id);
  await app.runMinutelyTasks();
  expect(await isListed()).toBe(true);
  await call(app.http(), confirmAppointment, { path: { appt_id: id } });
  expect(await isListed()).toBe(false);
  await call(app.http(artist.token), changeAppointment, {
    path: { appt_id: id },
    body: { status: 'cancelled' },
  });
  expect(await isListed()).toBe(true);
});

test('a change on one server invalidates the cache of another', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const other = await app.openSecondServer();
  const origin = await other.serve();
  await app.serve();
  const listed = async () => {
    const { body } = await send(new URL(`/api/v1/services/${artist.username}/available`, origin));
    const list: ListPage<Service> = JSON.parse(String(body));
    return list.data.map(({ name }) => name);
  };
  const before = await listed();
  await call(app.http(artist.token), changeService, {
    path: { service_id: artist.service.id },
    body: { is_available: false },
  });
  await vi.waitFor(async () => expect(await listed()).toEqual([]), { interval: 5 });
  expect(before).toHaveLength(1);
});

test('a server that lost its LISTEN connection caches nothing until it is restored', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const { database } = app;
  const url = new URL(`/api/v1/users/artist/${artist.username}`, await app.serve());
  const name = async () => String((await send(url)).body);
  await name();
  const disconnect = sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'linework listener'`;
  await disconnect.execute(database);
  await vi.waitFor(async () => expect(app.logged.join()).toContain('LISTEN connection lost'), {
    interval: 5,
  });
  // Like a change on another server, this does not invalidate the local cache.
  await sql`UPDATE artists SET full_name = 'Changed meanwhile'`.execute(database);
  expect(await name()).toContain('Changed meanwhile');
  await vi.waitFor(() => expect(app.logged.join()).toContain('LISTEN connection restored'), {
    timeout: 10_000,
  });
  await name();
  await sql`UPDATE artists SET full_name = 'Not shown'`.execute(database);
  expect(await name()).toContain('Changed meanwhile');
});

test('a 304 response names the origin that may read it', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const url = new URL(`/api/v1/users/artist/${artist.username}`, await app.serve());
  const from = { Origin: 'http://localhost:4321' };
  const { headers } = await send(url, from);
  const again = await send(url, { ...from, 'If-None-Match': String(headers['etag']) });
  expect([again.status, again.headers['access-control-allow-origin']]).toEqual([304, from.Origin]);
});

test('an invalidation message that cannot be parsed empties the cache, and LISTEN is restored', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const url = new URL(`/api/v1/users/artist/${artist.username}`, await app.serve());
  let restored = 0;
  for (const message of [
    'nonsense',
    '{"from":"a newer one","tags":["artist:1"]}',
    '{"from":"a newer one","tags":["artist:1"],"lsn":"nowhere"}',
  ]) {
    await send(url);
    await sql`UPDATE artists SET full_name = ${message}`.execute(app.database);
    await sql`SELECT pg_notify('linework_clears', ${message})`.execute(app.database);
    await vi.waitFor(
      async () => expect(JSON.parse(String((await send(url)).body)).full_name).toBe(message),
      { timeout: 10_000 },
    );
    restored += 1;
    // A message sent before LISTEN is restored would be lost.
    await vi.waitFor(
      () =>
        expect(
          app.logged.filter((line) => line.includes('LISTEN connection restored')),
        ).toHaveLength(restored),
      { timeout: 10_000 },
    );
  }
  expect(app.logged.join()).toContain('not understood');
});

test('the cached response of a percent-encoded path is invalidated too', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const origin = await app.serve();
  const url = new URL(`/api/v1/%75sers/artist/${artist.username}`, origin);
  expect((await send(url)).headers['etag']).toBeDefined();
  await call(app.http(artist.token), changeMe, { body: { full_name: 'Rosa the Second' } });
  expect(String((await send(url)).body)).toContain('Rosa the Second');
});
