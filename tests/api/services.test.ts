import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import {
  changeService,
  createService,
  deleteService,
  listOwnServices,
} from '#contract/endpoints.ts';
import type { Service } from '#contract/service.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { NOT_FOUND, validationMessages } from '#support/problems.ts';
import { bookSlot, findSlot, type TestApp } from '#support/test_app.ts';

function create(app: TestApp, { token }: TestArtist, json: Record<string, unknown>) {
  return app.call<Service>('POST /services', { token, json });
}

test('a service is created, read, changed and deleted', async () => {
  const { app, artist, token } = await openArtistApp();
  const json = {
    name: ' Half day ',
    description: 'Four hours.',
    duration: 240,
    is_available: false,
    price: null,
  };
  const created = await create(app, artist, json);
  expect(created.status).toBe(201);
  expect(created.body).toStrictEqual({ ...json, name: 'Half day', id: created.body.id });
  const path = `/services/${created.body.id}`;
  expect(await expectOk(app.call(`GET ${path}`, { token }))).toStrictEqual(created.body);
  const changed = await app.call<Service>(`PATCH ${path}`, { token, json: { duration: 480 } });
  expect(changed.body).toStrictEqual({ ...created.body, duration: 480 });
  expect(await app.call(`DELETE ${path}`, { token })).toMatchObject({
    status: 204,
    body: undefined,
  });
  for (const method of ['GET', 'DELETE'])
    expect(await app.call(`${method} ${path}`, { token })).toMatchObject(NOT_FOUND);
  expect(await app.call(`PATCH ${path}`, { token, json: {} })).toMatchObject(NOT_FOUND);
});

const WRONG: [Record<string, unknown>, string][] = [
  [{ name: '' }, 'name'],
  [{ name: null }, 'name'],
  [{ name: 'x'.repeat(121) }, 'name'],
  [{ description: 'x'.repeat(2001) }, 'description'],
  [{ duration: 4 }, 'duration'],
  [{ duration: 1441 }, 'duration'],
  [{ duration: 60.5 }, 'duration'],
  [{ duration: '60' }, 'duration'],
  [{ is_available: 'yes' }, 'is_available'],
  [{ price: 100 }, 'price'],
];

test('an invalid service is refused with an error for the field', async () => {
  const { app, artist, token, service } = await openArtistApp();
  for (const [json, field] of WRONG) {
    const created = await create(app, artist, { name: 'Flash', duration: 60, ...json });
    expect(Object.keys(validationMessages(created))).toEqual([`body.${field}`]);
    const changed = await app.call(`PATCH /services/${service.id}`, { token, json });
    expect(Object.keys(validationMessages(changed))).toEqual([`body.${field}`]);
  }
  expect(await call(app.http(token), listOwnServices)).toEqual({
    data: [service],
    count: 1,
  });
});

test('an appointment still shows its service after the service was hidden and deleted', async () => {
  const { app, artist, token, service } = await openArtistApp();
  const body = await bookSlot(app, artist, await findSlot(app, artist));
  await call(app.http(token), changeService, {
    path: { service_id: service.id },
    body: { is_available: false },
  });
  await call(app.http(token), deleteService, { path: { service_id: service.id } });
  const expected = { body: { service: { ...service, is_available: false } } };
  expect(await app.call(`GET /appointments/confirmation/${body.id}`)).toMatchObject(expected);
  expect(await app.call(`GET /appointments/${body.id}`, { token })).toMatchObject(expected);
  const confirmed = await app.call(`POST /appointments/confirmation/${body.id}`);
  expect(confirmed).toMatchObject({ status: 200, ...expected });
});

test('a service can be moved by its id in upper case', async () => {
  const { app, artist, token } = await openArtistApp();
  const { id } = await call(artist.http, createService, { body: { name: 'First', duration: 30 } });
  await call(app.http(token), changeService, {
    path: { service_id: id.toUpperCase() },
    body: { position: 0 },
  });
  const { data } = await call(app.http(token), listOwnServices);
  expect(data.map(({ name }) => name)).toEqual(['First', 'Flash']);
});
