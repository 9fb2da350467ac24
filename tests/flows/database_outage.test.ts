import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '#support/free_port.ts';
import { PASSWORD } from '#support/new_artist.ts';
import { UNAVAILABLE, UNKNOWN_ID } from '#support/problems.ts';
import { FILLED_FORM, openTestApp } from '#support/test_app.ts';

const NOWHERE = 'postgres://linework:the-database-password@127.0.0.1:1/linework';

test('a server whose database is not there lives, but is not ready', async () => {
  const app = await openTestApp({ database: new URL(NOWHERE), servesPages: false });
  expect(await app.call('GET /healthz')).toMatchObject({
    status: 200,
    body: { status: 'alive' },
  });
  expect(await app.call('GET /readyz')).toMatchObject(UNAVAILABLE);
});

test('a server with its database is ready', async () => {
  const app = await openTestApp({ database: 'own' });
  expect(await app.call('GET /readyz/')).toMatchObject({
    status: 200,
    body: { status: 'ready' },
  });
});

test('a call that needs a database that is not there is answered 503, and gives nothing away', async () => {
  const app = await openTestApp({ database: new URL(NOWHERE), servesPages: false });
  const form = { username: 'rosa@example.com', password: PASSWORD };
  for (const answer of [
    await app.call('GET /users/artist/ana'),
    await app.call(`GET /appointments/confirmation/${UNKNOWN_ID}`),
    await app.call(`POST /appointments/confirmation/${UNKNOWN_ID}`),
    await app.call('POST /appointments/request/design?username=ana', { json: FILLED_FORM }),
    await app.call('POST /login/access-token', { form }),
  ]) {
    expect(answer).toMatchObject(UNAVAILABLE);
    expect(Object.keys(Object(answer.body))).toEqual(['detail']);
  }
  expect(app.logged).toHaveLength(5);
  for (const secret of ['the-database-password', UNKNOWN_ID, PASSWORD, 'rosa@example.com'])
    expect(app.logged.join('\n')).not.toContain(secret);
});

test('a database that stops is answered 503, and served from again once it is back', async () => {
  const app = await openTestApp({ database: 'own' });
  const { username } = await app.newArtist();
  const way = await openWay(app.databaseUrl);
  const behind = await openTestApp({ database: new URL(way.url) });
  const read = () => behind.call(`GET /users/artist/${username}`);
  expect((await read()).status).toBe(200);
  await way.close();
  for (let n = 0; n < 3; n += 1) expect(await read()).toMatchObject(UNAVAILABLE);
  expect(await behind.call('GET /readyz')).toMatchObject(UNAVAILABLE);
  await way.open();
  expect((await read()).status).toBe(200);
  expect((await behind.call('GET /readyz')).status).toBe(200);
});

test('a database that was dropped is answered 503', async () => {
  const app = await openTestApp({ database: 'own' });
  const dropped = new URL(app.databaseUrl);
  dropped.pathname = '/dropped';
  const behind = await openTestApp({ database: new URL(dropped.href) });
  expect(await behind.call('GET /users/artist/ana')).toMatchObject(UNAVAILABLE);
  expect(await behind.call('GET /readyz')).toMatchObject(UNAVAILABLE);
});

