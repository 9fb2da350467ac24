import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import {
  changeAppointment,
  declineOffer,
  fetchAppointment,
  listAppointmentEvents,
  listAppointments,
  requestDesign,
} from '#contract/endpoints.ts';
import { expireAppointment } from '#support/app_rows.ts';
import { openArtistApp } from '#support/artist_app.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { FILLED_FORM, findSlot } from '#support/test_app.ts';

async function setUp() {
  const { app, artist } = await openArtistApp({}, { scheduling_type: 'managed' });
  const { id } = await call(app.http(), requestDesign, {
    query: { username: artist.username },
    header: { 'idempotency-key': randomUUID() },
    body: FILLED_FORM,
  });
  const path = { appt_id: id };
  const times = await findSlot(app, artist);
  return {
    ...{ app, artist, path },
    start: times.start,
    offer: (note?: string) =>
      call(artist.http, changeAppointment, { path, body: { ...times, ...(note && { note }) } }),
    endedOffer: async () => (await call(artist.http, fetchAppointment, { path })).ended_offer,
    history: () => listHistory(artist, id),
    /** The requests as the artist's list has them. */
    listed: async () =>
      (await call(artist.http, listAppointments, { query: { status: 'requested' } })).data,
  };
}

async function listHistory({ http }: TestArtist, id: string) {
  const { data, count } = await call(http, listAppointmentEvents, { path: { appt_id: id } });
  expect(count).toBe(data.length);
  return data;
}

test('a lapsed offer is in the history and on the request before any sweep has stored it', async () => {
  const { app, path, start, offer, endedOffer, history, listed } = await setUp();
  expect(await endedOffer()).toBeNull();
  const offered = await offer('Bring the sketch.');
  expect(offered).toMatchObject({ note: 'Bring the sketch.', ended_offer: null });
  await expireAppointment(app, path.appt_id);
  expect(await endedOffer()).toEqual({ what: 'offer_lapsed', start, note: null });
  expect((await listed()).map(({ ended_offer }) => ended_offer?.what)).toEqual(['offer_lapsed']);
  expect(await history()).toMatchObject([
    { by: 'client', what: 'requested', to_start: null },
    { by: 'artist', what: 'offered', to_start: start, note: 'Bring the sketch.' },
    {
      by: 'system',
      what: 'offer_lapsed',
      from_status: 'offered',
      to_status: 'requested',
      from_start: start,
      to_start: null,
    },
  ]);
});

test('an offer that the client declined is on the request with their words, until the next offer', async () => {
  const { app, path, start, offer, endedOffer, history, listed } = await setUp();
  await offer();
  await call(app.http(), declineOffer, { path, body: { note: 'I am away that week.' } });
  const declined = { what: 'offer_declined', start, note: 'I am away that week.' };
  expect(await endedOffer()).toEqual(declined);
  expect((await listed()).map(({ ended_offer }) => ended_offer)).toEqual([declined]);
  expect(await offer()).toMatchObject({ status: 'offered', ended_offer: null });
  expect((await history()).map(({ what }) => what)).toEqual([
    'requested',
    'offered',
    'offer_declined',
    'offered',
  ]);
});
