import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { Appointment, Confirmation } from '#contract/appointment.ts';
import type { Design } from '#contract/design.ts';
import { changeSchedule } from '#contract/endpoints.ts';
import { updateArtist } from '#server/database/artists.ts';
import { addDesignRow, expireAppointment } from '#support/app_rows.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { expectOk } from '#support/call_api.ts';
import { expectNoOversoldDesign } from '#support/edition_promises.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { DESIGN_GONE } from '#support/problems.ts';
import { FILLED_FORM, findSlot, requestSlot, type TestApp } from '#support/test_app.ts';

const ALL_TAKEN = { status: 409, body: { detail: expect.stringMatching(/as often as it may be/) } };

/** An artist with a design that may be tattooed so often. */
async function setUp(editions: number | null, kind: 'service' | 'managed' = 'service') {
  const { app, artist } = await openArtistApp({}, { scheduling_type: kind });
  const { id: designId } = await addDesignRow(app, artist, { editions });
  const { token } = artist;
  await call(app.http(token), changeSchedule, { body: { client_cancel_notice_hours: 0 } });
  let nth = 20;
  const nextSlot = () => {
    nth += 1;
    return findSlot(app, artist, nth);
  };
  return {
    app,
    artist,
    designId,
    nextSlot,
    hold: async (changes: object = {}) =>
      requestSlot(app, artist, await nextSlot(), {
        design_id: designId,
        email: `${randomUUID()}@example.com`,
        ...changes,
      }),
    request: () =>
      app.call<Confirmation>(`POST /appointments/request/design?username=${artist.username}`, {
        json: { ...FILLED_FORM, design_id: designId, email: `${randomUUID()}@example.com` },
      }),
    act: (id: string, action = '') =>
      app.call<Confirmation>(`POST /appointments/confirmation/${id}${action}`),
    change: (id: string, json: object) =>
      app.call<Appointment>(`PATCH /appointments/${id}`, { token, json }),
    enter: async (json: object) =>
      app.call<Appointment>('POST /appointments', {
        token,
        json: { client: { first_name: 'Rosa' }, ...(await nextSlot()), ...json },
      }),
    left: async () => (await expectOk(app.call<Design>(`GET /designs/${designId}`))).left,
    expectPromises: () => expectPromises(app),
  };
}

function expectPromises({ database }: TestApp): Promise<void> {
  return expectNoOversoldDesign(
    async (statement) => (await sql.raw(statement).execute(database)).rows,
  );
}

async function isListed(app: TestApp, { username }: TestArtist, designId: string) {
  const { data } = await expectOk(
    app.call<{ data: Design[] }>(`GET /designs/${username}/available`),
  );
  return data.some(({ id }) => id === designId);
}

test('a hold uses up the last edition: others are refused, and see it as taken', async () => {
  const { app, artist, designId, hold, left, expectPromises: check } = await setUp(1);
  expect(await isListed(app, artist, designId)).toBe(true);
  expect((await hold()).status).toBe(201);
  expect(await hold()).toMatchObject(DESIGN_GONE);
  expect(await left()).toBe(0);
  expect(await isListed(app, artist, designId)).toBe(false);
  await check();
});

test('a refusal names designs that are alike', async () => {
  const { app, artist, hold } = await setUp(1);
  await addDesignRow(app, artist, { name: 'Hidden', status: 'hidden' });
  const { id } = await addDesignRow(app, artist, { name: 'Alike' });
  await hold();
  expect(await hold()).toMatchObject({ ...DESIGN_GONE, body: { alike: [{ id, name: 'Alike' }] } });
});

test.each([
  ['releases it', '/release', 'held'],
  ['cancels', '/cancel', 'confirmed'],
])('the edition is free again when the client %s', async (_, action, status) => {
  const { hold, act, left, expectPromises: check } = await setUp(1);
  const { body } = await hold();
  if (status === 'confirmed') expect((await act(body.id)).body.status).toBe('confirmed');
  expect(await left()).toBe(0);
  expect((await act(body.id, action)).status).toBe(200);
  expect(await left()).toBe(1);
  expect((await hold()).status).toBe(201);
  await check();
});

test('a lapsed hold gives its edition back at once, and can be confirmed only while its project has one', async () => {
  const { app, artist, hold, enter, act, left, expectPromises: check } = await setUp(1);
  const { body: first } = await hold();
  await expireAppointment(app, first.id);
  expect(await left()).toBe(1);
  const { body: second } = await hold();
  expect(await act(first.id)).toMatchObject(DESIGN_GONE);
  await act(second.id, '/release');
  const { token } = artist;
  const { body } = await app.call<Appointment>(`GET /appointments/${first.id}`, { token });
  const session = { client: undefined, client_id: body.client.id, next_session_of: first.id };
  expect((await enter(session)).body.status).toBe('confirmed');
  const page = await app.call<Confirmation>(`GET /appointments/confirmation/${first.id}`);
  expect(page.body.can).toEqual(['confirm']);
  expect((await act(first.id)).body.status).toBe('confirmed');
  expect(await left()).toBe(0);
  await check();
});

