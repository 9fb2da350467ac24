import { expect, test } from 'vitest';
import { HOUR_MS } from '#domain/time.ts';
import {
  findStudio,
  hasPastAppointments,
  lockArtistStudio,
} from '#server/database/studio_moves.ts';
import { addAppointment, addArtist, NOON } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

async function setUp() {
  const { database } = await openTestApp();
  const artist = await addArtist(database);
  const loadStudioIds = async (id: string) => {
    const row = await database
      .selectFrom('appointments')
      .leftJoin('appointment_times', 'appointment_times.appointment_id', 'appointments.id')
      .select(['appointments.place_id', 'appointment_times.place_id as time_place_id'])
      .where('appointments.id', '=', id)
      .executeTakeFirstOrThrow();
    return row;
  };
  return { database, artist, loadStudioIds };
}

test('an artist’s studio is found and locked, and an unknown artist has none', async () => {
  const { database, artist } = await setUp();
  expect(await findStudio(database, artist.id)).toMatchObject({
    id: artist.studioId,
    time_zone: 'America/New_York',
  });
  expect(await lockArtistStudio(database, artist.id)).toBe(artist.studioId);
  expect(await lockArtistStudio(database, crypto.randomUUID())).toBeUndefined();
});

test('a studio has past appointments once one has ended or was declined', async () => {
  const { database, artist } = await setUp();
  await addAppointment(database, artist);
  await addAppointment(database, artist, { status: 'requested', start: null });
  expect(await hasPastAppointments(database, artist.studioId, NOON + HOUR_MS - 1)).toBe(false);
  expect(await hasPastAppointments(database, artist.studioId, NOON + HOUR_MS)).toBe(true);
  const other = await addArtist(database);
  await addAppointment(database, other, { status: 'declined', start: null });
  expect(await hasPastAppointments(database, other.studioId, NOON)).toBe(true);
});
