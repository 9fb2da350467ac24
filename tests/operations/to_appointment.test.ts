import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import { findAppointment } from '#server/database/appointments.ts';
import { toAppointment, toConfirmation } from '#server/operations/to_appointment.ts';
import { addAppointment, addArtist, NOON } from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

const EVENTS = (['held', 'confirmed', 'completed', 'no_show', 'reopened'] as const).map((what) => ({
  actor: 'client' as const,
  what,
  at: NOON - HOUR_MS,
  start: NOON,
}));

const DATA_REQUESTS = [
  { id: 'a', kind: 'copy' as const, askedAt: NOON - 40 * DAY_MS, doneAt: NOON - 39 * DAY_MS },
  { id: 'b', kind: 'copy' as const, askedAt: NOON - 5 * DAY_MS, doneAt: NOON - 4 * DAY_MS },
  { id: 'c', kind: 'erasure' as const, askedAt: NOON - 40 * DAY_MS, doneAt: null },
];

const OPEN_TO_CLIENT = { can: ['confirm' as const], cancelUntil: null, moveUntil: null };

async function setUp(changes: Parameters<typeof addAppointment>[2] = {}) {
  const { context } = await openTestContext();
  const { database, images } = context;
  const artist = await addArtist(database);
  const id = await addAppointment(database, artist, changes);
  const row = await findAppointment(database, artist.id, id);
  if (!row) throw new Error('There is no such appointment');
  return {
    forClient: (now = NOON - HOUR_MS, isEmailProven = true) =>
      toConfirmation(
        images,
        { ...row, email_proven: isEmailProven },
        { times: [], events: EVENTS, data_requests: DATA_REQUESTS, data_erased_at: null },
        OPEN_TO_CLIENT,
        now,
      ),
    forArtist: (now = NOON - HOUR_MS) => toAppointment(images, row, now),
  };
}

test('a confirmation shows what the client cannot ask for again yet, without ids', async () => {
  const { forClient } = await setUp();
  expect(forClient().data_requests).toEqual([
    { kind: 'copy', asked_at: '2030-05-29T12:00:00Z', done_at: '2030-05-30T12:00:00Z' },
    { kind: 'erasure', asked_at: '2030-04-24T12:00:00Z', done_at: null },
  ]);
  // Anyone can book with anyone's email.
  expect(forClient(NOON - HOUR_MS, false).data_requests).toEqual([]);
});

test('a hold past its expiry is expired, even before a task has updated its status', async () => {
  const { forClient, forArtist } = await setUp({ status: 'held', expiresAt: NOON - HOUR_MS });
  expect(forClient(NOON - HOUR_MS - 1)).toMatchObject({ status: 'held', confirmed: false });
  expect(forClient(NOON - HOUR_MS)).toMatchObject({ status: 'expired', confirmed: false });
  expect(forArtist(NOON - HOUR_MS)).toMatchObject({ status: 'expired' });
});

test('the client’s history leaves out what concerns only the artist', async () => {
  const { forClient } = await setUp();
  expect(forClient().history).toEqual([
    { at: '2030-06-03T11:00:00Z', by: 'client', what: 'held', start: '2030-06-03T12:00:00Z' },
    { at: '2030-06-03T11:00:00Z', by: 'client', what: 'confirmed', start: '2030-06-03T12:00:00Z' },
  ]);
});
