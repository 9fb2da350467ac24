import { expect, test } from 'vitest';
import { HOUR_MS } from '#domain/time.ts';
import { findAppointment } from '#server/database/appointments.ts';
import { toAppointment, toConfirmation } from '#server/operations/to_appointment.ts';
import { addAppointment, addArtist, addDesign, addService, NOON } from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

async function open(changes: Parameters<typeof addAppointment>[2] = {}) {
  const { context } = await openTestContext();
  const { database, images } = context;
  const artist = await addArtist(database);
  const { id: serviceId } = await addService(database, artist);
  const { id: designId } = await addDesign(database, artist);
  const of = { serviceId, designId, buffer: 15, ...changes };
  const id = await addAppointment(database, artist, of);
  const row = await findAppointment(database, artist.id, id);
  if (!row) throw new Error('There is no such appointment');
  return {
    row,
    forClient: (now = NOON - HOUR_MS) => toConfirmation(images, row, now),
    forArtist: (now = NOON - HOUR_MS) => toAppointment(images, row, now),
  };
}

test('a client sees the first name and nothing else that would tell who they are', async () => {
  const { forClient } = await open();
  const shown = forClient();
  expect(Object.keys(shown).toSorted()).toEqual([
    'client',
    'confirmed',
    'design',
    'end',
    'id',
    'note',
    'service',
    'start',
    'status',
    'user',
  ]);
  expect(shown.client).toEqual({ first_name: 'Rosa' });
  expect(Object.keys(shown.user).toSorted()).toEqual(['full_name', 'studio', 'username']);
  expect(JSON.stringify(shown)).not.toContain('rosa@example.com');
});

test('times end with their last minute, and the artist sees until when it is kept free', async () => {
  const { forArtist } = await open();
  expect(forArtist()).toMatchObject({
    start: '2030-06-03T12:00:00Z',
    end: '2030-06-03T12:59:00Z',
    blocked_until: '2030-06-03T13:14:00Z',
  });
});

test('a request has no times', async () => {
  const { forArtist } = await open({ status: 'requested', start: null });
  expect(forArtist()).toMatchObject({ start: null, end: null, blocked_until: null });
});

test('a hold that has lapsed is shown as expired, swept or not', async () => {
  const { forClient, forArtist } = await open({ status: 'held', expiresAt: NOON - HOUR_MS });
  expect(forClient(NOON - HOUR_MS - 1)).toMatchObject({ status: 'held', confirmed: false });
  expect(forClient(NOON - HOUR_MS)).toMatchObject({ status: 'expired', confirmed: false });
  expect(forArtist(NOON - HOUR_MS)).toMatchObject({ status: 'expired' });
});

test('service and design are shown while they are known, else null', async () => {
  const { forArtist } = await open();
  expect(forArtist()).toMatchObject({
    service: { name: 'Flash', duration: 60 },
    design: { name: 'Swallow', image: { title: 'A swallow' } },
  });
  const without = await open({ serviceId: null, designId: null });
  expect(without.forArtist()).toMatchObject({ service: null, design: null });
});

test('the artist sees the whole client and the version', async () => {
  const { row, forArtist } = await open();
  expect(forArtist()).toMatchObject({
    version: 1,
    client: {
      id: row.client_id,
      first_name: 'Rosa',
      last_name: 'Quint',
      email: 'rosa@example.com',
    },
  });
});
