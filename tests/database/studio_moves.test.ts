import { expect, test } from 'vitest';
import { HOUR_MS } from '#domain/time.ts';
import {
  findStudio,
  hasPastAppointments,
  lockArtistStudio,
  moveStudio,
} from '#server/database/studio_moves.ts';
import { addAppointment, addArtist, NOON } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

const BERLIN = {
  name: 'Studio Berlin',
  address_one: 'Musterstraße 1',
  city: 'Berlin',
  state: 'BE',
  zip_code: '10115',
  time_zone: 'Europe/Berlin',
};

async function open() {
  const { database } = await openTestApp();
  const artist = await addArtist(database);
  const placeOf = async (id: string) => {
    const row = await database
      .selectFrom('appointments')
      .leftJoin('appointment_times', 'appointment_times.appointment_id', 'appointments.id')
      .select(['appointments.place_id', 'appointment_times.place_id as time_place_id'])
      .where('appointments.id', '=', id)
      .executeTakeFirstOrThrow();
    return row;
  };
  return { database, artist, placeOf };
}

test('the studio of an artist is found and held; nobody has none', async () => {
  const { database, artist } = await open();
  expect(await findStudio(database, artist.id)).toMatchObject({
    id: artist.studioId,
    time_zone: 'America/New_York',
  });
  expect(await lockArtistStudio(database, artist.id)).toBe(artist.studioId);
  expect(await lockArtistStudio(database, crypto.randomUUID())).toBeUndefined();
});

test('a move takes along all that is ahead and leaves what is over where it was', async () => {
  const { database, artist, placeOf } = await open();
  const at = (hours: number, status: 'confirmed' | 'cancelled' | 'completed' | 'held') =>
    addAppointment(database, artist, { status, start: NOON + hours * HOUR_MS });
  const ahead = await at(2, 'confirmed');
  const request = await addAppointment(database, artist, { status: 'requested', start: null });
  const over = await at(-4, 'confirmed');
  const cancelled = await at(6, 'cancelled');
  await moveStudio(database, artist.id, artist.studioId, BERLIN, NOON);
  const studio = await findStudio(database, artist.id);
  expect(studio).toMatchObject(BERLIN);
  const id = studio?.id;
  expect(await placeOf(ahead)).toEqual({ place_id: id, time_place_id: id });
  expect((await placeOf(request)).place_id).toBe(id);
  expect((await placeOf(over)).place_id).toBe(artist.studioId);
  expect((await placeOf(cancelled)).place_id).toBe(artist.studioId);
});

test('a lapsed hold moves along, for its client may still confirm it', async () => {
  const { database, artist, placeOf } = await open();
  const expired = await addAppointment(database, artist, {
    status: 'expired',
    start: NOON + HOUR_MS,
  });
  await moveStudio(database, artist.id, artist.studioId, BERLIN, NOON);
  expect((await placeOf(expired)).place_id).not.toBe(artist.studioId);
});

test('a studio has a past once an appointment there is over or settled', async () => {
  const { database, artist } = await open();
  await addAppointment(database, artist);
  await addAppointment(database, artist, { status: 'requested', start: null });
  expect(await hasPastAppointments(database, artist.studioId, NOON + HOUR_MS - 1)).toBe(false);
  expect(await hasPastAppointments(database, artist.studioId, NOON + HOUR_MS)).toBe(true);
  const other = await addArtist(database);
  await addAppointment(database, other, { status: 'declined', start: null });
  expect(await hasPastAppointments(database, other.studioId, NOON)).toBe(true);
});
