import { expect, test } from 'vitest';
import { HOUR_MS } from '#domain/time/time.ts';
import { type AppointmentFilter, listAppointmentRows } from '#server/database/appointment_lists.ts';
import { saveTransition } from '#server/database/appointment_transitions.ts';
import {
  deleteAppointmentRow,
  raiseVersions,
  setAppointmentColumns,
} from '#server/database/appointment_updates.ts';
import {
  type AppointmentRow,
  findAppointment,
  listAppointmentsOfArtist,
} from '#server/database/appointments.ts';
import { findStudio, moveStudio } from '#server/database/studio_moves.ts';
import { openArtistContext } from '#support/artist_app.ts';
import {
  addAppointment,
  addArtist,
  addClient,
  changeAppointmentRow,
  NOON,
  withRollback,
} from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { NEW_YORK } from '#support/sample_people.ts';

const ALL = { skip: 0, limit: 100 };

async function setUp() {
  const { database, artist } = await openArtistContext();
  const add = (changes: Parameters<typeof addAppointment>[2] = {}) =>
    addAppointment(database, artist, changes);
  const list = async (filter: Partial<AppointmentFilter> = {}, now = NOON) => {
    const withOrder = { order: 'newest', ...filter, now } as const;
    const { rows } = await listAppointmentRows(database, artist.id, withOrder, ALL);
    return rows.map(({ id }) => id);
  };
  const read = async (id: string): Promise<AppointmentRow> => {
    const row = await findAppointment(database, artist.id, id);
    if (!row) throw new Error('There is no such appointment');
    return row;
  };
  return { database, artist, add, list, read };
}

test('an idempotency key is unique for each artist', async () => {
  const { database, add } = await setUp();
  const key = crypto.randomUUID();
  await add({ key });
  await addAppointment(database, await addArtist(database), { key });
  await expect(add({ key, start: null })).rejects.toMatchObject({ code: '23505' });
});

test('a hold past its expiry is listed as expired, even before its status is updated', async () => {
  const { add, list } = await setUp();
  const id = await add({ status: 'held', expiresAt: NOON });
  expect(await list({ status: 'held' }, NOON - 1)).toEqual([id]);
  expect(await list({ status: 'expired' }, NOON - 1)).toEqual([]);
  expect(await list({ status: 'held' }, NOON)).toEqual([]);
  expect(await list({ status: 'expired' }, NOON)).toEqual([id]);
});

test('upcoming appointments have not ended; past ones have', async () => {
  const { add, list } = await setUp();
  const ended = await add({ start: NOON - HOUR_MS, minutes: 30 });
  const running = await add({ start: NOON - 0.5 * HOUR_MS });
  await add({ status: 'requested', start: null });
  expect(await list({ when: 'past' })).toEqual([ended]);
  expect(await list({ when: 'upcoming' })).toEqual([running]);
  expect(await list({ when: 'past' }, NOON + 0.5 * HOUR_MS)).toEqual([running, ended]);
});

test('appointments are listed newest, soonest or latest first, those without a time last', async () => {
  const { add, list } = await setUp();
  const late = await add({ start: NOON + 5 * HOUR_MS });
  const request = await add({ status: 'requested', start: null });
  const soon = await add({ start: NOON });
  expect(await list({ order: 'newest' })).toEqual([soon, request, late]);
  expect(await list({ order: 'soonest' })).toEqual([soon, late, request]);
  expect(await list({ order: 'latest' })).toEqual([late, soon, request]);
});

test('a search finds the phone number of the appointment in any spelling', async () => {
  const { database, add, list } = await setUp();
  const id = await add();
  await add({ start: NOON + HOUR_MS });
  const phone_number = '+12125550147';
  await database.updateTable('appointments').set({ phone_number }).where('id', '=', id).execute();
  for (const search of ['212-555-0147', '(212) 555 0147', '001 212 555', '5550147'])
    expect(await list({ search }), search).toEqual([id]);
  expect(await list({ search: '212-555-0148' })).toEqual([]);
});

