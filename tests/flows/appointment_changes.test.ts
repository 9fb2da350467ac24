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
import { complaints, invalid, STALE, STATE_MOVED, TIME_TAKEN } from '#support/answers.ts';
import { refusalOf } from '#support/calls.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { lapse, storedAppointment } from '#support/rows.ts';
import {
  aSlot,
  FILLED_FORM,
  listedSlots,
  minutesAfter,
  openTestApp,
  pickSlot,
  requestSlot,
  shifted,
  type TestApp,
} from '#support/test_app.ts';

/** The artist changes an appointment. */
function change(studio: TestApp, { token }: TestArtist, id: string, json: Record<string, unknown>) {
  return studio.call<Appointment>(`PATCH /appointments/${id}`, { token, json });
}

function confirm(studio: TestApp, id: string) {
  return studio.call<Confirmation>(`POST /appointments/confirmation/${id}`);
}

/** Asks a managed artist, who has not set a time yet. */
async function ask(studio: TestApp, { username }: TestArtist) {
  return requestDesign(studio.http(), username, FILLED_FORM, randomUUID());
}

test('a time that the artist sets on a request is an offer, and the client confirms it', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist({ scheduling_type: 'managed' });
  const { id } = await ask(studio, artist);
  const times = await aSlot(studio, artist);
  expect(await refusalOf(confirmAppointment(studio.http(), id))).toMatchObject(STATE_MOVED);
  const offer = await change(studio, artist, id, times);
  expect(offer).toMatchObject({ status: 200, body: { ...times, status: 'offered', version: 2 } });
  expect(await storedAppointment(studio, id)).toEqual({ status: 'offered', occupies: true });
  expect(await listedSlots(studio, artist)).not.toContainEqual(times);
  const body = await fetchConfirmation(studio.http(), id);
  expect(body).toMatchObject({ ...times, status: 'offered', confirmed: false });
  const answer = await confirm(studio, id);
  expect(answer).toMatchObject({ status: 200, body: { status: 'confirmed', confirmed: true } });
});

test('a lapsed offer does not keep its time, and still confirms while that is free', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist({ scheduling_type: 'managed' });
  const [first, second] = [await ask(studio, artist), await ask(studio, artist)];
  const times = await aSlot(studio, artist);
  await changeAppointment(artist.http, first.id, times);
  await lapse(studio, first.id);
  expect(await listedSlots(studio, artist)).toContainEqual(times);
  expect(await change(studio, artist, second.id, times)).toMatchObject({ status: 200 });
  expect(await refusalOf(confirmAppointment(studio.http(), first.id))).toMatchObject(TIME_TAKEN);
  await lapse(studio, second.id);
  expect(await confirmAppointment(studio.http(), first.id)).toMatchObject({ status: 'confirmed' });
});

test('an offer lasts three days', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist({ scheduling_type: 'managed' });
  const { id } = await ask(studio, artist);
  await changeAppointment(artist.http, id, await aSlot(studio, artist, 24 * 10));
  const { lapses_at } = await studio.database
    .selectFrom('appointment_times')
    .select('lapses_at')
    .executeTakeFirstOrThrow();
  const hours = ((lapses_at?.getTime() ?? 0) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(71.9);
  expect(hours).toBeLessThanOrEqual(72);
});

test('nobody is offered a time that has begun', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist({ scheduling_type: 'managed' });
  const { id } = await ask(studio, artist);
  const begun = shifted(await aSlot(studio, artist), -2 * 1440);
  const answer = await change(studio, artist, id, begun);
  expect(answer).toMatchObject(invalid(['body', 'start'], 'Must lie in the future'));
  expect(await storedAppointment(studio, id)).toEqual({ status: 'requested', occupies: null });
});

test('an offer in the way of another appointment is refused, and the request stays one', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist({ scheduling_type: 'managed' });
  const [first, second] = [await ask(studio, artist), await ask(studio, artist)];
  const times = await aSlot(studio, artist);
  await changeAppointment(artist.http, first.id, times);
  expect(
    await refusalOf(changeAppointment(artist.http, second.id, shifted(times, 30))),
  ).toMatchObject(TIME_TAKEN);
  const { token } = artist;
  const body = await fetchAppointment(studio.http(token), second.id);
  expect(body).toMatchObject({ status: 'requested', start: null, end: null, version: 1 });
});

