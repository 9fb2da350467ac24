import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openArtistApp } from '#support/artist_app.ts';
import { openDatabaseProxy } from '#support/database_proxy.ts';
import { PASSWORD } from '#support/new_artist.ts';
import { UNAVAILABLE, UNKNOWN_ID } from '#support/problems.ts';
import { FILLED_FORM, openTestApp } from '#support/test_app.ts';

const NOWHERE = 'postgres://linework:the-database-password@127.0.0.1:1/linework';

test('a server without its database is alive, but not ready: a call gives 503, and neither response nor log contains secrets', async () => {
  const app = await openTestApp({ database: new URL(NOWHERE), servesPages: false });
  expect(await app.call('GET /healthz')).toMatchObject({ status: 200, body: { status: 'alive' } });
  const form = { username: 'rosa@example.com', password: PASSWORD };
  for (const response of [
    await app.call('GET /readyz'),
    await app.call('GET /users/artist/ana'),
    await app.call(`GET /appointments/confirmation/${UNKNOWN_ID}`),
    await app.call(`POST /appointments/confirmation/${UNKNOWN_ID}`),
    await app.call('POST /appointments/request/design?username=ana', { json: FILLED_FORM }),
    await app.call('POST /login/access-token', { form }),
  ]) {
    expect(response).toMatchObject(UNAVAILABLE);
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(Object.keys(Object(response.body))).toEqual(['detail', 'reason']);
  }
  // The route is left out, so that an outage is counted as one error.
  const outage = /^API: The database is unavailable \(answered 503\): [^{}]*$/;
  expect(app.logged).toEqual(Array(5).fill(expect.stringMatching(outage)));
  for (const secret of ['the-database-password', UNKNOWN_ID, PASSWORD, 'rosa@example.com'])
    expect(app.logged.join('\n')).not.toContain(secret);
});

test('calls give 503 while the database is down, and succeed once it is back', async () => {
  const { app, username } = await openArtistApp({ database: 'own' });
  const proxy = await openDatabaseProxy(app.databaseUrl);
  const proxied = await openTestApp({ database: new URL(proxy.url) });
  const read = () => proxied.call(`GET /users/artist/${username}`);
  expect((await read()).status).toBe(200);
  await proxy.close();
  for (let n = 0; n < 3; n += 1) expect(await read()).toMatchObject(UNAVAILABLE);
  expect(await proxied.call('GET /readyz')).toMatchObject(UNAVAILABLE);
  await proxy.open();
  expect((await read()).status).toBe(200);
  // Health checks within a second share one answer.
  await expect
    .poll(async () => (await proxied.call('GET /readyz')).status, { timeout: 10_000 })
    .toBe(200);
});

test('terminated database connections give 503 at worst, and later calls succeed', async () => {
  const { app, username } = await openArtistApp({ database: 'own' });
  const other = await app.openSecondServer();
  const reads = Array.from({ length: 200 }, () => app.call(`GET /users/artist/${username}`));
  await sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
  `.execute(other.database);
  const statuses = new Set((await Promise.all(reads)).map(({ status }) => status));
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  // The pool notices the end of an idle connection a moment later.
  await expect.poll(async () => (await app.call(`GET /users/artist/${username}`)).status).toBe(200);
});

test('an unexpected error gives a 500 without details, and the log names the route and error', async () => {
  const { app, token } = await openArtistApp({ database: 'own' });
  await sql`ALTER TABLE appointments RENAME TO mislaid`.execute(app.database);
  const read = await app.call(`GET /appointments/${UNKNOWN_ID}`, { token });
  expect(read.status).toBe(500);
  expect(read.body).toStrictEqual({ detail: 'Something went wrong.' });
  const confirmation = await app.call(`GET /appointments/confirmation/${UNKNOWN_ID}`);
  expect(confirmation.status).toBe(500);
  expect(app.logged).toHaveLength(2);
  const failure =
    'API: A call failed (answered 500): error: relation "appointments" does not exist';
  expect(app.logged.map((line) => line.split('\n')[0])).toEqual([
    `${failure} {"route":"GET /api/v1/appointments/:appt_id"}`,
    `${failure} {"route":"GET /api/v1/appointments/confirmation/:appt_id"}`,
  ]);
  for (const line of app.logged) expect(line).toMatch(/\n +at /);
  expect(app.logged.join('\n')).not.toContain(UNKNOWN_ID);
  expect(app.logged.join('\n')).not.toContain(token);
});

test.each([
  ['40P01', 'deadlock detected', 503, 'A lot is going on right now. Please try again.', 0],
  ['40001', 'could not serialize access', 503, 'A lot is going on right now. Please try again.', 0],
  ['23503', 'insert or update on table "services" violates it', 404, 'Not found', 0],
  ['23503', 'update or delete on table "services" violates it', 500, 'Something went wrong.', 1],
])('the database error %s, %s, gives %i', async (code, message, status, detail, log) => {
  const { app, token } = await openArtistApp({ database: 'own' });
  const fail = sql.raw(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION '${message}' USING ERRCODE = '${code}'; END $$`);
  await sql`${fail}`.execute(app.database);
  try {
    await sql`CREATE TRIGGER fail BEFORE INSERT ON services EXECUTE FUNCTION fail()`.execute(
      app.database,
    );
    const json = { name: 'Flash', duration: 30 };
    const response = await app.call('POST /services', { token, json });
    expect(response).toMatchObject({ status, body: { detail } });
    expect(app.logged).toHaveLength(log);
  } finally {
    // The next test reuses this database.
    await sql`DROP FUNCTION fail CASCADE`.execute(app.database);
  }
});

test('a mail sent during a database outage is recorded as sent when the database is back', async () => {
  const direct = await openTestApp({ database: 'own' });
  const proxy = await openDatabaseProxy(direct.databaseUrl);
  let sendCount = 0;
  const app = await openTestApp({
    database: new URL(proxy.url),
    mailer: {
      async send() {
        sendCount += 1;
        await proxy.close();
        void sleep(1500).then(proxy.open);
      },
      close() {},
    },
  });
  // Queues the welcome mail.
  await direct.newArtist({ viaSignup: true });
  await app.runJobs();
  const mails = await direct.database.selectFrom('mails').select('status').execute();
  expect(mails).toEqual([{ status: 'sent' }]);
  expect(sendCount).toBe(1);
});

test.each([
  ['the disk has no space for', 'ENOSPC', 'The disk is full'],
  ['no file descriptor is free for', 'EMFILE', 'This process may open no more files'],
  ['the machine may open no file for', 'ENFILE', 'This machine may open no more files'],
])('an upload that %s gives 503 and is logged', async (_, code, logged) => {
  const { app, token } = await openArtistApp({ database: 'own' });
  const raw = new ReadableStream({
    start: (controller) => controller.error(Object.assign(new Error('writing failed'), { code })),
  });
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
  const response = await app.call('PATCH /users/me/avatar', { token, raw, headers });
  expect(response).toMatchObject(UNAVAILABLE);
  expect(app.logged).toHaveLength(1);
  expect(app.logged[0]).toMatch(
    new RegExp(`^API: ${logged} \\(answered 503\\): Error: writing failed\n +at `),
  );
});
