import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { Appointment } from '#contract/appointment.ts';
import { confirmAppointment, fetchConfirmation, requestDesign } from '#contract/endpoints.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { validationMessages } from '#support/problems.ts';
import { bookSlot, FILLED_FORM, findSlot, openTestApp, type TestApp } from '#support/test_app.ts';

/** The artist changes an appointment. */
function change(app: TestApp, { token }: TestArtist, id: string, json: Record<string, unknown>) {
  return app.call<Appointment>(`PATCH /appointments/${id}`, { token, json });
}

test('of two concurrent changes to the same version, one is refused', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const body = await bookSlot(app, artist, await findSlot(app, artist));
  await call(app.http(), confirmAppointment, { path: { appt_id: body.id } });
  const json = { status: 'cancelled', version: 2 };
  const other = await app.openSecondServer();
  const responses = await Promise.all(
    [app, other].map((one) => change(one, artist, body.id, json)),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
});

const TEN = '2030-01-01T10:00:00Z';

test.each([
  ['no fields', {}, { status: expect.any(String) }],
  ['a start without an end', { start: TEN }, { end: expect.any(String) }],
  ['an end without a start', { end: TEN }, { end: expect.any(String) }],
  [
    'an end before its start',
    { start: TEN, end: '2030-01-01T09:59:00Z' },
    { end: 'The end must not be before the start' },
  ],
  [
    'a time and a status',
    { start: TEN, end: TEN, status: 'cancelled' },
    { status: 'A time, a detail or a status is required' },
  ],
  ['a status that only the system sets', { status: 'expired' }, { status: expect.any(String) }],
  ['an unknown field', { status: 'cancelled', reason: 'ill' }, { reason: 'Unknown field' }],
])('a change with %s is invalid', async (_, json, messages) => {
  const { change } = await openRequest();
  const found = Object.entries(validationMessages(await change(json)));
  expect(
    Object.fromEntries(found.map(([loc, msg]) => [loc.replace('body.', ''), msg])),
  ).toMatchObject(messages);
});

/** A client's request to an artist who sets the times. */
async function openRequest() {
  const app = await openTestApp();
  const { token, username } = await app.newArtist({ scheduling_type: 'managed' });
  const { id } = await call(app.http(), requestDesign, {
    query: { username },
    header: { 'idempotency-key': randomUUID() },
    body: FILLED_FORM,
  });
  const change = (json: Record<string, unknown>) =>
    app.call<Appointment>(`PATCH /appointments/${id}`, { token, json });
  return { app, id, token, change };
}

function loadConfirmation(app: TestApp, id: string) {
  return call(app.http(), fetchConfirmation, { path: { appt_id: id } });
}

test('the note of a decline is shown to the client and the artist', async () => {
  const { app, id, token, change } = await openRequest();
  expect((await loadConfirmation(app, id)).note).toBeNull();
  const response = await change({ status: 'declined', note: '  I am away.\nAsk again in July!  ' });
  expect(response).toMatchObject({ status: 200, body: { note: 'I am away.\nAsk again in July!' } });
  expect((await loadConfirmation(app, id)).note).toBe('I am away.\nAsk again in July!');
  const read = await app.call<Appointment>(`GET /appointments/${id}`, { token });
  expect(read.body.note).toBe('I am away.\nAsk again in July!');
});

test('a note is accepted only with a time, a decline or a cancellation, and a refused change stores none', async () => {
  const { app, id, change } = await openRequest();
  const json = { status: 'completed', note: 'Well done' };
  expect(validationMessages(await change(json))).toEqual({
    'body.note': 'A note goes with a time, a detail, declining or cancelling',
  });
  expect(validationMessages(await change({ status: 'declined', note: 'x'.repeat(2001) }))).toEqual({
    'body.note': 'Must be at most 2000 characters',
  });
  expect(await change({ status: 'declined', note: 'Late', version: 7 })).toMatchObject({
    status: 409,
  });
  expect(await loadConfirmation(app, id)).toMatchObject({ status: 'requested', note: null });
});
