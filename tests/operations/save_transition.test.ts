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

test('of two transitions from the same version one is refused, and adds no event', async () => {
  const { database, artist, id, row } = await setUp();
  await saveTransition(database, row, CANCELLED, NOON);
  await expect(saveTransition(database, row, CANCELLED, NOON)).rejects.toMatchObject({
    reason: 'status_changed',
  });
  expect(await listAppointmentEvents(database, artist.id, id)).toHaveLength(1);
});
