import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  createAppointment,
  fetchAppointment,
  listAppointments,
  listAppointmentsInRange,
  listClientAppointments,
  requestDesign,
} from '#client/appointments.ts';
import { listClients } from '#client/clients.ts';
import type { Appointment, AppointmentQuery } from '#contract/appointment.ts';
import type { ListPage } from '#contract/common.ts';
import { complaints, NOBODY, NOT_FOUND, STALE } from '#support/answers.ts';
import { expectOk, refusalOf } from '#support/calls.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { lapse } from '#support/rows.ts';
import {
  aSlot,
  FILLED_FORM,
  listedSlots,
  minutesAfter,
  openTestApp,
  pickSlot,
  type TestApp,
} from '#support/test_app.ts';

function list(
  studio: TestApp,
  { token }: TestArtist,
  query: Partial<AppointmentQuery> = {},
): Promise<ListPage<Appointment>> {
  return listAppointments(studio.http(token), query);
}

/** Asks for the design as one client after another; answers the ids, newest first. */
async function askTimes(studio: TestApp, { username }: TestArtist, times: number) {
  const ids: string[] = [];
  for (let n = 0; n < times; n += 1) {
    const json = { ...FILLED_FORM, email: `client${n}@example.com` };
    ids.unshift((await requestDesign(studio.http(), username, json, randomUUID())).id);
  }
  return ids;
}

test("an artist's appointments are listed newest first, a page at a time", async () => {
  const studio = await openTestApp();
  const artist = await studio.artist({ scheduling_type: 'managed' });
  const other = await studio.artist({ scheduling_type: 'managed' });
  expect(await list(studio, artist)).toEqual({ data: [], count: 0 });
  const ids = await askTimes(studio, artist, 5);
  await askTimes(studio, other, 1);
  const idsOf = async (query: Partial<AppointmentQuery>) => {
    const { data, count } = await list(studio, artist, query);
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
])('the list of appointments does not take %s', async (query, field) => {
  const studio = await openTestApp();
  const { token } = await studio.artist();
  const answer = await studio.call(`GET /appointments?${query}`, { token });
  expect(Object.keys(complaints(answer))).toEqual([`query.${field}`]);
});

test('appointments are filtered by what they are now, and a lapsed hold is expired', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  const states = ['held', 'confirmed', 'cancelled', 'completed', 'no_show', 'expired'] as const;
  const ids: Record<string, string> = {};
  for (const [index, status] of ([...states, 'lapsed'] as const).entries()) {
    const slot = await aSlot(studio, artist, 24 + index);
    const body = await pickSlot(studio, artist, slot);
    ids[status] = body.id;
    if (status === 'lapsed') await lapse(studio, body.id);
    else
      await studio.database
        .updateTable('appointments')
        .set({ status })
        .where('id', '=', body.id)
        .execute();
  }
  const found = async (status: Appointment['status']) => {
    const { data, count } = await list(studio, artist, { status });
    expect(data.map((one) => one.status)).toEqual(data.map(() => status));
    expect(count).toBe(data.length);
    return data.map(({ id }) => id);
  };
  expect(await found('held')).toEqual([ids['held']]);
  expect(await found('expired')).toEqual([ids['lapsed'], ids['expired']]);
  expect(await found('offered')).toEqual([]);
  for (const status of ['confirmed', 'cancelled', 'completed', 'no_show'] as const)
    expect(await found(status)).toEqual([ids[status]]);
  expect(await list(studio, artist)).toMatchObject({ count: 7 });
});

test('the artist reads an appointment with who, what, where and when', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  const held = await pickSlot(studio, artist, await aSlot(studio, artist));
  const { token } = artist;
  const { body, status } = await studio.call<Appointment>(`GET /appointments/${held.id}`, {
    token,
  });
  expect(status).toBe(200);
  expect(body).toStrictEqual({
    id: held.id,
    start: held.start,
    end: held.end,
    blocked_until: held.end,
    status: 'held',
    confirmed: false,
    version: 1,
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
    created_at: body.created_at,
  });
  expect((await list(studio, artist)).data).toStrictEqual([body]);
});

test("another artist's appointment is not found, and changes by nobody else", async () => {
  const studio = await openTestApp();
  const [artist, other] = [await studio.artist(), await studio.artist()];
  const body = await pickSlot(studio, artist, await aSlot(studio, artist));
  const path = `/appointments/${body.id}`;
  const before = await fetchAppointment(studio.http(artist.token), body.id);
  const { token } = other;
  const json = { status: 'cancelled' };
  expect(await refusalOf(fetchAppointment(studio.http(token), body.id))).toMatchObject(NOT_FOUND);
  expect(await studio.call(`PATCH ${path}`, { token, json })).toMatchObject(NOT_FOUND);
  expect(await list(studio, other)).toEqual({ data: [], count: 0 });
  expect(await fetchAppointment(studio.http(artist.token), body.id)).toEqual(before);
  expect(await refusalOf(fetchAppointment(studio.http(token), NOBODY))).toMatchObject(NOT_FOUND);
});

