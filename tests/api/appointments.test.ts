import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { Appointment, AppointmentQuery } from '#contract/appointment.ts';
import type { ListPage } from '#contract/common.ts';
import {
  createAppointment,
  fetchAppointment,
  listAppointments,
  listAppointmentsInRange,
  listClientAppointments,
  listClients,
  requestDesign,
} from '#contract/endpoints.ts';
import { expireAppointment } from '#support/app_rows.ts';
import { expectOk, refusalOf } from '#support/call_api.ts';
import { NO_TERMS } from '#support/design_facts.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { NOT_FOUND, STALE_VERSION, UNKNOWN_ID, validationMessages } from '#support/problems.ts';
import {
  addMinutes,
  bookSlot,
  FILLED_FORM,
  findSlot,
  listSlots,
  openTestApp,
  type TestApp,
} from '#support/test_app.ts';

function list(
  app: TestApp,
  { token }: TestArtist,
  query: Partial<AppointmentQuery> = {},
): Promise<ListPage<Appointment>> {
  return call(app.http(token), listAppointments, { query });
}

/** Sends requests from different clients; returns their ids, newest first. */
async function sendRequests(app: TestApp, { username }: TestArtist, count: number) {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const json = { ...FILLED_FORM, email: `client${n}@example.com` };
    ids.unshift(
      (
        await call(app.http(), requestDesign, {
          query: { username },
          header: { 'idempotency-key': randomUUID() },
          body: json,
        })
      ).id,
    );
  }
  return ids;
}

test("an artist's appointments are listed newest first, with pagination", async () => {
  const app = await openTestApp();
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const other = await app.newArtist({ scheduling_type: 'managed' });
  expect(await list(app, artist)).toEqual({ data: [], count: 0 });
  const ids = await sendRequests(app, artist, 5);
  await sendRequests(app, other, 1);
  const idsOf = async (query: Partial<AppointmentQuery>) => {
    const { data, count } = await list(app, artist, query);
    return [data.map(({ id }) => id), count];
  };
  expect(await idsOf({})).toEqual([ids, 5]);
  expect(await idsOf({ limit: 2 })).toEqual([ids.slice(0, 2), 5]);
  expect(await idsOf({ skip: 2, limit: 2 })).toEqual([ids.slice(2, 4), 5]);
  expect(await idsOf({ skip: 4, limit: 200 })).toEqual([ids.slice(4), 5]);
  expect(await idsOf({ skip: 5 })).toEqual([[], 5]);
});

test.each([
  ['limit=201', 'limit'],
  ['limit=0', 'limit'],
  ['limit=ten', 'limit'],
  ['skip=-1', 'skip'],
  ['skip=1.5', 'skip'],
  ['status=done', 'status'],
])('the list of appointments refuses %s', async (query, field) => {
  const app = await openTestApp();
  const { token } = await app.newArtist();
  const response = await app.call(`GET /appointments?${query}`, { token });
  expect(Object.keys(validationMessages(response))).toEqual([`query.${field}`]);
});

test('appointments are filtered by status, and a hold past its expiry counts as expired', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const states = ['held', 'confirmed', 'cancelled', 'completed', 'no_show', 'expired'] as const;
  const ids: Record<string, string> = {};
  for (const [index, status] of ([...states, 'overdue'] as const).entries()) {
    const slot = await findSlot(app, artist, 24 + index);
    const body = await bookSlot(app, artist, slot);
    ids[status] = body.id;
    if (status === 'overdue') await expireAppointment(app, body.id);
    else
      await app.database
        .updateTable('appointments')
        .set({ status })
        .where('id', '=', body.id)
        .execute();
  }
  const find = async (status: Appointment['status']) => {
    const { data, count } = await list(app, artist, { status });
    expect(data.map((one) => one.status)).toEqual(data.map(() => status));
    expect(count).toBe(data.length);
    return data.map(({ id }) => id);
  };
  expect(await find('held')).toEqual([ids['held']]);
  expect(await find('expired')).toEqual([ids['overdue'], ids['expired']]);
  expect(await find('offered')).toEqual([]);
  for (const status of ['confirmed', 'cancelled', 'completed', 'no_show'] as const)
    expect(await find(status)).toEqual([ids[status]]);
  expect(await list(app, artist)).toMatchObject({ count: 7 });
});

