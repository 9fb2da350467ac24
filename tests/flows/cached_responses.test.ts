import { request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { changeAppointment, confirmAppointment } from '#client/appointments.ts';
import { changeMe, fetchArtist } from '#client/artists.ts';
import { changeService } from '#client/services.ts';
import type { Availability } from '#contract/availability.ts';
import type { ListPage } from '#contract/common.ts';
import type { Service } from '#contract/service.ts';
import type { BuiltSite } from '#server/site.ts';
import { expireAppointment } from '#support/app_rows.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { bookSlot, findSlot, openTestApp } from '#support/test_app.ts';

interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Asks with exactly these headers: `fetch` adds its own, and unpacks. */
function ask(url: URL, headers: Record<string, string> = {}, method = 'GET'): Promise<Seen> {
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

/** A site of one page for every address, which counts how often it is made. */
function siteOf(
  makePage: (url: string) => Promise<{ headers: Record<string, string>; body: string }>,
) {
  const made: string[] = [];
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
    },
    async handler(request, response) {
      made.push(request.url ?? '');
      const { headers, body } = await makePage(request.url ?? '');
      response.writeHead(200, { 'Content-Type': 'text/html', ...headers }).end(body);
    },
  };
  return { site, made };
}

const KEPT = { 'Surrogate-Control': 'max-age=600', 'Cache-Tag': 'artist:a' };
const LONG = '<p>A swallow.</p>'.repeat(100);

test('a kept page is the same in every encoding, and not sent again to whoever has it', async () => {
  const app = await openTestApp({ database: 'own' });
  const { site, made } = siteOf(async () => ({ headers: KEPT, body: LONG }));
  const page = new URL('ana', await app.serve(site));
  const plain = await ask(page);
  const zipped = await ask(page, { 'Accept-Encoding': 'gzip, deflate' });
  const brotli = await ask(page, { 'Accept-Encoding': 'gzip, deflate, br, zstd' });
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
    const again = await ask(page, { 'If-None-Match': known });
    expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, etag]);
  }
  expect((await ask(page, { 'If-None-Match': '"x"' })).status).toBe(200);
  const head = await ask(page, {}, 'HEAD');
  expect([head.status, head.body.length]).toEqual([200, 0]);
  expect(head.headers['content-length']).toBe(String(LONG.length));
  expect(made).toEqual(['/ana']);
});

test('nothing is kept of what carries a cookie, a token or a query that nobody knows', async () => {
  const app = await openTestApp({ database: 'own' });
  const { site, made } = siteOf(async () => ({ headers: KEPT, body: LONG }));
  const page = new URL('ana', await app.serve(site));
  for (let times = 0; times < 2; times += 1) {
    await ask(page, { Cookie: 'a=b' });
    await ask(page, { Authorization: 'Bearer x' });
    await ask(new URL('?page=2', page));
  }
  expect(made).toHaveLength(6);
  await ask(page);
  await ask(new URL('?utm_source=flyer&fbclid=1', page));
  await ask(new URL('ana/', page));
  expect(made).toHaveLength(7);
});

test.each([
  ['that says nothing of it', {}],
  ['that must not be stored', { ...KEPT, 'Cache-Control': 'no-store' }],
  ['that sets a cookie', { ...KEPT, 'Set-Cookie': 'a=b' }],
  ['that is good for no time', { 'Surrogate-Control': 'max-age=0' }],
])('a page is not kept %s', async (_, headers) => {
  const app = await openTestApp({ database: 'own' });
  const { site, made } = siteOf(async () => ({ headers, body: LONG }));
  const page = new URL('ana', await app.serve(site));
  await ask(page);
  await ask(page);
  expect(made).toHaveLength(2);
});

test('a stale page is handed out while one new one is made, and then the new one', async () => {
  let now = Date.now();
  const app = await openTestApp({ database: 'own', clock: () => now });
  let renew = Promise.withResolvers<void>();
  renew.resolve();
  let version = 0;
  const { site, made } = siteOf(async () => {
    await renew.promise;
    version += 1;
    return {
      headers: { 'Surrogate-Control': 'max-age=10, stale-while-revalidate=60' },
      body: `version ${version}`,
    };
  });
  const page = new URL('ana', await app.serve(site));
  const seen = async () => String((await ask(page)).body);
  expect(await seen()).toBe('version 1');
  renew = Promise.withResolvers();
  now += 11_000;
  const meanwhile = await Promise.all([seen(), seen(), seen()]);
  expect(meanwhile).toEqual(['version 1', 'version 1', 'version 1']);
  expect(made).toHaveLength(2);
  renew.resolve();
  await vi.waitFor(async () => expect(await seen()).toBe('version 2'));
  expect(made).toHaveLength(2);
  now += 71_000;
  expect(await seen()).toBe('version 3');
});

