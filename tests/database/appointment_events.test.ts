import { expect, test } from 'vitest';
import { HOUR_MS } from '#domain/time.ts';
import {
  findClientView,
  insertAppointmentEvents,
  listAppointmentEvents,
} from '#server/database/appointment_events.ts';
import { addAppointment, addArtist, NOON } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

async function setUp() {
  const { database } = await openTestApp();
  const artist = await addArtist(database);
  const id = await addAppointment(database, artist);
  const created = {
    appointmentId: id,
    actor: 'client',
    what: 'held',
    at: NOON - HOUR_MS,
    fromStatus: null,
    toStatus: 'held',
    fromStart: null,
    toStart: NOON,
  } as const;
  const declined = {
    ...created,
    what: 'offer_declined',
    fromStatus: 'offered',
    toStatus: 'requested',
    fromStart: NOON,
    toStart: null,
    note: 'I am away.',
  } as const;
  return { database, artist, id, created, declined };
}

test('events are listed in the order in which they were added, also within one instant', async () => {
  const { database, artist, id, created, declined } = await setUp();
  await insertAppointmentEvents(database, [created]);
  await insertAppointmentEvents(database, [declined]);
  await insertAppointmentEvents(database, []);
  expect(await listAppointmentEvents(database, artist.id, id)).toMatchObject([
    { what: 'held', from_status: null, from_start: null, to_start: new Date(NOON), note: null },
    { what: 'offer_declined', from_start: new Date(NOON), to_start: null, note: 'I am away.' },
  ]);
});

test('the history of another artist’s appointment is not read', async () => {
  const { database, id, created } = await setUp();
  await insertAppointmentEvents(database, [created]);
  const other = await addArtist(database);
  expect(await listAppointmentEvents(database, other.id, id)).toEqual([]);
  expect(await findClientView(database, other.id, id)).toBeUndefined();
});
