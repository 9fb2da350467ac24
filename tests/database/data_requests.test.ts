import { expect, test } from 'vitest';
import type { DataRequestKind } from '#domain/data_request.ts';
import { DAY_MS } from '#domain/time.ts';
import { findClientWithVisits } from '#server/database/clients.ts';
import {
  insertDataRequest,
  listOpenDataRequests,
  markDataRequestDone,
  moveDataRequests,
} from '#server/database/data_requests.ts';
import {
  addAppointment,
  addArtist,
  addClient,
  addDataRequestRow,
  NOON,
} from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

const ALL = { skip: 0, limit: 100 };

async function setUp() {
  const { database } = await openTestApp();
  const artist = await addArtist(database);
  const clientId = await addClient(database, artist);
  const requestsOf = async (id: string) =>
    (await findClientWithVisits(database, artist.id, id, NOON))?.data_requests;
  return {
    database,
    artist,
    clientId,
    requestsOf,
    insert: (kind: DataRequestKind) =>
      insertDataRequest(database, { artistId: artist.id, clientId, kind }, NOON),
  };
}

test('a client has one open request of each kind, and any number of done ones', async () => {
  const { database, artist, clientId, requestsOf, insert } = await setUp();
  const id = (await insert('copy')) ?? '';
  expect(await insert('copy')).toBeUndefined();
  expect(await insert('erasure')).toEqual(expect.any(String));
  await markDataRequestDone(database, artist.id, { clientId, id });
  expect(await insert('copy')).toEqual(expect.any(String));
  expect((await requestsOf(clientId))?.filter(({ kind }) => kind === 'copy')).toHaveLength(2);
});

test('a client comes with their requests, the oldest first', async () => {
  const { database, artist, clientId, requestsOf } = await setUp();
  expect(await requestsOf(clientId)).toEqual([]);
  const newer = { kind: 'erasure', asked_at: new Date(NOON + DAY_MS) } as const;
  const second = await addDataRequestRow(database, artist.id, clientId, newer);
  const done_at = new Date(NOON + 2 * DAY_MS);
  const first = await addDataRequestRow(database, artist.id, clientId, { done_at });
  expect(await requestsOf(clientId)).toEqual([
    { id: first, kind: 'copy', askedAt: NOON, doneAt: NOON + 2 * DAY_MS },
    { id: second, kind: 'erasure', askedAt: NOON + DAY_MS, doneAt: null },
  ]);
});

test('the open requests of an artist’s clients are listed, the oldest first', async () => {
  const { database, artist, clientId } = await setUp();
  const other = await addArtist(database);
  await addDataRequestRow(database, other.id, await addClient(database, other));
  const later = { asked_at: new Date(NOON + DAY_MS) };
  const second = await addDataRequestRow(database, artist.id, clientId, later);
  const first = await addDataRequestRow(database, artist.id, clientId, { kind: 'erasure' });
  const third = await addClient(database, artist);
  await addDataRequestRow(database, artist.id, third, { done_at: new Date(NOON) });
  const { rows, count } = await listOpenDataRequests(database, artist.id, ALL);
  expect(rows.map(({ id }) => id)).toEqual([first, second]);
  expect(count).toBe(2);
  expect(rows[0]).toMatchObject({ client_id: clientId, first_name: 'Rosa', last_name: 'Quint' });
});

test('only the artist of the client marks a request as done, and it keeps its first time', async () => {
  const { database, artist, clientId, requestsOf } = await setUp();
  const id = await addDataRequestRow(database, artist.id, clientId);
  const other = await addArtist(database);
  const otherClientId = await addClient(database, artist);
  const mark = (artistId: string, ofClient: string) =>
    markDataRequestDone(database, artistId, { clientId: ofClient, id });
  expect(await mark(other.id, clientId)).toBe(false);
  expect(await mark(artist.id, otherClientId)).toBe(false);
  expect((await requestsOf(clientId))?.[0]?.doneAt).toBeNull();
  expect(await mark(artist.id, clientId)).toBe(true);
  const doneAt = (await requestsOf(clientId))?.[0]?.doneAt;
  expect(doneAt).toEqual(expect.any(Number));
  expect(await mark(artist.id, clientId)).toBe(true);
  expect((await requestsOf(clientId))?.[0]?.doneAt).toBe(doneAt);
});

test('a client’s requests go to another record only when no appointment is left', async () => {
  const { database, artist, clientId, requestsOf } = await setUp();
  const appointmentId = await addAppointment(database, artist, { client: clientId });
  const to = await addClient(database, artist);
  await addDataRequestRow(database, artist.id, clientId);
  await addDataRequestRow(database, artist.id, clientId, { kind: 'erasure' });
  const move = () => moveDataRequests(database, artist.id, { from: clientId, to });
  await move();
  expect(await requestsOf(to)).toEqual([]);
  await database
    .updateTable('appointments')
    .set({ client_id: to })
    .where('id', '=', appointmentId)
    .execute();
  // The other client has asked for the same already.
  await addDataRequestRow(database, artist.id, to);
  await move();
  expect((await requestsOf(to))?.map(({ kind }) => kind).toSorted()).toEqual(['copy', 'erasure']);
  expect((await requestsOf(clientId))?.map(({ kind }) => kind)).toEqual(['copy']);
});

test('deleting a client deletes their requests', async () => {
  const { database, artist, clientId } = await setUp();
  await addDataRequestRow(database, artist.id, clientId);
  await database.deleteFrom('clients').where('id', '=', clientId).execute();
  expect((await listOpenDataRequests(database, artist.id, ALL)).count).toBe(0);
});