test.each(['held', 'offered', 'confirmed'] as const)(
  'moving what is %s keeps its state, frees the old time and keeps the new one',
  async (status) => {
    const studio = await openTestApp();
    const artist = await studio.artist();
    const slot = await aSlot(studio, artist);
    const body = await pickSlot(studio, artist, slot);
    if (status === 'confirmed') await confirmAppointment(studio.http(), body.id);
    if (status === 'offered')
      await studio.database
        .updateTable('appointments')
        .set({ status })
        .where('id', '=', body.id)
        .execute();
    const moved = shifted(slot, 30);
    const answer = await change(studio, artist, body.id, moved);
    expect(answer).toMatchObject({ status: 200, body: { ...moved, status } });
    const listed = await listedSlots(studio, artist);
    expect(listed).not.toContainEqual(shifted(slot, 60));
    await changeAppointment(artist.http, body.id, shifted(slot, 24 * 60));
    expect(await listedSlots(studio, artist)).toContainEqual(slot);
    expect(await storedAppointment(studio, body.id)).toEqual({ status, occupies: true });
  },
);

test('a move onto another appointment is refused, and the old time is kept', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  const slot = await aSlot(studio, artist);
  const body = await pickSlot(studio, artist, slot);
  const other = await aSlot(studio, artist);
  await pickSlot(studio, artist, other);
  expect(await refusalOf(changeAppointment(artist.http, body.id, other))).toMatchObject(TIME_TAKEN);
  const after = await fetchConfirmation(studio.http(), body.id);
  expect(after).toMatchObject(slot);
  expect(await listedSlots(studio, artist)).not.toContainEqual(slot);
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
  const studio = await openTestApp();
  const artist = await studio.artist();
  for (const [index, next] of (
    ['declined', 'cancelled', 'completed', 'no_show'] as const
  ).entries()) {
    const body = await pickSlot(studio, artist, await aSlot(studio, artist, 24 + index));
    const status = state === 'lapsed' ? 'held' : state;
    const row = studio.database.updateTable('appointments').where('id', '=', body.id);
    await row.set({ status }).execute();
    if (state === 'lapsed') await lapse(studio, body.id);
    const answer = await change(studio, artist, body.id, { status: next });
    if (SETTLES[state].includes(next)) {
      expect(answer).toMatchObject({ status: 200, body: { status: next, version: 2 } });
      expect(await storedAppointment(studio, body.id)).toEqual({ status: next, occupies: false });
    } else {
      expect(answer).toMatchObject(STATE_MOVED);
      expect(await storedAppointment(studio, body.id)).toMatchObject({ status });
    }
  }
});

test.each(['declined', 'expired', 'cancelled', 'completed', 'no_show'] as const)(
  'what is %s is given no new time',
  async (status) => {
    const studio = await openTestApp();
    const artist = await studio.artist();
    const body = await pickSlot(studio, artist, await aSlot(studio, artist));
    await studio.database
      .updateTable('appointments')
      .set({ status })
      .where('id', '=', body.id)
      .execute();
    const times = await aSlot(studio, artist, 48);
    expect(await refusalOf(changeAppointment(artist.http, body.id, times))).toMatchObject(
      STATE_MOVED,
    );
  },
);

test('a cancelled appointment frees its time, and nobody confirms it any more', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  const slot = await aSlot(studio, artist);
  const body = await pickSlot(studio, artist, slot);
  await confirmAppointment(studio.http(), body.id);
  await changeAppointment(artist.http, body.id, { status: 'cancelled' });
  expect(await refusalOf(confirmAppointment(studio.http(), body.id))).toMatchObject(STATE_MOVED);
  expect(await requestSlot(studio, artist, slot)).toMatchObject({ status: 201 });
});

