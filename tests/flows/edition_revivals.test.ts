import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { Appointment } from '#contract/appointment.ts';
import {
  changeAppointment,
  changeMe,
  changeSchedule,
  createAppointment,
  fetchAppointment,
  undoStudioChange,
} from '#contract/endpoints.ts';
import { HOUR_MS, toRfc3339 } from '#domain/time/time.ts';
import { addDesignRow } from '#support/app_rows.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { expectNoOversoldDesign } from '#support/edition_promises.ts';
import { DESIGN_GONE } from '#support/problems.ts';
import { addMinutes, bookSlot, findSlot } from '#support/test_app.ts';

test('undoing a new time zone gives a hold its time back, but not a piece that another client has booked since', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const { id: design_id } = await addDesignRow(app, artist, { editions: 1 });
  const hold = async (nth: number) =>
    bookSlot(app, artist, await findSlot(app, artist, nth), {
      ...{ design_id, email: `${randomUUID()}@example.com` },
    });
  const first = await hold(40);
  const nextHour = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  const start = toRfc3339(nextHour + HOUR_MS);
  await call(artist.http, changeAppointment, {
    path: { appt_id: first.id },
    body: { start, end: addMinutes(start, 29) },
  });
  await call(artist.http, changeSchedule, { body: { buffer_minutes: 15 } });
  const { id: appt_id } = await call(artist.http, createAppointment, {
    body: {
      client: { first_name: 'Rosa' },
      start: addMinutes(start, -30),
      end: addMinutes(start, -1),
      ignore_buffer: true,
    },
  });
  // The clock time of the hold has passed there, so that its piece is free.
  const studio = { time_zone: 'Europe/London' };
  await call(artist.http, changeMe, { body: { studio, keep: 'clock_times' } });
  const second = await hold(60);
  await app.call(`POST /appointments/confirmation/${second.id}`);
  await call(artist.http, undoStudioChange);
  await expectNoOversoldDesign(
    async (statement) => (await sql.raw(statement).execute(app.database)).rows,
  );
  expect(await app.call(`GET /appointments/confirmation/${first.id}`)).toMatchObject({
    body: { status: 'held', lapses_at: null },
  });
  // The buffer of the appointment before it is no longer shortened.
  expect(await call(artist.http, fetchAppointment, { path: { appt_id } })).toMatchObject({
    blocked_until: addMinutes(start, 14),
  });
  expect(await app.call(`POST /appointments/confirmation/${first.id}`)).toMatchObject(DESIGN_GONE);
});

test('the next session of a project whose service and design are deleted is about the same', async () => {
  const { app, artist, token, service } = await openArtistApp();
  const price = { kind: 'fixed', amount: 9000, amount_to: null, currency: 'USD' } as const;
  const { id: design_id } = await addDesignRow(app, artist, { editions: 1, price });
  const enter = (json: object) => app.call<Appointment>('POST /appointments', { token, json });
  const { body: first } = await enter({
    ...{ client: { first_name: 'Rosa' }, design_id, service_id: service.id },
    ...{ start: '2030-03-05T15:00:00Z', end: '2030-03-05T15:59:00Z' },
  });
  await app.call(`DELETE /designs/${design_id}`, { token });
  await app.call(`DELETE /services/${service.id}`, { token });
  const session = { client_id: first.client.id, next_session_of: first.id };
  const next = await enter({
    ...{ ...session, service_id: service.id },
    ...{ start: '2030-03-12T15:00:00Z', end: '2030-03-12T15:59:00Z' },
  });
  expect(next).toMatchObject({
    status: 201,
    body: { design: { id: design_id }, service: { id: service.id }, price },
  });
  const other = { client: { first_name: 'Iris' }, start: '2030-03-19T15:00:00Z' };
  for (const gone of [{ design_id }, { service_id: service.id }])
    expect((await enter({ ...other, end: '2030-03-19T15:59:00Z', ...gone })).status).toBe(404);
});

test('the cached Explore page leaves out the last piece of an artist who sets the times, once it is taken', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' }, { scheduling_type: 'managed' });
  const { id: design_id, imageId } = await addDesignRow(app, artist, { editions: 1 });
  const { token } = artist;
  await app.call('PATCH /users/me', { token, json: { is_listed: true } });
  const origin = await app.serve();
  const readExplore = async () =>
    (await fetch(new URL('/api/v1/users/artists/explore', origin))).text();
  expect(await readExplore()).toContain(imageId);
  const slot = { start: '2030-03-05T15:00:00Z', end: '2030-03-05T15:59:00Z' };
  const json = { client: { first_name: 'Rosa' }, design_id, ...slot };
  const { body } = await app.call<Appointment>('POST /appointments', { token, json });
  expect(await readExplore()).not.toContain(imageId);
  await app.call(`PATCH /appointments/${body.id}`, { token, json: { status: 'cancelled' } });
  expect(await readExplore()).toContain(imageId);
});

test('erasing a client erases private notes that their sessions share with those of another client', async () => {
  const { app, token } = await openArtistApp();
  const enter = async (day: string, json: object) => {
    const slot = { start: `2030-03-${day}T15:00:00Z`, end: `2030-03-${day}T15:59:00Z` };
    const entry = { token, json: { ...slot, ...json } };
    return (await app.call<Appointment>('POST /appointments', entry)).body;
  };
  const iris = await enter('05', { client: { first_name: 'Iris' }, private_notes: 'Faints' });
  const rosa = await enter('06', { client: { first_name: 'Rosa' } });
  const merge = await app.call<{ id: string }>(`POST /clients/${rosa.client.id}/merge`, {
    ...{ token, json: { client_id: iris.client.id } },
  });
  const session = { client_id: rosa.client.id, next_session_of: iris.id };
  const next = await enter('07', session);
  await app.call(`POST /clients/merges/${merge.body.id}/undo`, { token });
  await app.call(`PATCH /appointments/${iris.id}`, { token, json: { status: 'cancelled' } });
  await app.call(`POST /clients/${iris.client.id}/erase`, { token });
  const notesOf = async ({ id }: Appointment) =>
    (await app.call<Appointment>(`GET /appointments/${id}`, { token })).body;
  expect(await notesOf(iris)).toMatchObject({ client: { first_name: null }, private_notes: '' });
  expect(await notesOf(next)).toMatchObject({ client: { first_name: 'Rosa' }, private_notes: '' });
  await app.call(`PATCH /appointments/${next.id}`, { token, json: { private_notes: 'Likes tea' } });
  expect((await notesOf(iris)).private_notes).toBe('');
});