test('the schedule shows what touches the span, of which the end is the last minute', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  const slot = await aSlot(studio, artist);
  const body = await pickSlot(studio, artist, slot);
  const shown = async (from: number, until: number) => {
    const { data, count } = await listAppointmentsInRange(studio.http(artist.token), {
      start: minutesAfter(slot.start, from),
      end: minutesAfter(slot.start, until),
    });
    expect(count).toBe(data.length);
    return data.map(({ id }) => id);
  };
  expect(await shown(0, 59)).toEqual([body.id]);
  expect(await shown(-60, -1)).toEqual([]);
  expect(await shown(-60, 0)).toEqual([body.id]);
  expect(await shown(20, 20)).toEqual([body.id]);
  expect(await shown(59, 600)).toEqual([body.id]);
  expect(await shown(60, 600)).toEqual([]);
});

test('the schedule shows only what is on the calendar, in order of the start', async () => {
  const studio = await openTestApp();
  const [artist, other] = [await studio.artist(), await studio.artist()];
  const first = await aSlot(studio, artist, 24);
  const states = ['confirmed', 'held', 'offered', 'completed', 'no_show'] as const;
  const gone = ['cancelled', 'declined', 'expired', 'lapsed'] as const;
  const expected: string[] = [];
  for (const [index, state] of [...gone, ...states].entries()) {
    const body = await pickSlot(studio, artist, await aSlot(studio, artist, 48 - index), {
      email: `client${index}@example.com`,
    });
    if (state === 'lapsed') await lapse(studio, body.id);
    else
      await studio.database
        .updateTable('appointments')
        .set({ status: state })
        .where('id', '=', body.id)
        .execute();
    if (states.some((one) => one === state)) expected.unshift(`${body.id} ${state}`);
  }
  await pickSlot(studio, other, await aSlot(studio, other, 30));
  const { data } = await listAppointmentsInRange(studio.http(artist.token), {
    start: first.start,
    end: minutesAfter(first.start, 4 * 1440),
  });
  expect(data.map(({ id, status }) => `${id} ${status}`)).toEqual(expected);
});

test.each([
  ['no span', '', ['query.end', 'query.start']],
  ['an end before its start', 'start=2030-01-02T00:00:00Z&end=2030-01-01T00:00:00Z', ['query.end']],
  ['bare dates', 'start=2030-01-01&end=2030-01-02', ['query.end', 'query.start']],
])('the schedule does not take %s', async (_, query, places) => {
  const studio = await openTestApp();
  const { token } = await studio.artist();
  const answer = await studio.call(`GET /appointments/schedule?${query}`, { token });
  expect(Object.keys(complaints(answer)).sort()).toEqual(places);
});

function emails({ data }: ListPage<Appointment>): (string | null)[] {
  return data.map(({ client }) => client.email);
}

/** Requests for different slots by different people; the last to ask has the first slot. */
async function threeClients(studio: TestApp, artist: TestArtist) {
  const slots = await listedSlots(studio, artist);
  const people = [
    { first_name: 'Mara', last_name: 'Lindqvist', email: 'mara@example.com' },
    { first_name: 'Tomas', last_name: 'Abara', email: 'tom_as@example.com' },
    { first_name: 'Mina', last_name: 'Abara 100%', email: 'mina@example.com' },
  ];
  for (const [index, person] of people.entries()) {
    const slot = slots[48 - 10 * index];
    if (slot === undefined) throw new Error('There are not so many slots');
    await pickSlot(studio, artist, slot, person);
  }
}

test('appointments are found by part of a name, the whole name or an email, in any case', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  await threeClients(studio, artist);
  expect(emails(await list(studio, artist, { search: 'abara' }))).toEqual([
    'mina@example.com',
    'tom_as@example.com',
  ]);
  expect(emails(await list(studio, artist, { search: 'mara lind' }))).toEqual(['mara@example.com']);
  expect(emails(await list(studio, artist, { search: 'TOM_AS@' }))).toEqual(['tom_as@example.com']);
  expect((await list(studio, artist, { search: 'nobody' })).count).toBe(0);
});

test('signs that mean something to a database are taken as they are typed', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  await threeClients(studio, artist);
  expect(emails(await list(studio, artist, { search: '%' }))).toEqual(['mina@example.com']);
  expect(emails(await list(studio, artist, { search: '_' }))).toEqual(['tom_as@example.com']);
  expect((await list(studio, artist, { search: '\\' })).count).toBe(0);
});

