import { expect, test } from 'vitest';
import { DAY_MS } from '#domain/time.ts';
import { findAppointment } from '#server/database/appointments.ts';
import { updateArtist } from '#server/database/artists.ts';
import { toClientView } from '#server/operations/client_view.ts';
import { addAppointment, addArtist, addService, NOON } from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

async function setUp(changes: Parameters<typeof addAppointment>[2] = {}) {
  const { context } = await openTestContext();
  const { database } = context;
  const artist = await addArtist(database);
  const { id: serviceId } = await addService(database, artist);
  const id = await addAppointment(database, artist, { serviceId, ...changes });
  const view = async (now = NOON - 3 * DAY_MS) => {
    const row = await findAppointment(database, artist.id, id);
    if (!row) throw new Error('There is no such appointment');
    return toClientView(context, database, row, now);
  };
  return { database, artist, view };
}

test('a hold of a deactivated artist cannot be confirmed, but released', async () => {
  const { database, artist, view } = await setUp({ status: 'held', expiresAt: NOON });
  expect((await view()).can).toContain('confirm');
  await updateArtist(database, artist.id, { is_active: false });
  expect((await view()).can).toEqual(['release', 'change_email']);
});