test('a version grows with every change, and a stale one changes nothing', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  const slot = await aSlot(studio, artist);
  const body = await pickSlot(studio, artist, slot);
  await confirmAppointment(studio.http(), body.id);
  const moved = await change(studio, artist, body.id, { ...shifted(slot, 60), version: 2 });
  expect(moved).toMatchObject({ status: 200, body: { version: 3 } });
  const stale = await change(studio, artist, body.id, { status: 'cancelled', version: 2 });
  expect(stale).toMatchObject(STALE);
  expect(await storedAppointment(studio, body.id)).toEqual({ status: 'confirmed', occupies: true });
});

test('of two changes of the same version at once, one is refused', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  const body = await pickSlot(studio, artist, await aSlot(studio, artist));
  await confirmAppointment(studio.http(), body.id);
  const json = { status: 'cancelled', version: 2 };
  const other = await studio.another();
  const answers = await Promise.all(
    [studio, other].map((one) => change(one, artist, body.id, json)),
  );
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
  const studio = await openTestApp();
  const artist = await studio.artist();
  const body = await pickSlot(studio, artist, await aSlot(studio, artist));
  const places = Object.keys(complaints(await change(studio, artist, body.id, json)));
  expect(places).toContain(`body.${field}`);
});

test('a change is either new times or a new state, and ends after it starts', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  const slot = await aSlot(studio, artist);
  const body = await pickSlot(studio, artist, slot);
  const both = await change(studio, artist, body.id, { ...slot, status: 'cancelled' });
  expect(complaints(both)).toEqual({
    'body.status': 'Either start and end, or status, is required',
  });
  const backwards = { start: slot.start, end: minutesAfter(slot.start, -1) };
  expect(complaints(await refusalOf(changeAppointment(artist.http, body.id, backwards)))).toEqual({
    'body.end': 'The end must not be before the start',
  });
});

/** A client's request to an artist who sets the times. */
async function openRequest() {
  const studio = await openTestApp();
  const { token, username } = await studio.artist({ scheduling_type: 'managed' });
  const { id } = await requestDesign(studio.http(), username, FILLED_FORM, randomUUID());
  const change = (json: Record<string, unknown>) =>
    studio.call<Appointment>(`PATCH /appointments/${id}`, { token, json });
  return { studio, id, token, change };
}

function shownTo(studio: TestApp, id: string) {
  return fetchConfirmation(studio.http(), id);
}

test('a note that goes with declining is told to the client and the artist', async () => {
  const { studio, id, token, change } = await openRequest();
  expect((await shownTo(studio, id)).note).toBeNull();
  const answer = await change({ status: 'declined', note: '  I am away.\nAsk again in July!  ' });
  expect(answer).toMatchObject({ status: 200, body: { note: 'I am away.\nAsk again in July!' } });
  expect((await shownTo(studio, id)).note).toBe('I am away.\nAsk again in July!');
  const read = await studio.call<Appointment>(`GET /appointments/${id}`, { token });
  expect(read.body.note).toBe('I am away.\nAsk again in July!');
});

test('a note goes with cancelling too, and a blank one is none', async () => {
  const { studio, id, change } = await openRequest();
  expect(await change({ status: 'cancelled', note: '   ' })).toMatchObject({ status: 200 });
  expect(await shownTo(studio, id)).toMatchObject({ status: 'cancelled', note: null });
});

test('a note goes with nothing else, and a refused one leaves nothing behind', async () => {
  const { studio, id, change } = await openRequest();
  const times = await aSlot(studio, await studio.artist());
  for (const json of [
    { ...times, note: 'See you' },
    { status: 'completed', note: 'Well done' },
  ])
    expect(complaints(await change(json))).toEqual({
      'body.note': 'A note goes with declining or cancelling',
    });
  expect(complaints(await change({ status: 'declined', note: 'x'.repeat(2001) }))).toEqual({
    'body.note': 'Must be at most 2000 characters',
  });
  expect(await change({ status: 'declined', note: 'Late', version: 7 })).toMatchObject({
    status: 409,
  });
  expect(await shownTo(studio, id)).toMatchObject({ status: 'requested', note: null });
});