test('an appointment of the artist has exactly the documented fields', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const held = await bookSlot(app, artist, await findSlot(app, artist));
  const { token } = artist;
  const { body, status } = await app.call<Appointment>(`GET /appointments/${held.id}`, {
    token,
  });
  expect(status).toBe(200);
  expect(body).toStrictEqual({
    id: held.id,
    start: held.start,
    end: held.end,
    blocked_until: held.end,
    lapses_at: held.lapses_at,
    status: 'held',
    confirmed: false,
    version: 1,
    email_proven: false,
    client: {
      id: body.client.id,
      first_name: 'Rosa',
      last_name: 'Quint',
      pronouns: 'she/her',
      email: 'rosa@example.com',
      phone_number: '+12125550100',
      preferred_contact: 'text',
    },
    service: held.service,
    design: null,
    location: 'arms',
    size: 'small',
    customer_notes: 'A swallow, please.',
    note: null,
    ended_offer: null,
    ...NO_TERMS,
    private_notes: '',
    project_id: null,
    keeps_edition: false,
    payments: [],
    created_at: body.created_at,
  });
  expect((await list(app, artist)).data).toStrictEqual([body]);
});

test("another artist's appointment cannot be read or changed", async () => {
  const app = await openTestApp();
  const [artist, other] = [await app.newArtist(), await app.newArtist()];
  const body = await bookSlot(app, artist, await findSlot(app, artist));
  const path = `/appointments/${body.id}`;
  const before = await call(app.http(artist.token), fetchAppointment, {
    path: { appt_id: body.id },
  });
  const { token } = other;
  const json = { status: 'cancelled' };
  expect(
    await refusalOf(call(app.http(token), fetchAppointment, { path: { appt_id: body.id } })),
  ).toMatchObject(NOT_FOUND);
  expect(await app.call(`PATCH ${path}`, { token, json })).toMatchObject(NOT_FOUND);
  expect(await list(app, other)).toEqual({ data: [], count: 0 });
  expect(
    await call(app.http(artist.token), fetchAppointment, { path: { appt_id: body.id } }),
  ).toEqual(before);
  expect(
    await refusalOf(call(app.http(token), fetchAppointment, { path: { appt_id: UNKNOWN_ID } })),
  ).toMatchObject(NOT_FOUND);
});

test('the schedule lists appointments that overlap the span, whose end is its last minute', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const body = await bookSlot(app, artist, slot);
  const listIds = async (from: number, until: number) => {
    const { data, count } = await call(app.http(artist.token), listAppointmentsInRange, {
      query: {
        start: addMinutes(slot.start, from),
        end: addMinutes(slot.start, until),
      },
    });
    expect(count).toBe(data.length);
    return data.map(({ id }) => id);
  };
  expect(await listIds(0, 59)).toEqual([body.id]);
  expect(await listIds(-60, -1)).toEqual([]);
  expect(await listIds(-60, 0)).toEqual([body.id]);
  expect(await listIds(20, 20)).toEqual([body.id]);
  expect(await listIds(59, 600)).toEqual([body.id]);
  expect(await listIds(60, 600)).toEqual([]);
});

test('the schedule leaves out cancelled, declined and expired appointments, and is ordered by start', async () => {
  const app = await openTestApp();
  const [artist, other] = [await app.newArtist(), await app.newArtist()];
  const first = await findSlot(app, artist, 24);
  const states = ['confirmed', 'held', 'offered', 'completed', 'no_show'] as const;
  const excluded = ['cancelled', 'declined', 'expired', 'overdue'] as const;
  const expected: string[] = [];
  for (const [index, state] of [...excluded, ...states].entries()) {
    const body = await bookSlot(app, artist, await findSlot(app, artist, 48 - index), {
      email: `client${index}@example.com`,
    });
    if (state === 'overdue') await expireAppointment(app, body.id);
    else
      await app.database
        .updateTable('appointments')
        .set({ status: state })
        .where('id', '=', body.id)
        .execute();
    if (states.some((one) => one === state)) expected.unshift(`${body.id} ${state}`);
  }
  await bookSlot(app, other, await findSlot(app, other, 30));
  const { data } = await call(app.http(artist.token), listAppointmentsInRange, {
    query: {
      start: first.start,
      end: addMinutes(first.start, 4 * 1440),
    },
  });
  expect(data.map(({ id, status }) => `${id} ${status}`)).toEqual(expected);
});

