import { expect, test } from 'vitest';
import { changeAppointment, confirmAppointment } from '#client/appointments.ts';
import { changeMe } from '#client/artists.ts';
import { begin } from '#support/rows.ts';
import { aSlot, openTestApp, pickSlot, type TestApp } from '#support/test_app.ts';

function placeOf({ database }: TestApp, id: string) {
  return database
    .selectFrom('appointments')
    .innerJoin('places', 'places.id', 'appointments.place_id')
    .innerJoin('appointment_times', 'appointment_times.appointment_id', 'appointments.id')
    .select([
      'places.city',
      'places.name',
      'places.time_zone',
      'appointments.place_id',
      'appointment_times.place_id as time_place_id',
      'appointment_times.during',
    ])
    .where('appointments.id', '=', id)
    .executeTakeFirstOrThrow();
}

/** An artist with one appointment that is over and one that is ahead. */
async function busyArtist() {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  const past = await pickSlot(studio, artist, await aSlot(studio, artist, 24));
  const ahead = await pickSlot(studio, artist, await aSlot(studio, artist, 40));
  for (const { id } of [past, ahead]) await confirmAppointment(studio.http(), id);
  await begin(studio, past.id);
  await changeAppointment(studio.http(artist.token), past.id, { status: 'completed' });
  const move = (json: Record<string, unknown>) =>
    changeMe(studio.http(artist.token), { studio: json });
  return { studio, past, ahead, move };
}

test('appointments that are over stay where they were; those ahead move along', async () => {
  const { studio, past, ahead, move } = await busyArtist();
  const before = await placeOf(studio, ahead.id);
  await move({ city: 'Boston', time_zone: 'America/Chicago' });
  expect(await placeOf(studio, past.id)).toMatchObject({
    city: 'New York',
    time_zone: 'America/New_York',
  });
  const after = await placeOf(studio, ahead.id);
  expect(after).toMatchObject({
    city: 'Boston',
    time_zone: 'America/Chicago',
    during: before.during,
  });
  expect(after.time_place_id).toBe(after.place_id);
  expect(after.place_id).not.toBe(before.place_id);
});

test('a new name, or the same address again, moves nothing', async () => {
  const { studio, past, move } = await busyArtist();
  await move({ name: 'Quint', city: 'New York' });
  expect(await placeOf(studio, past.id)).toMatchObject({ name: 'Quint', city: 'New York' });
  expect(await studio.database.selectFrom('places').select('id').execute()).toHaveLength(1);
});

test('a studio where nothing has happened yet is changed as it is', async () => {
  const studio = await openTestApp({ database: 'own' });
  const { token } = await studio.artist();
  const json = { studio: { city: 'Boston' } };
  await changeMe(studio.http(token), json);
  const places = await studio.database.selectFrom('places').select('city').execute();
  expect(places).toEqual([{ city: 'Boston' }]);
});
