import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import { changeAppointment, changeMe, confirmAppointment } from '#contract/endpoints.ts';

import { startAppointment } from '#support/app_rows.ts';
import { bookSlot, findSlot, openTestApp, type TestApp } from '#support/test_app.ts';

function loadStudio({ database }: TestApp, id: string) {
  return database
    .selectFrom('appointments')
    .innerJoin('studios', 'studios.id', 'appointments.studio_id')
    .innerJoin('appointment_times', 'appointment_times.appointment_id', 'appointments.id')
    .select([
      'studios.city',
      'studios.name',
      'studios.time_zone',
      'appointments.studio_id',
      'appointment_times.studio_id as time_studio_id',
      'appointment_times.during',
    ])
    .where('appointments.id', '=', id)
    .executeTakeFirstOrThrow();
}

/** An artist with one completed and one upcoming appointment. */
async function openWithAppointments() {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const past = await bookSlot(app, artist, await findSlot(app, artist, 24));
  const upcoming = await bookSlot(app, artist, await findSlot(app, artist, 40));
  for (const { id } of [past, upcoming])
    await call(app.http(), confirmAppointment, { path: { appt_id: id } });
  await startAppointment(app, past.id);
  await call(app.http(artist.token), changeAppointment, {
    path: { appt_id: past.id },
    body: { status: 'completed' },
  });
  const move = (json: Record<string, unknown>) =>
    call(app.http(artist.token), changeMe, { body: { studio: json } });
  return { app, past, upcoming, move };
}

test('completed appointments keep their studio address; upcoming ones move to the new one', async () => {
  const { app, past, upcoming, move } = await openWithAppointments();
  const before = await loadStudio(app, upcoming.id);
  await move({ city: 'Boston', time_zone: 'America/Chicago' });
  expect(await loadStudio(app, past.id)).toMatchObject({
    city: 'New York',
    time_zone: 'America/New_York',
  });
  const after = await loadStudio(app, upcoming.id);
  expect(after).toMatchObject({
    city: 'Boston',
    time_zone: 'America/Chicago',
    during: before.during,
  });
  expect(after.time_studio_id).toBe(after.studio_id);
  expect(after.studio_id).not.toBe(before.studio_id);
});

test('a new studio name, or an unchanged address, adds no studio', async () => {
  const { app, past, move } = await openWithAppointments();
  await move({ name: 'Quint', city: 'New York' });
  expect(await loadStudio(app, past.id)).toMatchObject({ name: 'Quint', city: 'New York' });
  expect(await app.database.selectFrom('studios').select('id').execute()).toHaveLength(1);
});

test('a studio without appointments is changed in place', async () => {
  const app = await openTestApp({ database: 'own' });
  const { token } = await app.newArtist();
  const json = { studio: { city: 'Boston' } };
  await call(app.http(token), changeMe, { body: json });
  const studios = await app.database.selectFrom('studios').select('city').execute();
  expect(studios).toEqual([{ city: 'Boston' }]);
});
