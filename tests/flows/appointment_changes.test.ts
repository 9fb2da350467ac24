import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  changeAppointment,
  confirmAppointment,
  fetchAppointment,
  fetchConfirmation,
  requestDesign,
} from '#client/appointments.ts';
import type { Appointment, Confirmation } from '#contract/appointment.ts';
import type { AppointmentStatus, ArtistStatus } from '#domain/appointment.ts';
import { expireAppointment, loadAppointmentRow } from '#support/app_rows.ts';
import { refusalOf } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';
import {
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

/** Asks a managed artist, who has not set a time yet. */
async function ask(app: TestApp, { username }: TestArtist) {
  return requestDesign(app.http(), username, FILLED_FORM, randomUUID());
}

test('a time that the artist sets on a request is an offer, and the client confirms it', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const { id } = await ask(app, artist);
  const times = await findSlot(app, artist);
  expect(await refusalOf(confirmAppointment(app.http(), id))).toMatchObject(STATE_CHANGED);
  const offer = await change(app, artist, id, times);
  expect(offer).toMatchObject({ status: 200, body: { ...times, status: 'offered', version: 2 } });
  expect(await loadAppointmentRow(app, id)).toEqual({ status: 'offered', occupies: true });
  expect(await listSlots(app, artist)).not.toContainEqual(times);
  const body = await fetchConfirmation(app.http(), id);
  expect(body).toMatchObject({ ...times, status: 'offered', confirmed: false });
  const answer = await confirm(app, id);
  expect(answer).toMatchObject({ status: 200, body: { status: 'confirmed', confirmed: true } });
});

test('a lapsed offer does not keep its time, and still confirms while that is free', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const [first, second] = [await ask(app, artist), await ask(app, artist)];
  const times = await findSlot(app, artist);
  await changeAppointment(artist.http, first.id, times);
  await expireAppointment(app, first.id);
  expect(await listSlots(app, artist)).toContainEqual(times);
  expect(await change(app, artist, second.id, times)).toMatchObject({ status: 200 });
  expect(await refusalOf(confirmAppointment(app.http(), first.id))).toMatchObject(TIME_TAKEN);
  await expireAppointment(app, second.id);
  expect(await confirmAppointment(app.http(), first.id)).toMatchObject({ status: 'confirmed' });
});

test('an offer lasts three days', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const { id } = await ask(app, artist);
  await changeAppointment(artist.http, id, await findSlot(app, artist, 24 * 10));
  const { lapses_at } = await app.database
    .selectFrom('appointment_times')
    .select('lapses_at')
    .executeTakeFirstOrThrow();
  const hours = ((lapses_at?.getTime() ?? 0) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(71.9);
  expect(hours).toBeLessThanOrEqual(72);
});

test('nobody is offered a time that has begun', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const { id } = await ask(app, artist);
  const begun = shiftSlot(await findSlot(app, artist), -2 * 1440);
  const answer = await change(app, artist, id, begun);
  expect(answer).toMatchObject(validationProblem(['body', 'start'], 'Must lie in the future'));
  expect(await loadAppointmentRow(app, id)).toEqual({ status: 'requested', occupies: null });
});

test('an offer in the way of another appointment is refused, and the request stays one', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const [first, second] = [await ask(app, artist), await ask(app, artist)];
  const times = await findSlot(app, artist);
  await changeAppointment(artist.http, first.id, times);
  expect(
    await refusalOf(changeAppointment(artist.http, second.id, shiftSlot(times, 30))),
  ).toMatchObject(TIME_TAKEN);
  const { token } = artist;
  const body = await fetchAppointment(app.http(token), second.id);
  expect(body).toMatchObject({ status: 'requested', start: null, end: null, version: 1 });
});

