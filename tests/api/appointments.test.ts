import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { Appointment, AppointmentQuery } from '#contract/appointment.ts';
import type { ListPage } from '#contract/common.ts';
import { listAppointments, listAppointmentsInRange } from '#contract/endpoints.ts';
import { expectOk } from '#support/call_api.ts';
import { NO_TERMS } from '#support/design_facts.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { STALE_VERSION, validationMessages } from '#support/problems.ts';
import {
  addMinutes,
  bookSlot,
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
    move('2030-03-03T15:00:00Z', '2030-03-03T15:59:00Z'),
  ]);
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  // A change to the time that it has changes nothing, but an outdated one is refused too.
  const { start, end } = await expectOk(
    app.call<Appointment>(`GET /appointments/${appointment.id}`, { token }),
  );
  expect(await move(start ?? '', end ?? '')).toMatchObject(STALE_VERSION);
});
