import { expect, test } from 'vitest';
import { listAppointmentEvents } from '#server/database/appointment_events.ts';
import { findAppointment } from '#server/database/appointments.ts';
import { saveTransition } from '#server/operations/save_transition.ts';
import { addAppointment, addArtist, NOON } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

async function setUp() {
  const { database } = await openTestApp();
  const artist = await addArtist(database);
  const id = await addAppointment(database, artist);
  const row = await findAppointment(database, artist.id, id);
  if (!row) throw new Error('There is no such appointment');
  return { database, artist, id, row };
}

const CANCELLED = { actor: 'artist', what: 'cancelled', status: 'cancelled' } as const;

test('a transition changes the status and the version, and adds one event', async () => {
  const { database, artist, id, row } = await setUp();
  await saveTransition(database, row, { ...CANCELLED, note: 'I am ill.' }, NOON);
  expect(await findAppointment(database, artist.id, id)).toMatchObject({
    status: 'cancelled',
    version: 2,
    artist_note: null,
  });
  expect(await listAppointmentEvents(database, artist.id, id)).toMatchObject([
    {
      actor: 'artist',
      what: 'cancelled',
      from_status: 'confirmed',
      to_status: 'cancelled',
      from_start: new Date(NOON),
      to_start: new Date(NOON),
      note: 'I am ill.',
    },
  ]);
});

test('of two transitions from the same version one is refused, and adds no event', async () => {
  const { database, artist, id, row } = await setUp();
  await saveTransition(database, row, CANCELLED, NOON);
  await expect(saveTransition(database, row, CANCELLED, NOON)).rejects.toMatchObject({
    reason: 'status_changed',
  });
  expect(await listAppointmentEvents(database, artist.id, id)).toHaveLength(1);
});
