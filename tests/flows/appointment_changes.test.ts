import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { Appointment, Confirmation } from '#contract/appointment.ts';
import {
  changeAppointment,
  confirmAppointment,
  fetchAppointment,
  fetchConfirmation,
  requestDesign,
} from '#contract/endpoints.ts';
import {
  type AppointmentStatus,
  ARTIST_STATUSES,
  type ArtistStatus,
  isConfirmed,
} from '#domain/appointment.ts';
import { expireAppointment, loadAppointmentRow, startAppointment } from '#support/app_rows.ts';
import { refusalOf } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';
import {
  OFFER_ENDED,
  STALE_VERSION,
  STATE_CHANGED,
  TIME_TAKEN,
  validationMessages,
  validationProblem,
} from '#support/problems.ts';
import {
  addMinutes,
  bookSlot,
  FILLED_FORM,
  findSlot,
  listSlots,
  openTestApp,
  requestSlot,
  shiftSlot,
  type TestApp,
} from '#support/test_app.ts';

/** The artist changes an appointment. */
function change(app: TestApp, { token }: TestArtist, id: string, json: Record<string, unknown>) {
  return app.call<Appointment>(`PATCH /appointments/${id}`, { token, json });
}

function confirm(app: TestApp, id: string) {
  return app.call<Confirmation>(`POST /appointments/confirmation/${id}`);
}

/** A client's request to a managed artist; it has no time yet. */
async function createRequest(app: TestApp, { username }: TestArtist) {
  return call(app.http(), requestDesign, {
    query: { username },
    header: { 'idempotency-key': randomUUID() },
    body: FILLED_FORM,
  });
}

test('setting a time on a request makes it an offer, which the client can confirm', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const { id } = await createRequest(app, artist);
  const times = await findSlot(app, artist);
  expect(
    await refusalOf(call(app.http(), confirmAppointment, { path: { appt_id: id } })),
  ).toMatchObject(STATE_CHANGED);
  const offer = await change(app, artist, id, times);
  expect(offer).toMatchObject({ status: 200, body: { ...times, status: 'offered', version: 2 } });
  expect(await loadAppointmentRow(app, id)).toEqual({ status: 'offered', occupies: true });
  expect(await listSlots(app, artist)).not.toContainEqual(times);
  const body = await call(app.http(), fetchConfirmation, { path: { appt_id: id } });
  expect(body).toMatchObject({ ...times, status: 'offered', confirmed: false });
  const response = await confirm(app, id);
  expect(response).toMatchObject({ status: 200, body: { status: 'confirmed', confirmed: true } });
});

test('after the deadline of an offer its time is free, and the request is open and can be offered again', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const [first, second] = [await createRequest(app, artist), await createRequest(app, artist)];
  const times = await findSlot(app, artist);
  await call(artist.http, changeAppointment, { path: { appt_id: first.id }, body: times });
  await expireAppointment(app, first.id);
  expect(await listSlots(app, artist)).toContainEqual(times);
  const lapsed = { status: 'requested', start: null, end: null, version: 2 };
  const read = () => call(app.http(), fetchConfirmation, { path: { appt_id: first.id } });
  expect(await read()).toMatchObject(lapsed);
  // Offering the freed time stores the lapse of the first offer.
  expect(await change(app, artist, second.id, times)).toMatchObject({ status: 200 });
  expect(await read()).toMatchObject(lapsed);
  expect(
    await refusalOf(call(app.http(), confirmAppointment, { path: { appt_id: first.id } })),
  ).toMatchObject(OFFER_ENDED);
  expect(await change(app, artist, first.id, await findSlot(app, artist, 48))).toMatchObject({
    status: 200,
    body: { status: 'offered', version: 3 },
  });
  expect(await confirm(app, first.id)).toMatchObject({ body: { status: 'confirmed' } });
});

test('an offer is set to expire after three days', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const { id } = await createRequest(app, artist);
  await call(artist.http, changeAppointment, {
    path: { appt_id: id },
    body: await findSlot(app, artist, 24 * 10),
  });
  const { expires_at } = await app.database
    .selectFrom('appointment_times')
    .select('expires_at')
    .executeTakeFirstOrThrow();
  const hours = ((expires_at?.getTime() ?? 0) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(71.9);
  expect(hours).toBeLessThanOrEqual(72);
});

test('an offer of a time in the past is refused', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const { id } = await createRequest(app, artist);
  const past = shiftSlot(await findSlot(app, artist), -2 * 1440);
  const response = await change(app, artist, id, past);
  expect(response).toMatchObject(validationProblem(['body', 'start'], 'Must lie in the future'));
  expect(await loadAppointmentRow(app, id)).toEqual({ status: 'requested', occupies: null });
});

test('an offer that overlaps another appointment is refused, and the request is unchanged', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const [first, second] = [await createRequest(app, artist), await createRequest(app, artist)];
  const times = await findSlot(app, artist);
  await call(artist.http, changeAppointment, { path: { appt_id: first.id }, body: times });
  expect(
    await refusalOf(
      call(artist.http, changeAppointment, {
        path: { appt_id: second.id },
        body: shiftSlot(times, 30),
      }),
    ),
  ).toMatchObject(TIME_TAKEN);
  const { token } = artist;
  const body = await call(app.http(token), fetchAppointment, { path: { appt_id: second.id } });
  expect(body).toMatchObject({ status: 'requested', start: null, end: null, version: 1 });
});