test.each([
  ['no span', '', ['query.end', 'query.start']],
  ['an end before its start', 'start=2030-01-02T00:00:00Z&end=2030-01-01T00:00:00Z', ['query.end']],
  ['bare dates', 'start=2030-01-01&end=2030-01-02', ['query.end', 'query.start']],
])('the schedule refuses %s', async (_, query, fields) => {
  const app = await openTestApp();
  const { token } = await app.newArtist();
  const response = await app.call(`GET /appointments/schedule?${query}`, { token });
  expect(Object.keys(validationMessages(response)).sort()).toEqual(fields);
});

function emails({ data }: ListPage<Appointment>): (string | null)[] {
  return data.map(({ client }) => client.email);
}

/** Bookings by three clients; the last booking has the earliest slot. */
async function bookThreeClients(app: TestApp, artist: TestArtist) {
  const slots = await listSlots(app, artist);
  const people = [
    { first_name: 'Mara', last_name: 'Lindqvist', email: 'mara@example.com' },
    { first_name: 'Tomas', last_name: 'Abara', email: 'tom_as@example.com' },
    { first_name: 'Mina', last_name: 'Abara 100%', email: 'mina@example.com' },
  ];
  for (const [index, person] of people.entries()) {
    const slot = slots[48 - 10 * index];
    if (slot === undefined) throw new Error('There are too few slots');
    await bookSlot(app, artist, slot, person);
  }
}

test('appointments are found by part of a name, the full name or an email, ignoring case', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  await bookThreeClients(app, artist);
  expect(emails(await list(app, artist, { search: 'abara' }))).toEqual([
    'mina@example.com',
    'tom_as@example.com',
  ]);
  expect(emails(await list(app, artist, { search: 'mara lind' }))).toEqual(['mara@example.com']);
  expect(emails(await list(app, artist, { search: 'TOM_AS@' }))).toEqual(['tom_as@example.com']);
  expect((await list(app, artist, { search: 'nobody' })).count).toBe(0);
});

test('SQL wildcards in a search are matched literally', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  await bookThreeClients(app, artist);
  expect(emails(await list(app, artist, { search: '%' }))).toEqual(['mina@example.com']);
  expect(emails(await list(app, artist, { search: '_' }))).toEqual(['tom_as@example.com']);
  expect((await list(app, artist, { search: '\\' })).count).toBe(0);
});

test('appointments are ordered by booking time, or by start', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  await bookThreeClients(app, artist);
  const newestFirst = ['mina@example.com', 'tom_as@example.com', 'mara@example.com'];
  expect(emails(await list(app, artist))).toEqual(newestFirst);
  expect(emails(await list(app, artist, { order: 'soonest' }))).toEqual(newestFirst);
  expect(emails(await list(app, artist, { order: 'latest' }))).toEqual(newestFirst.toReversed());
});

test('the list filters past and upcoming appointments, and counts the matches', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const { token } = artist;
  await bookThreeClients(app, artist);
  await call(app.http(token), createAppointment, {
    body: {
      client: { first_name: 'Past' },
      start: '2026-01-05T15:00:00Z',
      end: '2026-01-05T15:59:00Z',
    },
  });
  expect(
    (await list(app, artist, { when: 'past' })).data.map(({ client }) => client.first_name),
  ).toEqual(['Past']);
  const upcoming = await list(app, artist, {
    when: 'upcoming',
    order: 'soonest',
    limit: 1,
    skip: 1,
  });
  expect(upcoming.count).toBe(3);
  expect(emails(upcoming)).toEqual(['tom_as@example.com']);
});

