import { decodeJwt, SignJWT } from 'jose';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openTestApp } from '#support/test_app.ts';

const UNREACHABLE = 'postgres://linework@127.0.0.1:1/linework';
const RETRY_AFTER = 'retry-after';

test('every 503 of the API has Retry-After', async () => {
  const app = await openTestApp({ database: new URL(UNREACHABLE), servesPages: false });
  for (const path of ['/readyz', '/users/artist/ana', '/designs/ana/available']) {
    const { status, headers } = await app.call(`GET ${path}`);
    expect([path, status, Number(headers.get(RETRY_AFTER))]).toEqual([
      path,
      503,
      expect.any(Number),
    ]);
    expect(Number(headers.get(RETRY_AFTER))).toBeGreaterThan(0);
  }
});

test('health checks and unknown paths are never cached', async () => {
  const app = await openTestApp({ database: new URL(UNREACHABLE), servesPages: false });
  for (const path of ['/healthz', '/readyz', '/healthz/nothing', '/api/v1/nothing']) {
    const { headers } = await app.call(`GET ${path}`);
    expect([path, headers.get('cache-control')]).toEqual([path, 'no-store']);
  }
});

test('a failure is logged with the pattern of its route', async () => {
  const app = await openTestApp({ database: 'own' });
  const { token } = await app.newArtist();
  await sql`ALTER TABLE artists RENAME TO elsewhere`.execute(app.database);
  await app.call('GET /users/me', { token });
  await app.call('PATCH /users/me/schedule', { token, json: { buffer_minutes: 15 } });
  await app.call('GET /users/artist/ana');
  await sql`ALTER TABLE elsewhere RENAME TO artists`.execute(app.database);
  expect(app.logged.map((line) => / \{"route":"(.*)"\}$/m.exec(line)?.[1])).toEqual([
    'GET /api/v1/users/me',
    'PATCH /api/v1/users/me/schedule',
    'GET /api/v1/users/artist/:username',
  ]);
});

test('an outage of the database is logged alike for all routes, and not by health checks', async () => {
  const app = await openTestApp();
  const { token } = await app.newArtist();
  const failing = await openTestApp({ database: new URL(UNREACHABLE), servesPages: false });
  await failing.call('GET /users/me', { token });
  await failing.call('GET /users/artist/ana');
  await failing.call('GET /readyz/');
  const outage = /^API: The database is unavailable \(answered 503\): [^{}]*$/;
  expect(failing.logged).toEqual(Array(2).fill(expect.stringMatching(outage)));
});

test.each([
  ['is cancelled by PostgreSQL (statement_timeout)', 'statement_timeout'],
  ['gets no response (query_timeout)', 'query_timeout'],
])('a query that %s is a 503', async (_, setting) => {
  const app = await openTestApp();
  const { username } = await app.newArtist();
  const url = new URL(app.databaseUrl);
  url.searchParams.set(setting, '300');
  const withTimeout = await openTestApp({ database: new URL(url.href) });
  const blocker = new pg.Client({ connectionString: app.databaseUrl });
  await blocker.connect();
  onTestFinished(() => blocker.end());
  await blocker.query('BEGIN; LOCK TABLE artists IN ACCESS EXCLUSIVE MODE');
  const { status, body } = await withTimeout.call(`GET /users/artist/${username}`);
  await blocker.query('ROLLBACK');
  expect({ status, body }).toEqual({
    status: 503,
    body: { detail: 'A part of the service is down. Please try again soon.' },
  });
});

test.each([
  ['a subject that is not a UUID', { sub: 'ana' }],
  ['a version that is not an integer', { version: 0.5 }],
  ['a version beyond the integers of PostgreSQL', { version: 2 ** 40 }],
])('a token signed with the server’s key but with %s is refused', async (_, wrong) => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const { jti = '', version: own } = decodeJwt(artist.token);
  const { sub, version } = { sub: artist.self.id, version: own, ...wrong };
  const token = await new SignJWT({ version })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(sub)
    .setJti(jti)
    .setAudience('access')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode('a secret that only tests know'));
  const { status, headers } = await app.call('GET /users/me', { token });
  expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  expect(app.logged).toEqual([]);
});