test('those who ask for a page while it is made share it', async () => {
  const app = await openTestApp({ database: 'own' });
  const finish = Promise.withResolvers<void>();
  const { site, made } = siteOf(async () => {
    await finish.promise;
    return { headers: KEPT, body: LONG };
  });
  const page = new URL('ana', await app.serve(site));
  const all = Promise.all(Array.from({ length: 20 }, () => ask(page)));
  await vi.waitFor(() => expect(made).toHaveLength(1));
  finish.resolve();
  expect((await all).map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(made).toHaveLength(1);
});

test('a page whose rendering began before an edit and ended after it is never stored', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const finish = Promise.withResolvers<void>();
  const hasRead = Promise.withResolvers<void>();
  let isDelayed = true;
  const { site, made } = siteOf(async () => {
    const body = await fetchArtist(app.http(), artist.username);
    hasRead.resolve();
    if (isDelayed) await finish.promise;
    return { headers: { ...KEPT, 'Cache-Tag': `artist:${artist.self.id}` }, body: body.full_name };
  });
  const page = new URL(artist.username, await app.serve(site));
  const slow = ask(page);
  await hasRead.promise;
  isDelayed = false;
  await changeMe(app.http(artist.token), { full_name: 'Rosa the Second' });
  // Whoever asks after the edit was answered does not wait for what began before it.
  expect(String((await ask(page)).body)).toBe('Rosa the Second');
  finish.resolve();
  const late = await slow;
  expect(String(late.body)).toBe(artist.self.full_name);
  expect(late.headers['surrogate-control']).toBe('no-store');
  expect(String((await ask(page)).body)).toBe('Rosa the Second');
  expect(made).toHaveLength(2);
});

test('an artist who was looked for before appears at once when they sign up', async () => {
  const app = await openTestApp({ database: 'own' });
  const { site, made } = siteOf(async () => ({
    headers: { 'Surrogate-Control': 'max-age=60', 'Cache-Tag': 'username:rosa_ink' },
    body: 'Nobody here',
  }));
  const page = new URL('rosa_ink', await app.serve(site));
  await ask(page);
  await ask(page);
  expect(made).toHaveLength(1);
  await app.newArtist({ username: 'rosa_ink', viaSignup: true });
  await ask(page);
  expect(made).toHaveLength(2);
});

/** What of an artist is kept, as it is answered by the front. */
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
  const answers = await Promise.all(paths.map((path) => ask(new URL(`/api/v1/${path}`, origin))));
  return new Map(answers.map(({ body }, index) => [paths[index], String(body)]));
}

test('answers of the API are kept until their time or a write, and cookies and tokens pass by', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const origin = await app.serve();
  const name = () => ask(new URL(`/api/v1/users/artist/${artist.username}`, origin));
  await name();
  // Behind the back of every operation.
  await sql`UPDATE artists SET full_name = 'Behind the back'`.execute(app.database);
  expect(String((await name()).body)).toContain(artist.self.full_name);
  const path = new URL(`/api/v1/users/artist/${artist.username}`, origin);
  for (const headers of [{ Cookie: 'a=b' }, { Authorization: 'Bearer x' }])
    expect(String((await ask(path, headers)).body)).toContain('Behind the back');
});

test('each origin that may read an answer is named in its own', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const url = new URL(`/api/v1/users/artist/${artist.username}`, await app.serve());
  const named = async (headers: Record<string, string>) => {
    const answer = await ask(url, headers);
    expect(String(answer.headers['vary'])).toContain('Origin');
    return answer.headers['access-control-allow-origin'];
  };
  for (let times = 0; times < 2; times += 1) {
    expect(await named({})).toBeUndefined();
    expect(await named({ Origin: 'http://localhost:4321' })).toBe('http://localhost:4321');
    expect(await named({ Origin: 'http://evil.test' })).toBeUndefined();
  }
});

test('confirmations, errors and what belongs to an artist are never kept', async () => {
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
    const { headers } = await ask(new URL(`/api/v1/${path}`, origin));
    expect(headers['surrogate-control'], path).toBeUndefined();
    expect(headers['cache-control'], path).toBe('no-store');
  }
});