test('requests use up no edition; the first offer does, until it is declined', async () => {
  const { nextSlot, request, change, act, left, expectPromises: check } = await setUp(1, 'managed');
  const [one, other] = [await request(), await request()];
  expect([one.status, other.status, await left()]).toEqual([201, 201, 1]);
  expect((await change(one.body.id, await nextSlot())).body.status).toBe('offered');
  expect(await left()).toBe(0);
  expect(await change(other.body.id, await nextSlot())).toMatchObject(ALL_TAKEN);
  expect(await request()).toMatchObject(DESIGN_GONE);
  await act(one.body.id, '/decline');
  expect(await left()).toBe(1);
  expect((await change(other.body.id, await nextSlot())).body.status).toBe('offered');
  await check();
});

test('a request that the artist cancels keeps no piece taken, because it used up none', async () => {
  const { request, change, left } = await setUp(1, 'managed');
  const { body } = await request();
  const cancelled = await change(body.id, { status: 'cancelled', keep_edition: true });
  expect(cancelled.body).toMatchObject({ status: 'cancelled', keeps_edition: false });
  expect(await left()).toBe(1);
});

test('a request in place of the hold of the last piece is not refused because of that hold', async () => {
  const { app, artist, designId, hold, left } = await setUp(1);
  const { body: held } = await hold();
  await updateArtist(app.database, artist.self.id, { scheduling_type: 'managed' });
  const request = (json: object) =>
    app.call<Confirmation>(`POST /appointments/request/design?username=${artist.username}`, {
      json: { ...FILLED_FORM, design_id: designId, ...json },
    });
  expect(await request({})).toMatchObject(DESIGN_GONE);
  expect((await request({ replaces: held.id })).status).toBe(201);
  expect(await left()).toBe(1);
});

test('those who want the same piece are listed while the artist decides, but for a design without a limit', async () => {
  const { app, artist, designId, nextSlot, request, change } = await setUp(1, 'managed');
  const [one, other] = [await request(), await request()];
  const { token } = artist;
  const rivals = async (id: string) => {
    const list = app.call<{ data: Appointment[] }>(`GET /appointments/${id}/rivals`, { token });
    return (await expectOk(list)).data.map(({ id: rival }) => rival);
  };
  expect(await rivals(one.body.id)).toEqual([other.body.id]);
  await change(other.body.id, { status: 'declined' });
  expect(await rivals(one.body.id)).toEqual([]);
  await change(one.body.id, await nextSlot());
  expect(await rivals(other.body.id)).toEqual([]);
  const limit = (editions: number | null) =>
    expectOk(app.call(`PATCH /designs/${designId}`, { token, json: { editions } }));
  await limit(2);
  const [third, fourth] = [await request(), await request()];
  expect(await rivals(third.body.id)).toEqual([one.body.id, fourth.body.id]);
  await expectOk(app.call(`PATCH /designs/${designId}`, { token, json: { editions: null } }));
  expect(await rivals(third.body.id)).toEqual([]);
  // One that was offered a time, and requests without one.
  expect(await rivals(one.body.id)).toEqual([]);
});

test('twenty lapsed holds do not hide a request from those who want the same piece', async () => {
  const { app, artist, hold, request } = await setUp(30);
  const { token, self } = artist;
  for (let count = 0; count < 20; count += 1) {
    const { body } = await hold();
    await expireAppointment(app, body.id);
  }
  const { body: held } = await hold();
  await updateArtist(app.database, self.id, { scheduling_type: 'managed' });
  const { body: wanted } = await request();
  const list = app.call<{ data: Appointment[] }>(`GET /appointments/${held.id}/rivals`, { token });
  expect((await expectOk(list)).data.map(({ id }) => id)).toEqual([wanted.id]);
});

test('a cancellation by the artist gives the edition back, unless they keep the piece taken, until its deletion', async () => {
  const { app, artist, hold, act, change, left } = await setUp(1);
  const { body: first } = await hold();
  await act(first.id);
  await change(first.id, { status: 'cancelled' });
  expect(await left()).toBe(1);
  const { body: second } = await hold();
  await act(second.id);
  expect(await change(second.id, { status: 'cancelled', keep_edition: true })).toMatchObject({
    body: { keeps_edition: true },
  });
  expect(await left()).toBe(0);
  expect(await hold()).toMatchObject(DESIGN_GONE);
  await app.call(`DELETE /appointments/${second.id}`, { token: artist.token });
  expect(await left()).toBe(1);
});

test('the notes of a project are shared; the next session is with the same client', async () => {
  const { app, artist, enter, change } = await setUp(null);
  const { body: first } = await enter({ private_notes: 'Thick lines' });
  const next = { client: undefined, client_id: first.client.id, next_session_of: first.id };
  const { body: second } = await enter(next);
  expect(second.private_notes).toBe('Thick lines');
  await change(second.id, { private_notes: 'Bring the stencil' });
  const { token } = artist;
  expect(await app.call(`GET /appointments/${first.id}`, { token })).toMatchObject({
    body: { private_notes: 'Bring the stencil', project_id: first.id },
  });
  expect(await enter({ next_session_of: first.id })).toMatchObject({
    status: 409,
    body: { detail: 'The next session must be with the same client.' },
  });
});
