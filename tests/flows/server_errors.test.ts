import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import type { ServerError } from '#contract/admin.ts';
import type { ListPage } from '#contract/common.ts';
import { expectOk } from '#support/call_api.ts';
import { openTestApp } from '#support/test_app.ts';

test('the operator finds the error of a failed call by the id in its answer', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const token = await app.superuserToken();
  const url = await app.serve();
  await sql`ALTER TABLE clients RENAME TO clients_elsewhere`.execute(app.database);
  const headers = { Authorization: `Bearer ${artist.token}` };
  const response = await fetch(new URL('/api/v1/clients/?search=Rosa', url), { headers });
  expect(response.status).toBe(500);
  const { request_id: id } = await response.json();
  const found = await vi.waitFor(async () => {
    const list = await expectOk(
      app.call<ListPage<ServerError>>(`GET /admin/errors?search=${id}`, { token }),
    );
    expect(list.count).toBe(1);
    return list.data[0];
  });
  expect(found).toMatchObject({
    ...{ request_id: id, route: 'GET /api/v1/clients', status: 500 },
    ...{ code: '42P01', message: 'relation "clients" does not exist' },
  });
  expect(JSON.stringify(found)).not.toContain('Rosa');
});

test('refused calls, and those for what is switched off, are no errors of the server', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const token = await app.superuserToken();
  const url = await app.serve();
  const headers = { Authorization: `Bearer ${artist.token}` };
  const call = (path: string, method: string) =>
    fetch(new URL(`/api/v1${path}`, url), { method, headers });
  expect((await call('/services/unknown', 'GET')).status).toBe(422);
  expect((await call('/users/create-checkout-session', 'POST')).status).toBe(503);
  await sql`ALTER TABLE clients RENAME TO clients_elsewhere`.execute(app.database);
  expect((await call('/clients/', 'GET')).status).toBe(500);
  await vi.waitFor(async () => {
    const { data } = await expectOk(
      app.call<ListPage<ServerError>>('GET /admin/errors', { token }),
    );
    expect(data.map(({ status }) => status)).toEqual([500]);
  });
});

test('an outage of the database is not a bug: its calls answer 503 and are not listed', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const token = await app.superuserToken();
  const url = await app.serve();
  const headers = { Authorization: `Bearer ${artist.token}` };
  const listClients = async () =>
    (await fetch(new URL('/api/v1/clients/', url), { headers })).status;
  // Reading clients fails as if PostgreSQL had no connections left. Errors can be stored.
  await sql`
    CREATE FUNCTION refuse() RETURNS boolean STABLE LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'sorry, too many clients already' USING ERRCODE = '53300'; END $$`.execute(
    app.database,
  );
  await sql`ALTER TABLE clients RENAME TO clients_elsewhere`.execute(app.database);
  await sql`CREATE VIEW clients AS SELECT * FROM clients_elsewhere WHERE refuse()`.execute(
    app.database,
  );
  expect([await listClients(), await listClients()]).toEqual([503, 503]);
  await sql`DROP VIEW clients`.execute(app.database);
  expect(await listClients()).toBe(500);
  await vi.waitFor(async () => {
    const { data } = await expectOk(
      app.call<ListPage<ServerError>>('GET /admin/errors', { token }),
    );
    expect(data.map(({ status }) => status)).toEqual([500]);
  });
});
