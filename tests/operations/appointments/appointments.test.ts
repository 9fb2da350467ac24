import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS, toRfc3339 } from '#domain/time/time.ts';
import { listAppointmentEvents } from '#server/database/appointment_events.ts';
import { saveTransition, saveTransitions } from '#server/database/appointment_transitions.ts';
import {
  listScheduledAppointments,
  loadAppointment,
  loadAppointmentRow,
  updateAppointment,
} from '#server/operations/appointments/appointments.ts';
import {
  addAppointment,
  addArtist,
  listNotices,
  NOON,
  occupiesTime,
} from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { openTestContext } from '#support/test_context.ts';

const NOW = Date.now();
const hourFrom = (start: number) => ({
  start: toRfc3339(start),
  end: toRfc3339(start + HOUR_MS - MINUTE_MS),
});
const PAST = Math.floor(NOW / HOUR_MS) * HOUR_MS - 5 * HOUR_MS;

async function setUp() {
  const opened = await openTestContext();
  const { context } = opened;
  const artist = await addArtist(context.database);
  const add = (changes: Parameters<typeof addAppointment>[2] = {}) =>
    addAppointment(context.database, artist, changes);
  const change = (id: string, changes: Parameters<typeof updateAppointment>[3]) =>
    updateAppointment(context, artist.id, id, changes);
  const notices = () => listNotices(context.database, artist.id);
  return { ...opened, artist, add, change, notices };
}

test('an offer at the same time is mailed again with another note or none, and not with the same one', async () => {
  const { add, change, notices } = await setUp();
  const id = await add({ status: 'requested', start: null });
  const offer = (note?: string) => change(id, { ...hourFrom(NOON), note });
  await offer('By the car');
  for (const note of ['By the car', undefined])
    expect(await offer(note)).toMatchObject({ version: 2, note: 'By the car' });
  expect(await notices()).toHaveLength(1);
  expect(await offer('')).toMatchObject({ status: 'offered', version: 3, note: null });
  expect(await notices()).toEqual(Array(2).fill('offer to rosa@example.com'));
});

test('of two transitions from the same version one is refused, and left out of a batch', async () => {
  const { context, artist, add } = await setUp();
  const { database } = context;
  const row = await loadAppointmentRow(database, artist.id, await add());
  const edited = { actor: 'artist', what: 'edited', status: 'confirmed' } as const;
  const edit = () =>
    database.transaction().execute((transaction) => saveTransition(transaction, row, edited, NOW));
  await edit();
  await expect(edit()).rejects.toMatchObject({ reason: 'status_changed' });
  const other = await loadAppointmentRow(database, artist.id, await add({ start: NOON + HOUR_MS }));
  expect(await inTransaction(database, saveTransitions, [row, other], edited, NOW)).toEqual([
    other,
  ]);
  for (const { id } of [row, other])
    expect(await listAppointmentEvents(database, artist.id, id)).toHaveLength(1);
});

test('an appointment can be moved onto an expired hold, whose client is mailed', async () => {
  const { add, change, notices } = await setUp();
  const id = await add();
  const start = NOON + 2 * HOUR_MS;
  await add({ status: 'held', start, expiresAt: NOW - 1, email: 'late@example.com' });
  await change(id, hourFrom(start));
  expect((await notices()).toSorted()).toEqual([
    'expired to late@example.com',
    'moved to rosa@example.com',
  ]);
});

test('undoing “completed” after the rest of the time was booked is refused with a reason of its own', async () => {
  const { add, change } = await setUp();
  const id = await add({ start: PAST, minutes: 8 * 60 });
  await change(id, { status: 'completed' });
  await add({ start: PAST + 7 * HOUR_MS });
  const reopened = change(id, { status: 'confirmed' });
  await expect(reopened).rejects.toMatchObject({ reason: 'reopened_time_taken' });
});

test('undoing “completed” takes the rest of the time back from a hold whose deadline has passed', async () => {
  const { context, artist, add, change } = await setUp();
  const id = await add({ start: PAST, minutes: 8 * 60 });
  await change(id, { status: 'completed' });
  const start = PAST + 7 * HOUR_MS;
  const lapsed = await add({ status: 'held', start, expiresAt: NOW - 1 });
  expect(await change(id, { status: 'confirmed' })).toMatchObject({ status: 'confirmed' });
  expect((await loadAppointment(context, artist.id, lapsed, NOW)).status).toBe('expired');
  expect(await occupiesTime(context.database, lapsed)).toBe(false);
});

test('a schedule leaves out cancelled, declined and expired appointments', async () => {
  const { context, artist, add } = await setUp();
  const confirmed = await add();
  const done = await add({ status: 'completed', start: NOON - 2 * HOUR_MS });
  await add({ status: 'cancelled', start: NOON + 2 * HOUR_MS });
  await add({ status: 'declined', start: NOON + 3 * HOUR_MS });
  await add({ status: 'held', start: NOON + 4 * HOUR_MS, expiresAt: NOW - 1 });
  const span = { start: toRfc3339(NOON - 12 * HOUR_MS), end: toRfc3339(NOON + 12 * HOUR_MS) };
  const { data, count } = await listScheduledAppointments(context, artist.id, span, NOW);
  expect([data.map(({ id }) => id), count]).toEqual([[done, confirmed], 2]);
});
