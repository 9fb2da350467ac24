import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import type { ServerError } from '#contract/admin.ts';
import type { ListPage } from '#contract/common.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { expectOk } from '#support/call_api.ts';

test('the operator finds the error of a failed call by the id in its answer', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
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

test('refused calls, those for what is switched off and an outage of the database are no errors of the server', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const token = await app.superuserToken();
  const url = await app.serve();
  const headers = { Authorization: `Bearer ${artist.token}` };
  const statusOf = async (path: string, method = 'GET') =>
    (await fetch(new URL(`/api/v1${path}`, url), { method, headers })).status;
  expect(await statusOf('/services/unknown')).toBe(422);
  expect(await statusOf('/users/create-checkout-session', 'POST')).toBe(503);
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
  expect([await statusOf('/clients/'), await statusOf('/clients/')]).toEqual([503, 503]);
  await sql`DROP VIEW clients`.execute(app.database);
  expect(await statusOf('/clients/')).toBe(500);
  await vi.waitFor(async () => {
    const { data } = await expectOk(
      app.call<ListPage<ServerError>>('GET /admin/errors', { token }),
    );
    expect(data.map(({ status }) => status)).toEqual([500]);
  });
});