test.each(['held', 'offered', 'confirmed'] as const)(
  'moving what is %s keeps its state, frees the old time and keeps the new one',
  async (status) => {
    const app = await openTestApp();
    const artist = await app.newArtist();
    const slot = await findSlot(app, artist);
    const body = await bookSlot(app, artist, slot);
    if (status === 'confirmed') await confirmAppointment(app.http(), body.id);
    if (status === 'offered')
      await app.database
        .updateTable('appointments')
        .set({ status })
        .where('id', '=', body.id)
        .execute();
    const moved = shiftSlot(slot, 30);
    const answer = await change(app, artist, body.id, moved);
    expect(answer).toMatchObject({ status: 200, body: { ...moved, status } });
    const listed = await listSlots(app, artist);
    expect(listed).not.toContainEqual(shiftSlot(slot, 60));
    await changeAppointment(artist.http, body.id, shiftSlot(slot, 24 * 60));
    expect(await listSlots(app, artist)).toContainEqual(slot);
    expect(await loadAppointmentRow(app, body.id)).toEqual({ status, occupies: true });
  },
);

test('a move onto another appointment is refused, and the old time is kept', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const body = await bookSlot(app, artist, slot);
  const other = await findSlot(app, artist);
  await bookSlot(app, artist, other);
  expect(await refusalOf(changeAppointment(artist.http, body.id, other))).toMatchObject(TIME_TAKEN);
  const after = await fetchConfirmation(app.http(), body.id);
  expect(after).toMatchObject(slot);
  expect(await listSlots(app, artist)).not.toContainEqual(slot);
});

const SETTLES: Record<AppointmentStatus | 'lapsed', readonly ArtistStatus[]> = {
  requested: ['declined', 'cancelled'],
  held: ['cancelled'],
  offered: ['cancelled'],
  confirmed: ['cancelled', 'completed', 'no_show'],
  declined: [],
  expired: [],
  lapsed: [],
  cancelled: [],
  completed: [],
  no_show: [],
};
const STATES: readonly (keyof typeof SETTLES)[] = [
  'requested',
  'held',
  'offered',
  'confirmed',
  'declined',
  'expired',
  'lapsed',
  'cancelled',
  'completed',
  'no_show',
];
test.each(STATES)('the artist takes what is %s only where its life goes on', async (state) => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  for (const [index, next] of (
    ['declined', 'cancelled', 'completed', 'no_show'] as const
  ).entries()) {
    const body = await bookSlot(app, artist, await findSlot(app, artist, 24 + index));
    const status = state === 'lapsed' ? 'held' : state;
    const row = app.database.updateTable('appointments').where('id', '=', body.id);
    await row.set({ status }).execute();
    if (state === 'lapsed') await expireAppointment(app, body.id);
    const answer = await change(app, artist, body.id, { status: next });
    if (SETTLES[state].includes(next)) {
      expect(answer).toMatchObject({ status: 200, body: { status: next, version: 2 } });
      expect(await loadAppointmentRow(app, body.id)).toEqual({ status: next, occupies: false });
    } else {
      expect(answer).toMatchObject(STATE_CHANGED);
      expect(await loadAppointmentRow(app, body.id)).toMatchObject({ status });
    }
  }
});

test.each(['declined', 'expired', 'cancelled', 'completed', 'no_show'] as const)(
  'what is %s is given no new time',
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
    expect(await refusalOf(changeAppointment(artist.http, body.id, times))).toMatchObject(
      STATE_CHANGED,
    );
  },
);

test('a cancelled appointment frees its time, and nobody confirms it any more', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const body = await bookSlot(app, artist, slot);
  await confirmAppointment(app.http(), body.id);
  await changeAppointment(artist.http, body.id, { status: 'cancelled' });
  expect(await refusalOf(confirmAppointment(app.http(), body.id))).toMatchObject(STATE_CHANGED);
  expect(await requestSlot(app, artist, slot)).toMatchObject({ status: 201 });
});

test('a version grows with every change, and a stale one changes nothing', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const body = await bookSlot(app, artist, slot);
  await confirmAppointment(app.http(), body.id);
  const moved = await change(app, artist, body.id, { ...shiftSlot(slot, 60), version: 2 });
  expect(moved).toMatchObject({ status: 200, body: { version: 3 } });
  const stale = await change(app, artist, body.id, { status: 'cancelled', version: 2 });
  expect(stale).toMatchObject(STALE_VERSION);
  expect(await loadAppointmentRow(app, body.id)).toEqual({
    status: 'confirmed',
    occupies: true,
  });
});

