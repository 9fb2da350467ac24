import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { fetchAppointment, requestDesign } from '#client/appointments.ts';
import type { Confirmation } from '#contract/appointment.ts';
import { addDesignRow, countRows } from '#support/app_rows.ts';
import { INVALID_DETAILS } from '#support/invalid_details.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { NOT_FOUND, validationMessages } from '#support/problems.ts';
import {
  FILLED_FORM,
  findSlot,
  openTestApp,
  requestSlot,
  type TestApp,
} from '#support/test_app.ts';

/** Asks a managed artist for a design. */
function ask(app: TestApp, query: string, changes: Record<string, unknown> = {}) {
  return app.call<Confirmation>(`POST /appointments/request/design${query}`, {
    json: { ...FILLED_FORM, ...changes },
  });
}

function readAs(app: TestApp, { token }: TestArtist, id: string) {
  return fetchAppointment(app.http(token), id);
}

test('a request waits for a time, and the artist reads all that was filled in', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const design = await addDesignRow(app, artist);
  const { status, body } = await ask(app, `?username=${artist.username}`, {
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
    blocked_until: null,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  });
});

test('an email is all that a request needs', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const bare = { email: ' Rosa@Example.com ' };
  const blank = Object.fromEntries(Object.keys(FILLED_FORM).map((field) => [field, '']));
  const nothing = Object.fromEntries(Object.keys(FILLED_FORM).map((field) => [field, null]));
  for (const json of [bare, { ...blank, ...bare }, { ...nothing, ...bare, design_id: null }]) {
    const { id } = await requestDesign(app.http(), artist.username, json, randomUUID());
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
  expect(await countRows(app)).toEqual({ appointments: 3, clients: 1, kept: 0 });
});

test('a design tells whose it is when nobody is named', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const { id } = await addDesignRow(app, artist);
  const answer = await ask(app, '', { design_id: id });
  expect(answer).toMatchObject({ status: 201, body: { user: { username: artist.username } } });
  expect(validationMessages(await ask(app, ''))).toEqual({
    'query.username': 'Is required without a design_id',
  });
});

test('a username means the same in any case of letters', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const answer = await ask(app, `?username=${artist.username.toUpperCase()}`);
  expect(answer).toMatchObject({ status: 201, body: { user: { username: artist.username } } });
});

test('a design that is claimed, hidden or of another artist cannot be asked for', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const other = await app.newArtist({ scheduling_type: 'managed' });
  const claimed = await addDesignRow(app, artist, { status: 'claimed' });
  const hidden = await addDesignRow(app, artist, { status: 'hidden' });
  const foreign = await addDesignRow(app, other);
  for (const { id } of [claimed, hidden, foreign])
    expect(await ask(app, `?username=${artist.username}`, { design_id: id })).toMatchObject(
      NOT_FOUND,
    );
  for (const { id } of [claimed, hidden])
    expect(await ask(app, '', { design_id: id })).toMatchObject(NOT_FOUND);
  expect(await countRows(app)).toEqual({ appointments: 0, clients: 0, kept: 0 });
});

test('a later request with the same email changes nothing that an earlier one said', async () => {
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

test('what a client left blank at first is known once they tell it', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const query = `?username=${artist.username}`;
  await ask(app, query, { first_name: '', phone_number: '' });
  await ask(app, query, { last_name: 'Other' });
  const clients = await app.database.selectFrom('clients').selectAll().execute();
  expect(clients).toMatchObject([
    { first_name: 'Rosa', last_name: 'Quint', phone_number: '+12125550100' },
  ]);
});

test('the same email is another client at another artist', async () => {
  const app = await openTestApp({ database: 'own' });
  const [artist, other] = [
    await app.newArtist({ scheduling_type: 'managed' }),
    await app.newArtist({ scheduling_type: 'managed' }),
  ];
  const ids = [];
  for (const one of [artist, other]) {
    const { body } = await ask(app, `?username=${one.username}`);
    ids.push((await readAs(app, one, body.id)).client.id);
  }
  expect(new Set(ids).size).toBe(2);
});

const WRONG: [string, Record<string, unknown>, string, string][] = [
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

test('a request that is not valid is told what is wrong where', async () => {
  const app = await openTestApp({ database: 'own' });
  for (const [what, changes, field, message] of WRONG) {
    const answer = await ask(app, '?username=nobody', changes);
    expect(validationMessages(answer), what).toEqual({ [`body.${field}`]: message });
  }
  for (const { what, name, typed, message } of INVALID_DETAILS) {
    const answer = await ask(app, '?username=nobody', { [name]: typed });
    expect(validationMessages(answer), what).toEqual({ [`body.${name}`]: message });
  }
});

test('all that is wrong is told at once', async () => {
  const app = await openTestApp({ database: 'own' });
  const answer = await ask(app, '?username=nobody', {
    email: '',
    phone_number: 'none',
    size: 'huge',
    design_id: 'the swallow',
    colour: 'red',
  });
  expect(Object.keys(validationMessages(answer)).sort()).toEqual([
    'body.colour',
    'body.design_id',
    'body.email',
    'body.phone_number',
    'body.size',
  ]);
});

test.each([
  ['202-456-1414', '+12024561414'],
  ['1 (202) 456-1414', '+12024561414'],
  ['+1.202.456.1414', '+12024561414'],
  ['+1 202 456 1414', '+12024561414'],
  ['+49 30 901820', '+4930901820'],
])('the phone number %s is kept as %s', async (phone_number, stored) => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const { body } = await ask(app, `?username=${artist.username}`, { phone_number });
  expect((await readAs(app, artist, body.id)).client.phone_number).toBe(stored);
});
