import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import * as endpoints from '#contract/endpoints.ts';
import { DAY_MS } from '#domain/time.ts';
import {
  deleteMails,
  deleteOldDetails,
  erasePerson,
  findErasable,
  listEmailsOfClient,
  listMailsAboutClient,
} from '#server/database/erasure.ts';
import { bookSlot, FILLED_FORM, findSlot, openTestApp } from '#support/test_app.ts';
import { passTime } from '#support/time_travel.ts';

/** A client with one appointment, and one with another email of whom nothing may change. */
async function setUp() {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const booked = await bookSlot(app, artist, await findSlot(app, artist, 10));
  await call(app.http(), endpoints.confirmAppointment, { path: { appt_id: booked.id } });
  await bookSlot(app, artist, await findSlot(app, artist, 30), { email: 'ines@example.com' });
  const { data } = await call(artist.http, endpoints.listClients);
  const [ines, rosa] = data;
  if (!ines || !rosa) throw new Error('There are too few clients');
  return { app, artist, booked, ines, rosa, artistId: artist.self.id };
}

test('the emails of a client are those of the record and the appointments, without another client’s', async () => {
  const { app, artist, rosa, ines, artistId } = await setUp();
  const change = (id: string, email: string) =>
    call(artist.http, endpoints.changeClient, { path: { client_id: id }, body: { email } });
  expect(await listEmailsOfClient(app.database, artistId, rosa.id)).toEqual([FILLED_FORM.email]);
  await passTime(app.database, 14 * DAY_MS);
  // The past appointment keeps the old email.
  await change(rosa.id, 'Rosa.New@example.com');
  const both = ['rosa.new@example.com', FILLED_FORM.email];
  const listed = await listEmailsOfClient(app.database, artistId, rosa.id);
  expect(listed.toSorted()).toEqual(both.toSorted());
  await change(ines.id, FILLED_FORM.email);
  expect(await listEmailsOfClient(app.database, artistId, rosa.id)).toEqual([both[0]]);
});

test('a client belongs to one artist', async () => {
  const { app, rosa, artistId } = await setUp();
  const stranger = await app.newArtist();
  expect(await findErasable(app.database, artistId, rosa.id)).toEqual({ erased_at: null });
  expect(await findErasable(app.database, stranger.self.id, rosa.id)).toBeUndefined();
});

test('mails to and about a client are found, those on their way too, and deleted alone', async () => {
  const { app, artist, rosa, ines, artistId } = await setUp();
  const list = async (id: string, emails: string[]) =>
    listMailsAboutClient(app.database, artistId, id, emails);
  const ofRosa = await list(rosa.id, [FILLED_FORM.email]);
  const ofInes = await list(ines.id, ['ines@example.com']);
  expect(ofRosa.some(({ isOnItsWay }) => isOnItsWay)).toBe(true);
  const ids = [...ofRosa, ...ofInes].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  await call(app.http(), endpoints.sendContactMessage, {
    path: { username: artist.username },
    body: { name: 'Rosa', email: FILLED_FORM.email.toUpperCase(), message: 'Hello' },
  });
  expect(await list(rosa.id, [FILLED_FORM.email])).toHaveLength(ofRosa.length + 1);
  await deleteMails(
    app.database,
    ofRosa.map(({ id }) => id),
  );
  const left = await list(rosa.id, [FILLED_FORM.email]);
  expect(left.map(({ isOnItsWay }) => isOnItsWay)).toEqual([false]);
  expect(await list(ines.id, ['ines@example.com'])).toEqual(ofInes);
});

test('another artist erases nobody', async () => {
  const { app, artist, rosa } = await setUp();
  const stranger = await app.newArtist();
  await erasePerson(app.database, stranger.self.id, rosa.id, {
    emails: [FILLED_FORM.email],
    messageEmails: [FILLED_FORM.email],
  });
  const path = { path: { client_id: rosa.id } };
  expect(await call(artist.http, endpoints.fetchClient, path)).toEqual(rosa);
});

test('details are deleted of appointments that ended before an instant, and of no others', async () => {
  const { app, artist, booked } = await setUp();
  const { database } = app;
  await app.mails();
  await passTime(database, 20 * DAY_MS);
  const ahead = await bookSlot(app, artist, await findSlot(app, artist, 40));
  await call(app.http(), endpoints.confirmAppointment, { path: { appt_id: ahead.id } });
  const load = (id: string) =>
    call(artist.http, endpoints.fetchAppointment, { path: { appt_id: id } });
  const now = Date.now();
  expect(await deleteOldDetails(database, now - 21 * DAY_MS)).toBe(0);
  expect(await load(booked.id)).toMatchObject({ customer_notes: FILLED_FORM.customer_notes });
  const before = await load(booked.id);
  expect(await deleteOldDetails(database, now)).toBeGreaterThan(0);
  expect(await load(booked.id)).toEqual({
    ...before,
    ...{ location: null, size: null, customer_notes: null },
    client: {
      ...before.client,
      ...{ email: null, pronouns: null, phone_number: null, preferred_contact: null },
    },
  });
  expect(await load(ahead.id)).toMatchObject({ customer_notes: FILLED_FORM.customer_notes });
  // Nothing is left to delete.
  expect(await deleteOldDetails(database, now)).toBe(0);
});
