import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS, toRfc3339 } from '#domain/time.ts';
import {
  deleteAppointment,
  listAppointmentsOfClient,
  listScheduledAppointments,
  loadAppointment,
  updateAppointment,
} from '#server/operations/appointments.ts';
import { loadConfirmation } from '#server/operations/confirmation.ts';
import {
  addAppointment,
  addArtist,
  addClient,
  listNotices,
  NOON,
  occupiesTime,
} from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

const NOT_FOUND = { reason: 'not_found' };
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

test('giving a request a time makes it an offer, reserves the time and mails the client', async () => {
  const { context, add, change, notices } = await setUp();
  const id = await add({ status: 'requested', start: null });
  expect(await change(id, hourFrom(NOON))).toMatchObject({ status: 'offered', version: 2 });
  expect(await occupiesTime(context.database, id)).toBe(true);
  expect(await notices()).toEqual(['offer to rosa@example.com']);
});

test('an empty note to the same time removes the note of an offer, and mails the client', async () => {
  const { context, add, change, notices } = await setUp();
  const id = await add({ status: 'requested', start: null });
  await change(id, { ...hourFrom(NOON), note: 'By the car' });
  expect(await change(id, { ...hourFrom(NOON), note: '' })).toMatchObject({
    version: 3,
    note: null,
  });
  expect((await loadConfirmation(context, id, NOW)).note).toBeNull();
  expect(await notices()).toHaveLength(2);
  const mails = await context.database
    .selectFrom('mails')
    .select('notice')
    .where('appointment_id', '=', id)
    .orderBy('position')
    .execute();
  expect(mails.map(({ notice }) => 'appointment' in notice && notice.appointment.note)).toEqual([
    'By the car',
    null,
  ]);
});

test.for([
  { stored: 'By the car', note: 'By the car' },
  { stored: 'By the car', note: undefined },
  { stored: '', note: '' },
])(
  'the same time with the same note changes nothing and mails nobody: $stored, then $note',
  async ({ stored, note }) => {
    const { add, change, notices } = await setUp();
    const id = await add({ status: 'requested', start: null });
    await change(id, { ...hourFrom(NOON), note: stored });
    const again = await change(id, { ...hourFrom(NOON), note });
    expect(again).toMatchObject({ version: 2, note: stored || null });
    expect(await notices()).toHaveLength(1);
  },
);

test('a moved offer keeps its note unless the artist sets another or none', async () => {
  const { add, change } = await setUp();
  const id = await add({ status: 'requested', start: null });
  await change(id, { ...hourFrom(NOON), note: 'By the car' });
  const moved = await change(id, hourFrom(NOON + HOUR_MS));
  expect(moved.note).toBe('By the car');
  const without = await change(id, { ...hourFrom(NOON), note: '' });
  expect(without.note).toBeNull();
});

test('a confirmed appointment stays confirmed when it is moved', async () => {
  const { add, change, notices } = await setUp();
  const id = await add();
  expect(await change(id, hourFrom(NOON + 2 * HOUR_MS))).toMatchObject({
    status: 'confirmed',
    ...hourFrom(NOON + 2 * HOUR_MS),
  });
  expect(await notices()).toEqual(['moved to rosa@example.com']);
});

test('a move onto another appointment is refused and changes nothing', async () => {
  const { context, artist, add, change, notices } = await setUp();
  const id = await add();
  await add({ start: NOON + 2 * HOUR_MS });
  const moving = change(id, hourFrom(NOON + 2 * HOUR_MS));
  await expect(moving).rejects.toMatchObject({ reason: 'time_taken' });
  expect(await loadAppointment(context, artist.id, id, NOW)).toMatchObject({
    version: 1,
    ...hourFrom(NOON),
  });
  expect(await notices()).toEqual([]);
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

test('a change to an outdated version is refused', async () => {
  const { add, change } = await setUp();
  const id = await add();
  await change(id, { ...hourFrom(NOON + HOUR_MS), version: 1 });
  const stale = { reason: 'stale_version' };
  await expect(change(id, { ...hourFrom(NOON), version: 1 })).rejects.toMatchObject(stale);
  await expect(change(id, { status: 'cancelled', version: 1 })).rejects.toMatchObject(stale);
});

test('cancelling an appointment frees its time, stores the note and mails the client', async () => {
  const { context, add, change, notices } = await setUp();
  const id = await add();
  expect(await change(id, { status: 'cancelled', note: 'I am ill' })).toMatchObject({
    status: 'cancelled',
    note: 'I am ill',
  });
  expect(await occupiesTime(context.database, id)).toBe(false);
  expect(await notices()).toEqual(['cancelled to rosa@example.com']);
});

test.for(['completed', 'no_show'] as const)(
  'marking an appointment %s and undoing it keeps its note, which cancelling removes',
  async (status) => {
    const { add, change } = await setUp();
    const id = await add({ start: PAST });
    const move = { ...hourFrom(PAST + HOUR_MS), note: 'By the car' };
    expect((await change(id, move)).note).toBe('By the car');
    expect((await change(id, { status })).note).toBe('By the car');
    expect((await change(id, { status: 'confirmed' })).note).toBe('By the car');
    expect((await change(id, { status: 'cancelled' })).note).toBeNull();
  },
);

test('undoing “completed” after the rest of the time was booked is refused with a reason of its own', async () => {
  const { add, change } = await setUp();
  const id = await add({ start: PAST, minutes: 8 * 60 });
  await change(id, { status: 'completed' });
  await add({ start: PAST + 7 * HOUR_MS });
  await expect(change(id, { status: 'confirmed' })).rejects.toMatchObject({
    reason: 'reopened_time_taken',
  });
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

test('an expired hold can be deleted, a confirmed appointment cannot', async () => {
  const { context, artist, add } = await setUp();
  const confirmed = await add();
  const refused = deleteAppointment(context, artist.id, confirmed);
  await expect(refused).rejects.toMatchObject({ reason: 'not_deletable' });
  const expired = await add({ status: 'held', start: NOON + HOUR_MS, expiresAt: NOW - 1 });
  await deleteAppointment(context, artist.id, expired);
  await expect(loadAppointment(context, artist.id, expired, NOW)).rejects.toMatchObject(NOT_FOUND);
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

test('an artist lists the appointments of their own client only', async () => {
  const { context, artist, add } = await setUp();
  const client = await addClient(context.database, artist);
  const id = await add({ client });
  await add({ start: NOON + HOUR_MS });
  const page = { skip: 0, limit: 100 };
  const listed = await listAppointmentsOfClient(context, artist.id, client, page, NOW);
  expect(listed.data.map((one) => one.id)).toEqual([id]);
  const { id: other } = await addArtist(context.database);
  const foreign = listAppointmentsOfClient(context, other, client, page, NOW);
  await expect(foreign).rejects.toMatchObject(NOT_FOUND);
});
