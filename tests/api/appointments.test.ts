import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { Appointment, Confirmation } from '#contract/appointment.ts';
import { changeSchedule, listAppointments, listAppointmentsInRange } from '#contract/endpoints.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { expectOk } from '#support/call_api.ts';
import { NO_TERMS } from '#support/design_facts.ts';
import { INVALID_DETAILS } from '#support/invalid_details.ts';
import { UNKNOWN_ID, validationMessages } from '#support/problems.ts';
import { addMinutes, bookSlot, FILLED_FORM, findSlot, openTestApp } from '#support/test_app.ts';

test('the lists of appointments refuse an invalid page, status or span', async () => {
  const { app, token } = await openArtistApp();
  for (const [query, ...fields] of [
    ['?limit=201', 'limit'],
    ['?limit=0', 'limit'],
    ['?limit=ten', 'limit'],
    ['?skip=-1', 'skip'],
    ['?skip=1.5', 'skip'],
    ['?status=done', 'status'],
    ['/schedule', 'start', 'end'],
    ['/schedule?start=2030-01-02T00:00:00Z&end=2030-01-01T00:00:00Z', 'end'],
    ['/schedule?start=2030-01-01&end=2030-01-02', 'start', 'end'],
  ]) {
    const response = await app.call(`GET /appointments${query}`, { token });
    const expected = fields.map((field) => `query.${field}`);
    expect(new Set(Object.keys(validationMessages(response))), query).toEqual(new Set(expected));
  }
});

test('an appointment of the artist has exactly the documented fields', async () => {
  const { app, artist } = await openArtistApp();
  await call(artist.http, changeSchedule, { body: { buffer_minutes: 15 } });
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
    blocked_until: addMinutes(held.end ?? '', 15),
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
    private_version: 1,
    project_id: null,
    keeps_edition: false,
    payments: [],
    created_at: body.created_at,
    offsets: body.offsets,
  });
  expect((await call(artist.http, listAppointments)).data).toStrictEqual([body]);
});

test('the schedule lists appointments that overlap the span, whose end is its last minute', async () => {
  const { app, artist } = await openArtistApp();
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

const REQUEST = 'POST /appointments/request/design?username=';

test('a request needs only an email', async () => {
  const { app, username, token } = await openArtistApp({}, { scheduling_type: 'managed' });
  const bare = { email: ' Rosa@Example.com ' };
  const blank = Object.fromEntries(Object.keys(FILLED_FORM).map((field) => [field, '']));
  const empty = Object.fromEntries(Object.keys(FILLED_FORM).map((field) => [field, null]));
  for (const json of [bare, { ...blank, ...bare }, { ...empty, ...bare, design_id: null }]) {
    const { id } = await expectOk(app.call<Confirmation>(`${REQUEST}${username}`, { json }));
    expect(await expectOk(app.call(`GET /appointments/${id}`, { token }))).toMatchObject({
      client: {
        ...{ first_name: null, last_name: null, pronouns: null, email: 'Rosa@Example.com' },
        ...{ phone_number: null, preferred_contact: null },
      },
      ...{ location: null, size: null, customer_notes: null },
    });
  }
});

test('an invalid request gets a message for the invalid field', async () => {
  const app = await openTestApp();
  const invalid: [string, unknown, string][] = [
    ['email', undefined, 'Email is required'],
    ['email', null, 'Email is required'],
    ['email', '  ', 'Email is required'],
    ['email', 'rosa.example.com', 'Invalid email address'],
    ['email', 'ro\u0000sa@example.com', 'Invalid email address'],
    ['email', `${'r'.repeat(250)}@example.com`, 'Invalid email address'],
    ['phone_number', '12', 'Invalid phone number'],
    ['phone_number', '\u0000', 'Invalid phone number'],
    ['emial', 'rosa@example.com', 'Unknown field'],
    ['start', '2030-01-01T10:00:00Z', 'Unknown field'],
    ['customer_notes', 'a\u0000b', 'Must not contain NUL characters'],
  ];
  for (const { name, input, message } of INVALID_DETAILS) invalid.push([name, input, message]);
  for (const [field, input, message] of invalid) {
    const json = { ...FILLED_FORM, [field]: input };
    const response = await app.call(`${REQUEST}nobody`, { json });
    expect(validationMessages(response), `${input}`).toEqual({ [`body.${field}`]: message });
  }
});

const [TEN, END] = ['2030-01-01T10:00:00Z', '2030-01-01T10:59:00Z'];

test('an invalid entry of the artist gets a message for the invalid field', async () => {
  const { app, token } = await openArtistApp();
  const client = { first_name: 'Rosa' };
  const times = { start: TEN, end: END };
  const invalid: [object, ...string[]][] = [
    [times, 'body.client'],
    [{ ...times, client_id: UNKNOWN_ID, client }, 'body.client'],
    [{ ...times, client: {} }, 'body.client.first_name'],
    [{ client }, 'body.start', 'body.end'],
    [{ ...times, client, end: '2030-01-01T09:59:00Z' }, 'body.end'],
    [{ ...times, client, end: '2030-03-01T10:00:00Z' }, 'body.end'],
    [{ ...times, client, start: '2030-01-01T10:00:30Z' }, 'body.start'],
    [{ ...times, client, status: 'completed' }, 'body.status'],
  ];
  for (const [json, ...fields] of invalid) {
    const response = await app.call('POST /appointments', { token, json });
    expect(Object.keys(validationMessages(response)), JSON.stringify(json)).toEqual(fields);
  }
});

test('an invalid change gets a message for the invalid field', async () => {
  const { app, username, token } = await openArtistApp({}, { scheduling_type: 'managed' });
  const request = app.call<Confirmation>(`${REQUEST}${username}`, { json: FILLED_FORM });
  const { id } = await expectOk(request);
  const anyText = expect.any(String);
  const note = 'A note goes with a time, a detail, declining or cancelling';
  const invalid: [object, Record<string, string>][] = [
    [{}, { status: anyText }],
    [{ start: TEN }, { end: anyText }],
    [{ end: TEN }, { end: anyText }],
    [{ start: TEN, end: '2030-01-01T09:59:00Z' }, { end: 'The end must not be before the start' }],
    [
      { start: TEN, end: TEN, status: 'cancelled' },
      { status: 'A time, a detail or a status is required' },
    ],
    [{ status: 'expired' }, { status: anyText }],
    [{ status: 'cancelled', reason: 'ill' }, { reason: 'Unknown field' }],
    [{ status: 'completed', note: 'Well done' }, { note }],
    [{ note: 'Soon!' }, { note: 'A request has no note before its answer or its time' }],
    [{ status: 'declined', note: 'x'.repeat(2001) }, { note: 'Must be at most 2000 characters' }],
  ];
  for (const [json, messages] of invalid) {
    const response = await app.call(`PATCH /appointments/${id}`, { token, json });
    const found = Object.entries(validationMessages(response));
    const byField = Object.fromEntries(found.map(([at, msg]) => [at.replace('body.', ''), msg]));
    expect(byField, JSON.stringify(json)).toMatchObject(messages);
  }
});