test('a month of times expires by itself when a hold lapses, at the notice and at midnight', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const month = monthOf(slot.start);
  const ageOf = async () => {
    const path = `GET /services/${artist.service.id}/availability?${month}`;
    const { headers } = await app.call<Availability>(path);
    expect(headers.get('Surrogate-Control')).not.toContain('stale');
    return Number(/max-age=(\d+)/.exec(headers.get('Surrogate-Control') ?? '')?.[1]);
  };
  expect(await ageOf()).toBeGreaterThan(0);
  const { id } = await bookSlot(app, artist, slot);
  await sql`UPDATE appointment_times SET lapses_at = now() + interval '20 seconds'`.execute(
    app.database,
  );
  const soon = await ageOf();
  expect(soon).toBeLessThanOrEqual(20);
  await expireAppointment(app, id);
  expect(await ageOf()).toBeGreaterThanOrEqual(0);
});

function monthOf(start: string): string {
  const [year, month] = start.split('-').map(Number);
  return `year=${year}&month=${month}`;
}

test('a hold, its confirmation and its end clear the times that were kept', async () => {
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
  await confirmAppointment(app.http(), id);
  expect(await isListed()).toBe(false);
  await changeAppointment(app.http(artist.token), id, { status: 'cancelled' });
  expect(await isListed()).toBe(true);
});

test('what one server changes, another one clears', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const other = await app.openSecondServer();
  const origin = await other.serve();
  await app.serve();
  const listed = async () => {
    const { body } = await ask(new URL(`/api/v1/services/${artist.username}/available`, origin));
    const list: ListPage<Service> = JSON.parse(String(body));
    return list.data.map(({ name }) => name);
  };
  const before = await listed();
  await changeService(app.http(artist.token), artist.service.id, { is_available: false });
  await vi.waitFor(async () => expect(await listed()).toEqual([]), { interval: 5 });
  expect(before).toHaveLength(1);
});

test('a server that lost its listener keeps nothing until it hears again', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const { database } = app;
  const url = new URL(`/api/v1/users/artist/${artist.username}`, await app.serve());
  const name = async () => String((await ask(url)).body);
  await name();
  const cut = sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'linework listener'`;
  await cut.execute(database);
  await vi.waitFor(async () => expect(app.logged.join()).toContain('LISTEN connection lost'), {
    interval: 5,
  });
  // Behind the back of every operation, as another server's change would be.
  await sql`UPDATE artists SET full_name = 'Changed meanwhile'`.execute(database);
  expect(await name()).toContain('Changed meanwhile');
  await vi.waitFor(() => expect(app.logged.join()).toContain('LISTEN connection restored'), {
    timeout: 10_000,
  });
  await name();
  await sql`UPDATE artists SET full_name = 'Kept again'`.execute(database);
  expect(await name()).toContain('Changed meanwhile');
});

test('an answer that has not changed names the origin that may read it', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const url = new URL(`/api/v1/users/artist/${artist.username}`, await app.serve());
  const from = { Origin: 'http://localhost:4321' };
  const { headers } = await ask(url, from);
  const again = await ask(url, { ...from, 'If-None-Match': String(headers['etag']) });
  expect([again.status, again.headers['access-control-allow-origin']]).toEqual([304, from.Origin]);
});

test('a message between servers that is not understood drops what is kept, and ends nothing', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const url = new URL(`/api/v1/users/artist/${artist.username}`, await app.serve());
  let heard = 0;
  for (const message of [
    'nonsense',
    '{"from":"a newer one","tags":["artist:1"]}',
    '{"from":"a newer one","tags":["artist:1"],"lsn":"nowhere"}',
  ]) {
    await ask(url);
    await sql`UPDATE artists SET full_name = ${message}`.execute(app.database);
    await sql`SELECT pg_notify('linework_clears', ${message})`.execute(app.database);
    await vi.waitFor(
      async () => expect(JSON.parse(String((await ask(url)).body)).full_name).toBe(message),
      { timeout: 10_000 },
    );
    heard += 1;
    // Or the next one would come while nobody listens.
    await vi.waitFor(
      () =>
        expect(
          app.logged.filter((line) => line.includes('LISTEN connection restored')),
        ).toHaveLength(heard),
      { timeout: 10_000 },
    );
  }
  expect(app.logged.join()).toContain('not understood');
});

test('a path in another spelling is kept under it, and cleared all the same', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const origin = await app.serve();
  const url = new URL(`/api/v1/%75sers/artist/${artist.username}`, origin);
  expect((await ask(url)).headers['etag']).toBeDefined();
  await changeMe(app.http(artist.token), { full_name: 'Rosa the Second' });
  expect(String((await ask(url)).body)).toContain('Rosa the Second');
});