test('a search matches the name and email of the appointment, not of its client', async () => {
  const { database, artist, list } = await setUp();
  const client = await addClient(database, artist, { first_name: 'Max' });
  const id = await addAppointment(database, artist, { client, email: 'old@example.com' });
  expect(await list({ search: 'sa QUI' })).toEqual([id]);
  expect(await list({ search: 'OLD@' })).toEqual([id]);
  expect(await list({ search: 'Max' })).toEqual([]);
  expect(await list({ search: '_' })).toEqual([]);
  expect(await list({ clientId: client })).toEqual([id]);
  expect(await list({ clientId: crypto.randomUUID() })).toEqual([]);
});

test('another artist cannot update or delete an appointment', async () => {
  const { database, add, read } = await setUp();
  const other = await addArtist(database);
  const foreign = { ...(await read(await add())), artist_id: other.id };
  const cancelled = { actor: 'artist', what: 'cancelled', status: 'cancelled' } as const;
  await withRollback(database, (transaction) =>
    expect(saveTransition(transaction, foreign, cancelled, NOON)).rejects.toMatchObject({
      reason: 'status_changed',
    }),
  );
  expect(await inTransaction(database, deleteAppointmentRow, foreign)).toBe(false);
});

test('an appointment is deleted only in the version that was read', async () => {
  const { database, artist, add, read } = await setUp();
  const before = await read(await add());
  await changeAppointmentRow(database, artist.id, before.id, { status: 'cancelled' });
  expect(await inTransaction(database, deleteAppointmentRow, before)).toBe(false);
  expect(await inTransaction(database, deleteAppointmentRow, await read(before.id))).toBe(true);
  expect(await findAppointment(database, artist.id, before.id)).toBeUndefined();
});

test('a former studio is deleted with its last appointment', async () => {
  const { database, artist, add, read } = await setUp();
  const ids = [await add({ start: NOON - 2 * HOUR_MS }), await add({ start: NOON - 4 * HOUR_MS })];
  const next = { id: artist.studioId, name: 'Next', ...NEW_YORK };
  await inTransaction(database, moveStudio, artist.id, next, { now: NOON });
  const exists: boolean[] = [];
  for (const id of ids) {
    await inTransaction(database, deleteAppointmentRow, await read(id));
    const found = database.selectFrom('studios').select('id').where('id', '=', artist.studioId);
    exists.push((await found.executeTakeFirst()) !== undefined);
  }
  expect(exists).toEqual([true, false]);
  expect(await findStudio(database, artist.id)).toBeDefined();
});
test('raiseVersions changes upcoming appointments that are booked, held or offered', async () => {
  const { database, artist, add, read } = await setUp();
  const booked = await add({ start: NOON + HOUR_MS });
  const held = await add({ status: 'held', start: NOON + 3 * HOUR_MS, expiresAt: NOON + HOUR_MS });
  await add({ start: NOON - HOUR_MS });
  const released = await add({ start: NOON + 5 * HOUR_MS });
  await changeAppointmentRow(database, artist.id, released, { time: 'released' });
  expect(await raiseVersions(database, artist.id, { movedIds: [] }, NOON)).toEqual([booked]);
  expect([(await read(booked)).version, (await read(held)).version]).toEqual([2, 2]);
});

test('an appointment of another artist is neither read nor changed', async () => {
  const { database, artist, add, read } = await setUp();
  const id = await add();
  const other = await addArtist(database);
  expect(await listAppointmentsOfArtist(database, other.id, [id])).toEqual([]);
  expect(await listAppointmentsOfArtist(database, artist.id, [id])).toMatchObject([{ id }]);
  const before = await read(id);
  await raiseVersions(database, other.id, { movedIds: [id], onlyIds: [] }, NOON);
  await setAppointmentColumns(database, other.id, id, { email: 'other@example.com' });
  expect(await read(id)).toEqual(before);
  await raiseVersions(database, artist.id, { movedIds: [id], onlyIds: [] }, NOON);
  expect((await read(id)).version).toBe(before.version + 1);
});