test("a client's appointments are listed by booking time, newest first", async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const [sooner, later] = [await findSlot(app, artist, 20), await findSlot(app, artist, 30)];
  const { id: first } = await bookSlot(app, artist, later, { email: 'mara@example.com' });
  const { id: second } = await bookSlot(app, artist, sooner, { email: 'Mara@example.com' });
  const { data } = await call(app.http(artist.token), listClients);
  const listed = await call(app.http(artist.token), listClientAppointments, {
    path: { client_id: data[0]?.id ?? '' },
  });
  expect(listed.data.map(({ id }) => id)).toEqual([second, first]);
});

test("a client's appointments leave out other clients', and another artist's client is not found", async () => {
  const app = await openTestApp();
  const [artist, other] = [await app.newArtist(), await app.newArtist()];
  await bookThreeClients(app, artist);
  const clients = await call(app.http(artist.token), listClients, {
    query: { search: 'lindqvist' },
  });
  const id = clients.data[0]?.id ?? '';
  const listed = await call(app.http(artist.token), listClientAppointments, {
    path: { client_id: id },
  });
  expect(emails(listed)).toEqual(['mara@example.com']);
  expect(
    await refusalOf(
      call(app.http(other.token), listClientAppointments, { path: { client_id: id } }),
    ),
  ).toMatchObject(NOT_FOUND);
  expect(
    await refusalOf(
      call(app.http(artist.token), listClientAppointments, { path: { client_id: UNKNOWN_ID } }),
    ),
  ).toMatchObject(NOT_FOUND);
});

test('cancelled appointments and holds past their expiry can be deleted, unexpired holds cannot', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const { token } = artist;
  await bookThreeClients(app, artist);
  const [first, second] = (await list(app, artist)).data;
  const path = `/appointments/${first?.id}`;
  expect(await app.call(`DELETE ${path}`, { token })).toMatchObject({
    status: 409,
    body: { detail: 'Only declined, expired and cancelled appointments can be deleted.' },
  });
  await expectOk(app.call(`PATCH ${path}`, { token, json: { status: 'cancelled' } }));
  expect((await app.call(`DELETE ${path}`, { token })).status).toBe(204);
  expect(await app.call(`GET ${path}`, { token })).toMatchObject(NOT_FOUND);
  await expireAppointment(app, second?.id ?? '');
  expect((await app.call(`DELETE /appointments/${second?.id}`, { token })).status).toBe(204);
  expect((await list(app, artist)).count).toBe(1);
});

test('of concurrent changes to the same version of an appointment, one succeeds and the others get 409', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const { token } = artist;
  await bookThreeClients(app, artist);
  const [appointment] = (await list(app, artist)).data;
  if (!appointment) throw new Error('There is no appointment');
  const move = (start: string, end: string) =>
    app.call(`PATCH /appointments/${appointment.id}`, {
      token,
      json: { start, end, version: appointment.version },
    });
  const responses = await Promise.all([
    move('2030-03-01T15:00:00Z', '2030-03-01T15:59:00Z'),
    move('2030-03-02T15:00:00Z', '2030-03-02T15:59:00Z'),
    app.call(`PATCH /appointments/${appointment.id}`, {
      token,
      json: { status: 'cancelled', version: appointment.version },
    }),
  ]);
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  // A change to the time that it has changes nothing, but an outdated one is refused too.
  const { start, end } = await expectOk(
    app.call<Appointment>(`GET /appointments/${appointment.id}`, { token }),
  );
  expect(await move(start ?? '', end ?? '')).toMatchObject(STALE_VERSION);
});

test('cancelling an outdated version is refused as stale', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const { token } = artist;
  await bookThreeClients(app, artist);
  const [appointment] = (await list(app, artist)).data;
  const cancel = () =>
    app.call(`PATCH /appointments/${appointment?.id}`, {
      token,
      json: { status: 'cancelled', version: appointment?.version },
    });
  expect((await cancel()).status).toBe(200);
  expect(await cancel()).toMatchObject(STALE_VERSION);
});