test('a database that throws us out while we ask is answered 503, and ends nothing else', async () => {
  const app = await openTestApp({ database: 'own' });
  const { username } = await app.newArtist();
  const other = await app.openSecondServer();
  const reads = Array.from({ length: 200 }, () => app.call(`GET /users/artist/${username}`));
  await sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
  `.execute(other.database);
  const statuses = new Set((await Promise.all(reads)).map(({ status }) => status));
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  // A connection that was idle is found to be ended a moment later.
  await expect.poll(async () => (await app.call(`GET /users/artist/${username}`)).status).toBe(200);
});

test('a failure that nobody foresaw tells the client nothing, and the log what and where', async () => {
  const app = await openTestApp({ database: 'own' });
  const { token } = await app.newArtist();
  await sql`ALTER TABLE appointments RENAME TO mislaid`.execute(app.database);
  const read = await app.call(`GET /appointments/${UNKNOWN_ID}`, { token });
  expect(read.status).toBe(500);
  expect(read.body).toStrictEqual({ detail: 'Something went wrong.' });
  const asked = await app.call(`GET /appointments/confirmation/${UNKNOWN_ID}`);
  expect(asked.status).toBe(500);
  expect(app.logged).toHaveLength(2);
  expect(app.logged[0]).toMatch(/^GET \/api\/v1\/appointments\/:appt_id: error: relation/);
  expect(app.logged[1]).toMatch(/^GET \/api\/v1\/appointments\/confirmation\/:appt_id: error/);
  expect(app.logged.join('\n')).not.toContain(UNKNOWN_ID);
  expect(app.logged.join('\n')).not.toContain(token);
});

test.each([
  ['40P01', 'deadlock detected', 503, 'A lot is going on right now. Please try again.', 0],
  ['40001', 'could not serialize access', 503, 'A lot is going on right now. Please try again.', 0],
  ['23503', 'insert or update on table "services" violates it', 404, 'Not found', 0],
  ['23503', 'update or delete on table "services" violates it', 500, 'Something went wrong.', 1],
])(
  'an error %s of the database, %s, is answered %i',
  async (code, message, status, detail, log) => {
    const app = await openTestApp({ database: 'own' });
    const { token } = await app.newArtist();
    const fail = sql.raw(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION '${message}' USING ERRCODE = '${code}'; END $$`);
    await sql`${fail}`.execute(app.database);
    try {
      await sql`CREATE TRIGGER fail BEFORE INSERT ON services EXECUTE FUNCTION fail()`.execute(
        app.database,
      );
      const json = { name: 'Flash', duration: 30 };
      const answer = await app.call('POST /services', { token, json });
      expect(answer).toMatchObject({ status, body: { detail } });
      expect(app.logged).toHaveLength(log);
    } finally {
      // The next test gets the same database.
      await sql`DROP FUNCTION fail CASCADE`.execute(app.database);
    }
  },
);

test('a mail that was handed over is written down as soon as its database is back', async () => {
  const direct = await openTestApp({ database: 'own' });
  const way = await openWay(direct.databaseUrl);
  let taken = 0;
  const app = await openTestApp({
    database: new URL(way.url),
    mailer: {
      async send() {
        taken += 1;
        await way.close();
        void sleep(1500).then(way.open);
      },
      close() {},
    },
  });
  // Their welcome.
  await direct.newArtist({ viaSignup: true });
  await app.runJobs();
  const mails = await direct.database.selectFrom('mails').select('status').execute();
  expect(mails).toEqual([{ status: 'sent' }]);
  expect(taken).toBe(1);
});

test('no room on the disk for an upload is answered 503, and logged', async () => {
  const app = await openTestApp({ database: 'own' });
  const { token } = await app.newArtist();
  const raw = new ReadableStream({
    start: (controller) =>
      controller.error(Object.assign(new Error('no space left'), { code: 'ENOSPC' })),
  });
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
  const answer = await app.call('PATCH /users/me/avatar', { token, raw, headers });
  expect(answer).toMatchObject(UNAVAILABLE);
  expect(app.logged).toHaveLength(1);
  expect(app.logged[0]).toMatch(/^PATCH \/api\/v1\/users\/me\/avatar: Error: no space left/);
});

/** A way to a database that can be closed, which cuts off who is on it, and opened again. */
async function openWay(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const onward = connect(Number(port), hostname);
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => {}).on('close', () => to.destroy());
    }
  });
  const at = await freePort();
  const open = async () => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
  };
  const close = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await open();
  onTestFinished(close);
  const url = new URL(databaseUrl);
  url.port = String(at);
  return { url: url.href, close, open };
}
