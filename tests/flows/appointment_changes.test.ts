import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { Appointment } from '#contract/appointment.ts';
import {
  changeAppointment,
  confirmAppointment,
  fetchConfirmation,
  requestDesign,
} from '#contract/endpoints.ts';
import { loadAppointmentRow } from '#support/app_rows.ts';
import { refusalOf } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { validationMessages, validationProblem } from '#support/problems.ts';
import {
  addMinutes,
  bookSlot,
  FILLED_FORM,
  findSlot,
  openTestApp,
  shiftSlot,
  type TestApp,
} from '#support/test_app.ts';

/** The artist changes an appointment. */
function change(app: TestApp, { token }: TestArtist, id: string, json: Record<string, unknown>) {
  return app.call<Appointment>(`PATCH /appointments/${id}`, { token, json });
}

/** A client's request to a managed artist; it has no time yet. */
async function createRequest(app: TestApp, { username }: TestArtist) {
  return call(app.http(), requestDesign, {
    query: { username },
    header: { 'idempotency-key': randomUUID() },
    body: FILLED_FORM,
  });
}

test('an offer of a time in the past is refused', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const { id } = await createRequest(app, artist);
  const past = shiftSlot(await findSlot(app, artist), -2 * 1440);
  const response = await change(app, artist, id, past);
  expect(response).toMatchObject(validationProblem(['body', 'start'], 'Must lie in the future'));
  expect(await loadAppointmentRow(app, id)).toEqual({ status: 'requested', occupies: null });
});

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

test.each([
  ['no fields', {}, 'status'],
  ['a start without an end', { start: '2030-01-01T10:00:00Z' }, 'end'],
  ['an end without a start', { end: '2030-01-01T10:00:00Z' }, 'end'],
  ['a status that only the system sets', { status: 'expired' }, 'status'],
  ['an unknown field', { status: 'cancelled', reason: 'ill' }, 'reason'],
])('a change with %s is invalid', async (_, json, field) => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const body = await bookSlot(app, artist, await findSlot(app, artist));
  const fields = Object.keys(validationMessages(await change(app, artist, body.id, json)));
  expect(fields).toContain(`body.${field}`);
});

test('a change takes either times or a status, and its end must not precede its start', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const body = await bookSlot(app, artist, slot);
  const both = await change(app, artist, body.id, { ...slot, status: 'cancelled' });
  expect(validationMessages(both)).toEqual({
    'body.status': 'A time, a detail or a status is required',
  });
  const backwards = { start: slot.start, end: addMinutes(slot.start, -1) };
  expect(
    validationMessages(
      await refusalOf(
        call(artist.http, changeAppointment, { path: { appt_id: body.id }, body: backwards }),
      ),
    ),
  ).toEqual({
    'body.end': 'The end must not be before the start',
  });
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