test('of two changes of the same version at once, one is refused', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const body = await bookSlot(app, artist, await findSlot(app, artist));
  await confirmAppointment(app.http(), body.id);
  const json = { status: 'cancelled', version: 2 };
  const other = await app.openSecondServer();
  const answers = await Promise.all([app, other].map((one) => change(one, artist, body.id, json)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test.each([
  ['nothing', {}, 'status'],
  ['a start without an end', { start: '2030-01-01T10:00:00Z' }, 'end'],
  ['an end without a start', { end: '2030-01-01T10:00:00Z' }, 'end'],
  ['a state that comes by itself', { status: 'expired' }, 'status'],
  ['confirming on behalf of the client', { status: 'confirmed' }, 'status'],
  ['an unknown field', { status: 'cancelled', reason: 'ill' }, 'reason'],
])('a change does not take %s', async (_, json, field) => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const body = await bookSlot(app, artist, await findSlot(app, artist));
  const places = Object.keys(validationMessages(await change(app, artist, body.id, json)));
  expect(places).toContain(`body.${field}`);
});

test('a change is either new times or a new state, and ends after it starts', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const body = await bookSlot(app, artist, slot);
  const both = await change(app, artist, body.id, { ...slot, status: 'cancelled' });
  expect(validationMessages(both)).toEqual({
    'body.status': 'Either start and end, or status, is required',
  });
  const backwards = { start: slot.start, end: addMinutes(slot.start, -1) };
  expect(
    validationMessages(await refusalOf(changeAppointment(artist.http, body.id, backwards))),
  ).toEqual({
    'body.end': 'The end must not be before the start',
  });
});

/** A client's request to an artist who sets the times. */
async function openRequest() {
  const app = await openTestApp();
  const { token, username } = await app.newArtist({ scheduling_type: 'managed' });
  const { id } = await requestDesign(app.http(), username, FILLED_FORM, randomUUID());
  const change = (json: Record<string, unknown>) =>
    app.call<Appointment>(`PATCH /appointments/${id}`, { token, json });
  return { app, id, token, change };
}

function shownTo(app: TestApp, id: string) {
  return fetchConfirmation(app.http(), id);
}

test('a note that goes with declining is told to the client and the artist', async () => {
  const { app, id, token, change } = await openRequest();
  expect((await shownTo(app, id)).note).toBeNull();
  const answer = await change({ status: 'declined', note: '  I am away.\nAsk again in July!  ' });
  expect(answer).toMatchObject({ status: 200, body: { note: 'I am away.\nAsk again in July!' } });
  expect((await shownTo(app, id)).note).toBe('I am away.\nAsk again in July!');
  const read = await app.call<Appointment>(`GET /appointments/${id}`, { token });
  expect(read.body.note).toBe('I am away.\nAsk again in July!');
});

test('a note goes with cancelling too, and a blank one is none', async () => {
  const { app, id, change } = await openRequest();
  expect(await change({ status: 'cancelled', note: '   ' })).toMatchObject({ status: 200 });
  expect(await shownTo(app, id)).toMatchObject({ status: 'cancelled', note: null });
});

test('a note goes with nothing else, and a refused one leaves nothing behind', async () => {
  const { app, id, change } = await openRequest();
  const times = await findSlot(app, await app.newArtist());
  for (const json of [
    { ...times, note: 'See you' },
    { status: 'completed', note: 'Well done' },
  ])
    expect(validationMessages(await change(json))).toEqual({
      'body.note': 'A note goes with declining or cancelling',
    });
  expect(validationMessages(await change({ status: 'declined', note: 'x'.repeat(2001) }))).toEqual({
    'body.note': 'Must be at most 2000 characters',
  });
  expect(await change({ status: 'declined', note: 'Late', version: 7 })).toMatchObject({
    status: 409,
  });
  expect(await shownTo(app, id)).toMatchObject({ status: 'requested', note: null });
});
