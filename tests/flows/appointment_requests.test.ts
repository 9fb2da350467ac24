import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { Confirmation } from '#contract/appointment.ts';
import { fetchAppointment, requestDesign } from '#contract/endpoints.ts';
import { addDesignRow, countRows } from '#support/app_rows.ts';
import { NO_TERMS } from '#support/design_facts.ts';
import { INVALID_DETAILS } from '#support/invalid_details.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { validationMessages } from '#support/problems.ts';
import {
  FILLED_FORM,
  findSlot,
  openTestApp,
  requestSlot,
  type TestApp,
} from '#support/test_app.ts';

/** Sends a booking request to a managed artist. */
function createRequest(app: TestApp, query: string, changes: Record<string, unknown> = {}) {
  return app.call<Confirmation>(`POST /appointments/request/design${query}`, {
    json: { ...FILLED_FORM, ...changes },
  });
}

function readAs(app: TestApp, { token }: TestArtist, id: string) {
  return call(app.http(token), fetchAppointment, { path: { appt_id: id } });
}

test('a new request has no time, and the artist can read every field of the form', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const design = await addDesignRow(app, artist);
  const { status, body } = await createRequest(app, `?username=${artist.username}`, {
    design_id: design.id,
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({ status: 'requested', start: null, end: null, confirmed: false });
  expect(body).toMatchObject({ service: null, design: { id: design.id } });
  const shown = await readAs(app, artist, body.id);
  expect(shown).toStrictEqual({
    id: body.id,
    start: null,
    end: null,
    status: 'requested',
    email_proven: false,
    confirmed: false,
    version: 1,
    client: {
      id: shown.client.id,
      first_name: 'Rosa',
      last_name: 'Quint',
      pronouns: 'she/her',
      email: 'rosa@example.com',
      phone_number: '+12125550100',
      preferred_contact: 'text',
    },
    service: null,
    design: body.design,
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
    blocked_until: null,
    lapses_at: null,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  });
});

test('a request needs only an email', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const bare = { email: ' Rosa@Example.com ' };
  const blank = Object.fromEntries(Object.keys(FILLED_FORM).map((field) => [field, '']));
  const empty = Object.fromEntries(Object.keys(FILLED_FORM).map((field) => [field, null]));
  for (const json of [bare, { ...blank, ...bare }, { ...empty, ...bare, design_id: null }]) {
    const { id } = await call(app.http(), requestDesign, {
      query: { username: artist.username },
      header: { 'idempotency-key': randomUUID() },
      body: json,
    });
    expect(await readAs(app, artist, id)).toMatchObject({
      client: {
        first_name: null,
        last_name: null,
        pronouns: null,
        email: 'Rosa@Example.com',
        phone_number: null,
        preferred_contact: null,
      },
      location: null,
      size: null,
      customer_notes: null,
    });
  }
  expect(await countRows(app)).toEqual({ appointments: 3, clients: 1, occupied: 0 });
});

test('a later request with the same email does not change the details of the first', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const first = await requestSlot(app, artist, await findSlot(app, artist));
  const before = await readAs(app, artist, first.body.id);
  const second = await requestSlot(app, artist, await findSlot(app, artist, 30), {
    email: 'ROSA@example.com',
    first_name: 'Mallory',
    last_name: 'Else',
    phone_number: '+44 20 7946 0018',
  });
  expect(second.body.client).toEqual({ first_name: 'Mallory' });
  expect(await readAs(app, artist, second.body.id)).toMatchObject({
    client: {
      id: before.client.id,
      first_name: 'Mallory',
      last_name: 'Else',
      email: 'ROSA@example.com',
      phone_number: '+442079460018',
    },
  });
  expect(await readAs(app, artist, first.body.id)).toStrictEqual(before);
  const clients = await app.database.selectFrom('clients').selectAll().execute();
  expect(clients).toMatchObject([
    { first_name: 'Rosa', last_name: 'Quint', email: 'rosa@example.com' },
  ]);
});

test('a later request fills in details that the client left blank before', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const query = `?username=${artist.username}`;
  await createRequest(app, query, { first_name: '', phone_number: '' });
  await createRequest(app, query, { last_name: 'Other' });
  const clients = await app.database.selectFrom('clients').selectAll().execute();
  expect(clients).toMatchObject([
    { first_name: 'Rosa', last_name: 'Quint', phone_number: '+12125550100' },
  ]);
});

const INVALID: [string, Record<string, unknown>, string, string][] = [
  ['no email', { email: undefined }, 'email', 'Email is required'],
  ['an email of null', { email: null }, 'email', 'Email is required'],
  ['an email of spaces', { email: '  ' }, 'email', 'Email is required'],
  ['an email without an at', { email: 'rosa.example.com' }, 'email', 'Invalid email address'],
  ['an email with NUL', { email: 'ro\u0000sa@example.com' }, 'email', 'Invalid email address'],
  [
    'an endless email',
    { email: `${'r'.repeat(250)}@example.com` },
    'email',
    'Invalid email address',
  ],
  ['a phone number in words', { phone_number: 'call me' }, 'phone_number', 'Invalid phone number'],
  ['a short phone number', { phone_number: '12' }, 'phone_number', 'Invalid phone number'],
  ['a phone number with NUL', { phone_number: '\u0000' }, 'phone_number', 'Invalid phone number'],
  ['an unknown field', { emial: 'rosa@example.com' }, 'emial', 'Unknown field'],
  ['a time', { start: '2030-01-01T10:00:00Z' }, 'start', 'Unknown field'],
  [
    'notes with NUL',
    { customer_notes: 'a\u0000b' },
    'customer_notes',
    'Must not contain NUL characters',
  ],
];

test('an invalid request gets a message for the invalid field', async () => {
  const app = await openTestApp({ database: 'own' });
  for (const [name, changes, field, message] of INVALID) {
    const response = await createRequest(app, '?username=nobody', changes);
    expect(validationMessages(response), name).toEqual({ [`body.${field}`]: message });
  }
  for (const { description, name, input, message } of INVALID_DETAILS) {
    const response = await createRequest(app, '?username=nobody', { [name]: input });
    expect(validationMessages(response), description).toEqual({ [`body.${name}`]: message });
  }
});