test.each(['held', 'offered', 'confirmed'] as const)(
  'moving a %s appointment keeps its status, frees the old time and blocks the new one',
  async (status) => {
    const app = await openTestApp();
    const artist = await app.newArtist();
    const slot = await findSlot(app, artist);
    const body = await bookSlot(app, artist, slot);
    if (status === 'confirmed')
      await call(app.http(), confirmAppointment, { path: { appt_id: body.id } });
    if (status === 'offered')
      await app.database
        .updateTable('appointments')
        .set({ status })
        .where('id', '=', body.id)
        .execute();
    const moved = shiftSlot(slot, 30);
    const response = await change(app, artist, body.id, moved);
    expect(response).toMatchObject({ status: 200, body: { ...moved, status } });
    const listed = await listSlots(app, artist);
    expect(listed).not.toContainEqual(shiftSlot(slot, 60));
    await call(artist.http, changeAppointment, {
      path: { appt_id: body.id },
      body: shiftSlot(slot, 24 * 60),
    });
    expect(await listSlots(app, artist)).toContainEqual(slot);
    expect(await loadAppointmentRow(app, body.id)).toEqual({ status, occupies: true });
  },
);

test('moving onto another appointment is refused, and the appointment keeps its old time', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const body = await bookSlot(app, artist, slot);
  const other = await findSlot(app, artist);
  await bookSlot(app, artist, other);
  expect(
    await refusalOf(
      call(artist.http, changeAppointment, { path: { appt_id: body.id }, body: other }),
    ),
  ).toMatchObject(TIME_TAKEN);
  const after = await call(app.http(), fetchConfirmation, { path: { appt_id: body.id } });
  expect(after).toMatchObject(slot);
  expect(await listSlots(app, artist)).not.toContainEqual(slot);
});

const ALLOWED_STATUSES: Record<AppointmentStatus | 'expired_hold', readonly ArtistStatus[]> = {
  requested: ['declined', 'cancelled'],
  held: ['cancelled'],
  offered: ['cancelled'],
  confirmed: ['cancelled', 'completed', 'no_show'],
  declined: [],
  expired: [],
  expired_hold: [],
  cancelled: [],
  completed: ['no_show', 'confirmed'],
  no_show: ['completed', 'confirmed'],
};
const STARTING_STATES: readonly (keyof typeof ALLOWED_STATUSES)[] = [
  'requested',
  'held',
  'offered',
  'confirmed',
  'declined',
  'expired',
  'expired_hold',
  'cancelled',
  'completed',
  'no_show',
];
test.each(STARTING_STATES)(
  'the artist can set only the statuses allowed after %s',
  async (state) => {
    const app = await openTestApp();
    for (const [index, next] of ARTIST_STATUSES.entries()) {
      const artist = await app.newArtist();
      const body = await bookSlot(app, artist, await findSlot(app, artist, 24 + index));
      const status = state === 'expired_hold' ? 'held' : state;
      const row = app.database.updateTable('appointments').where('id', '=', body.id);
      await row.set({ status }).execute();
      if (state === 'expired_hold') await expireAppointment(app, body.id);
      // An appointment is marked only after its start.
      if (isConfirmed(status)) await startAppointment(app, body.id);
      const response = await change(app, artist, body.id, { status: next });
      if (ALLOWED_STATUSES[state].includes(next)) {
        expect(response).toMatchObject({ status: 200, body: { status: next, version: 2 } });
        const occupies = next === 'confirmed';
        expect(await loadAppointmentRow(app, body.id)).toEqual({ status: next, occupies });
      } else {
        expect(response).toMatchObject(STATE_CHANGED);
        expect(await loadAppointmentRow(app, body.id)).toMatchObject({ status });
      }
    }
  },
);

test.each(['declined', 'expired', 'cancelled', 'completed', 'no_show'] as const)(
  'an appointment that is %s cannot be moved',
  async (status) => {
    const app = await openTestApp();
    const artist = await app.newArtist();
    const body = await bookSlot(app, artist, await findSlot(app, artist));
    await app.database
      .updateTable('appointments')
      .set({ status })
      .where('id', '=', body.id)
      .execute();
    const times = await findSlot(app, artist, 48);
    expect(
      await refusalOf(
        call(artist.http, changeAppointment, { path: { appt_id: body.id }, body: times }),
      ),
    ).toMatchObject(STATE_CHANGED);
  },
);

test('a cancelled appointment frees its time and can no longer be confirmed', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const body = await bookSlot(app, artist, slot);
  await call(app.http(), confirmAppointment, { path: { appt_id: body.id } });
  await call(artist.http, changeAppointment, {
    path: { appt_id: body.id },
    body: { status: 'cancelled' },
  });
  expect(
    await refusalOf(call(app.http(), confirmAppointment, { path: { appt_id: body.id } })),
  ).toMatchObject(STATE_CHANGED);
  expect(await requestSlot(app, artist, slot)).toMatchObject({ status: 201 });
});

test('every change increments the version, and a change of a stale version is refused', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const body = await bookSlot(app, artist, slot);
  await call(app.http(), confirmAppointment, { path: { appt_id: body.id } });
  const moved = await change(app, artist, body.id, { ...shiftSlot(slot, 60), version: 2 });
  expect(moved).toMatchObject({ status: 200, body: { version: 3 } });
  const stale = await change(app, artist, body.id, { status: 'cancelled', version: 2 });
  expect(stale).toMatchObject(STALE_VERSION);
  expect(await loadAppointmentRow(app, body.id)).toEqual({
    status: 'confirmed',
    occupies: true,
  });
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

test('the note of a cancellation is shown to the client, and a blank one is stored as none', async () => {
  const { app, id, change } = await openRequest();
  expect(await change({ status: 'cancelled', note: '   ' })).toMatchObject({ status: 200 });
  expect(await loadConfirmation(app, id)).toMatchObject({ status: 'cancelled', note: null });
  const second = await openRequest();
  await second.change({ status: 'cancelled', note: 'I am away.' });
  expect(await loadConfirmation(app, second.id)).toMatchObject({
    status: 'cancelled',
    note: 'I am away.',
  });
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
