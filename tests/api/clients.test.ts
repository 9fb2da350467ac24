import { expect, it } from 'vitest';
import { call } from '#client/call.ts';
import type { ClientRecord } from '#contract/client.ts';
import type { ListPage } from '#contract/common.ts';
import {
  changeClient,
  createService,
  fetchClient,
  listAvailableServices,
  listClientAppointments,
  listMessages,
  listOwnServices,
  sendContactMessage,
} from '#contract/endpoints.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { NOT_FOUND } from '#support/problems.ts';
import { bookSlot, findSlot, openTestApp, type TestApp } from '#support/test_app.ts';

async function loadClients(app: TestApp, { token }: TestArtist, query = '') {
  return expectOk(app.call<ListPage<ClientRecord>>(`GET /clients/?${query}`, { token }));
}

async function loadOnlyClient(app: TestApp, artist: TestArtist): Promise<ClientRecord> {
  const [client, ...others] = (await loadClients(app, artist)).data;
  if (!client || others.length > 0) throw new Error('There is not exactly one client');
  return client;
}

it('bookings with the same email, ignoring case, belong to one client, who has their count and times', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const { token } = artist;
  const slot = await findSlot(app, artist);
  await bookSlot(app, artist, slot, { email: 'mara@example.com' });
  await bookSlot(app, artist, await findSlot(app, artist, 30), { email: 'Mara@Example.com' });
  for (const [start, end] of [
    ['2026-01-05T15:00:00Z', '2026-01-05T15:59:00Z'],
    ['2030-01-05T15:00:00Z', '2030-01-05T15:59:00Z'],
  ])
    await expectOk(
      app.call('POST /appointments/', {
        token,
        json: { client: { email: 'MARA@example.com' }, start, end },
      }),
    );
  expect(await loadOnlyClient(app, artist)).toMatchObject({
    email: 'mara@example.com',
    appointment_count: 2,
    last_appointment: '2026-01-05T15:00:00Z',
    next_appointment: '2030-01-05T15:00:00Z',
  });
});

it('clients are searched by name, email and phone number, and the latest to book is first', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const people = [
    { first_name: 'Mara', last_name: 'Lind', email: 'm@example.com', phone_number: '2125550101' },
    { first_name: 'Tomas', last_name: 'Abara', email: 't@example.com', phone_number: '2125550102' },
  ];
  for (const [index, person] of people.entries())
    await bookSlot(app, artist, await findSlot(app, artist, 20 + 10 * index), person);
  const names = async (query: string) =>
    (await loadClients(app, artist, query)).data.map(({ first_name }) => first_name);
  expect(await names('')).toEqual(['Tomas', 'Mara']);
  expect(await names('search=mara%20li')).toEqual(['Mara']);
  expect(await names('search=T@EX')).toEqual(['Tomas']);
  expect(await names('search=5550101')).toEqual(['Mara']);
  expect(await loadClients(app, artist, 'limit=1&skip=1')).toMatchObject({
    count: 2,
    data: [{ first_name: 'Mara' }],
  });
});

it('changing a client leaves the details on their appointments unchanged', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const { token } = artist;
  await bookSlot(app, artist, await findSlot(app, artist));
  const before = await loadOnlyClient(app, artist);
  const changed = await call(app.http(token), changeClient, {
    path: { client_id: before.id },
    body: {
      notes: 'Sits well.',
      first_name: 'Rosalind',
      phone_number: '212 555 0199',
    },
  });
  expect(changed).toMatchObject({
    notes: 'Sits well.',
    first_name: 'Rosalind',
    phone_number: '+12125550199',
    email: before.email,
  });
  const { data } = await call(app.http(token), listClientAppointments, {
    path: { client_id: before.id },
  });
  expect(data[0]?.client.first_name).toBe(before.first_name);
});

it("another client's email is refused, and none of the change is saved", async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const { token } = artist;
  await bookSlot(app, artist, await findSlot(app, artist, 20), { email: 'one@example.com' });
  await bookSlot(app, artist, await findSlot(app, artist, 30), { email: 'two@example.com' });
  const [second] = (await loadClients(app, artist)).data;
  expect(
    await app.call(`PATCH /clients/${second?.id}`, {
      token,
      json: { email: 'ONE@example.com', notes: 'lost' },
    }),
  ).toMatchObject({ status: 409, body: { detail: 'Another client of yours has this email' } });
  expect(
    await call(app.http(token), fetchClient, { path: { client_id: second?.id ?? '' } }),
  ).toMatchObject({
    email: 'two@example.com',
    notes: '',
  });
});

it('messages are listed newest first, and only their artist can delete them', async () => {
  const app = await openTestApp();
  const [artist, other] = [await app.newArtist(), await app.newArtist()];
  const { token } = artist;
  for (const message of ['First', 'Second'])
    await call(app.http(), sendContactMessage, {
      path: { username: artist.username },
      body: {
        name: 'Mara',
        email: 'mara@example.com',
        message,
      },
    });
  const { data } = await call(app.http(token), listMessages);
  expect(data.map(({ message }) => message)).toEqual(['Second', 'First']);
  const path = `/users/me/messages/${data[0]?.id}`;
  expect(await app.call(`DELETE ${path}`, { token: other.token })).toMatchObject(NOT_FOUND);
  expect((await app.call(`DELETE ${path}`, { token })).status).toBe(204);
  const left = await call(app.http(token), listMessages);
  expect(left.data.map(({ message }) => message)).toEqual(['First']);
});

it('a service is added at the end, and moves to the given position', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const { token } = artist;
  for (const name of ['Second', 'Third'])
    await call(app.http(token), createService, { body: { name, duration: 30 } });
  const names = async () =>
    (
      await call(app.http(), listAvailableServices, { path: { username: artist.username } })
    ).data.map(({ name }) => name);
  expect(await names()).toEqual(['Flash', 'Second', 'Third']);
  const { data } = await call(app.http(token), listOwnServices);
  const move = (position: number) =>
    expectOk(app.call(`PATCH /services/${data[2]?.id}`, { token, json: { position } }));
  await move(0);
  expect(await names()).toEqual(['Third', 'Flash', 'Second']);
  await move(1);
  expect(await names()).toEqual(['Flash', 'Third', 'Second']);
  await move(99);
  expect(await names()).toEqual(['Flash', 'Second', 'Third']);
});