test('the order is by when they were asked for, or by when they begin', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  await threeClients(studio, artist);
  const byAsking = ['mina@example.com', 'tom_as@example.com', 'mara@example.com'];
  expect(emails(await list(studio, artist))).toEqual(byAsking);
  expect(emails(await list(studio, artist, { order: 'soonest' }))).toEqual(byAsking);
  expect(emails(await list(studio, artist, { order: 'latest' }))).toEqual(byAsking.toReversed());
});

test('what has ended is past, what has not is upcoming, and the total counts what matches', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  const { token } = artist;
  await threeClients(studio, artist);
  await createAppointment(studio.http(token), {
    client: { first_name: 'Past' },
    start: '2026-01-05T15:00:00Z',
    end: '2026-01-05T15:59:00Z',
  });
  expect(
    (await list(studio, artist, { when: 'past' })).data.map(({ client }) => client.first_name),
  ).toEqual(['Past']);
  const upcoming = await list(studio, artist, {
    when: 'upcoming',
    order: 'soonest',
    limit: 1,
    skip: 1,
  });
  expect(upcoming.count).toBe(3);
  expect(emails(upcoming)).toEqual(['tom_as@example.com']);
});

test("a client's appointments are listed newest first, whenever they take place", async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  const [sooner, later] = [await aSlot(studio, artist, 20), await aSlot(studio, artist, 30)];
  const { id: first } = await pickSlot(studio, artist, later, { email: 'mara@example.com' });
  const { id: second } = await pickSlot(studio, artist, sooner, { email: 'Mara@example.com' });
  const { data } = await listClients(studio.http(artist.token));
  const theirs = await listClientAppointments(studio.http(artist.token), data[0]?.id ?? '');
  expect(theirs.data.map(({ id }) => id)).toEqual([second, first]);
});

test("a client's appointments are theirs alone, and another artist's client is not there", async () => {
  const studio = await openTestApp();
  const [artist, other] = [await studio.artist(), await studio.artist()];
  await threeClients(studio, artist);
  const clients = await listClients(studio.http(artist.token), { search: 'lindqvist' });
  const id = clients.data[0]?.id ?? '';
  const theirs = await listClientAppointments(studio.http(artist.token), id);
  expect(emails(theirs)).toEqual(['mara@example.com']);
  expect(await refusalOf(listClientAppointments(studio.http(other.token), id))).toMatchObject(
    NOT_FOUND,
  );
  expect(await refusalOf(listClientAppointments(studio.http(artist.token), NOBODY))).toMatchObject(
    NOT_FOUND,
  );
});

test('only what came to nothing can be deleted: declined, cancelled, or lapsed though not swept', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  const { token } = artist;
  await threeClients(studio, artist);
  const [first, second] = (await list(studio, artist)).data;
  const path = `/appointments/${first?.id}`;
  expect(await studio.call(`DELETE ${path}`, { token })).toMatchObject({
    status: 409,
    body: { detail: 'Only declined, expired and cancelled appointments can be deleted.' },
  });
  await expectOk(studio.call(`PATCH ${path}`, { token, json: { status: 'cancelled' } }));
  expect((await studio.call(`DELETE ${path}`, { token })).status).toBe(204);
  expect(await studio.call(`GET ${path}`, { token })).toMatchObject(NOT_FOUND);
  await lapse(studio, second?.id ?? '');
  expect((await studio.call(`DELETE /appointments/${second?.id}`, { token })).status).toBe(204);
  expect((await list(studio, artist)).count).toBe(1);
});

test('of two tabs that move the same appointment at once, one is told that it was changed', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  const { token } = artist;
  await threeClients(studio, artist);
  const [appointment] = (await list(studio, artist)).data;
  if (!appointment) throw new Error('There is no appointment');
  const move = (start: string, end: string) =>
    studio.call(`PATCH /appointments/${appointment.id}`, {
      token,
      json: { start, end, version: appointment.version },
    });
  const answers = await Promise.all([
    move('2030-03-01T15:00:00Z', '2030-03-01T15:59:00Z'),
    move('2030-03-02T15:00:00Z', '2030-03-02T15:59:00Z'),
    // Also when it would change nothing.
    studio.call(`PATCH /appointments/${appointment.id}`, {
      token,
      json: { start: appointment.start, end: appointment.end, version: appointment.version },
    }),
    studio.call(`PATCH /appointments/${appointment.id}`, {
      token,
      json: { status: 'cancelled', version: appointment.version },
    }),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
});

test('whoever cancels in a second tab hears that it was changed elsewhere', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  const { token } = artist;
  await threeClients(studio, artist);
  const [appointment] = (await list(studio, artist)).data;
  const cancel = () =>
    studio.call(`PATCH /appointments/${appointment?.id}`, {
      token,
      json: { status: 'cancelled', version: appointment?.version },
    });
  expect((await cancel()).status).toBe(200);
  expect(await cancel()).toMatchObject(STALE);
});
