import { expect, test } from 'vitest';
import type { Appointment } from '#contract/appointment.ts';
import { addDesignRow, countRows } from '#support/app_rows.ts';
import { NO_TERMS } from '#support/design_facts.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { UNKNOWN_ID, validationMessages } from '#support/problems.ts';
import { findSlot, listSlots, openTestApp, shiftSlot, type TestApp } from '#support/test_app.ts';

const CLIENT = { first_name: 'Rosa', email: 'rosa@example.com', phone_number: '212 555 0100' };

function create(app: TestApp, { token }: TestArtist, json: Record<string, unknown>) {
  return app.call<Appointment>('POST /appointments', {
    token,
    json: 'client_id' in json ? json : { client: CLIENT, ...json },
  });
}

test('an appointment that the artist creates is confirmed at once, with every field stored', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const design = await addDesignRow(app, artist, { status: 'claimed' });
  const { status, body } = await create(app, artist, {
    service_id: artist.service.id,
    design_id: design.id,
    customer_notes: 'By phone',
    ...slot,
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({ service: artist.service, design: { id: design.id } });
  expect(body).toStrictEqual({
    id: body.id,
    ...slot,
    blocked_until: slot.end,
    lapses_at: null,
    status: 'confirmed',
    email_proven: true,
    confirmed: true,
    version: 1,
    client: {
      id: body.client.id,
      first_name: 'Rosa',
      last_name: null,
      pronouns: null,
      email: 'rosa@example.com',
      phone_number: '+12125550100',
      preferred_contact: null,
    },
    service: body.service,
    design: body.design,
    location: null,
    size: null,
    customer_notes: 'By phone',
    note: null,
    ended_offer: null,
    ...NO_TERMS,
    private_notes: '',
    project_id: null,
    keeps_edition: false,
    payments: [],
    created_at: body.created_at,
  });
  expect(await listSlots(app, artist)).not.toContainEqual(slot);
});

test('each appointment for a client without an email creates a new client', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  for (const minutes of [0, 60]) {
    const entry = { ...shiftSlot(slot, minutes), client: { first_name: 'Walk-in' } };
    expect(await create(app, artist, entry)).toMatchObject({
      status: 201,
      body: { client: { first_name: 'Walk-in', email: null } },
    });
  }
  expect(await countRows(app)).toMatchObject({ clients: 2 });
});

const TIMES = { start: '2030-01-01T10:00:00Z', end: '2030-01-01T10:59:00Z' };
const INVALID: [string, Record<string, unknown>, string[]][] = [
  ['no client', { ...TIMES, client: undefined }, ['body.client']],
  ['two clients', { ...TIMES, client_id: UNKNOWN_ID, client: CLIENT }, ['body.client']],
  ['a client without name and email', { ...TIMES, client: {} }, ['body.client.first_name']],
  ['no times', {}, ['body.start', 'body.end']],
  ['an end before the start', { ...TIMES, end: '2030-01-01T09:59:00Z' }, ['body.end']],
  ['a duration of two months', { ...TIMES, end: '2030-03-01T10:00:00Z' }, ['body.end']],
  ['a start within a minute', { ...TIMES, start: '2030-01-01T10:00:30Z' }, ['body.start']],
  ['a status', { ...TIMES, status: 'completed' }, ['body.status']],
];

test.each(INVALID)('the artist cannot create an appointment with %s', async (_, json, fields) => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  expect(Object.keys(validationMessages(await create(app, artist, json)))).toEqual(fields);
});
