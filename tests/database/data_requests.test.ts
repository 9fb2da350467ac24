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
import { addArtist, addClient, addDataRequestRow, NOON } from '#support/database_rows.ts';
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

test('a client’s requests go to another record, except an open one for which that has an open one', async () => {
  const { database, artist, clientId, requestsOf } = await setUp();
  const to = await addClient(database, artist);
  const copy = await addDataRequestRow(database, artist.id, clientId);
  const erasure = await addDataRequestRow(database, artist.id, clientId, { kind: 'erasure' });
  const own = await addDataRequestRow(database, artist.id, to);
  const way = { from: clientId, to };
  const stranger = await addArtist(database);
  expect(await moveDataRequests(database, stranger.id, way)).toEqual([]);
  expect(await moveDataRequests(database, artist.id, way)).toEqual([erasure]);
  // Once the other one is done, both have a place.
  await markDataRequestDone(database, artist.id, { clientId: to, id: own });
  expect(await moveDataRequests(database, artist.id, way)).toEqual([copy]);
  expect(await requestsOf(to)).toHaveLength(3);
});

test('deleting a client deletes their requests', async () => {
  const { database, artist, clientId } = await setUp();
  await addDataRequestRow(database, artist.id, clientId);
  await database.deleteFrom('clients').where('id', '=', clientId).execute();
  expect((await listOpenDataRequests(database, artist.id, ALL)).count).toBe(0);
});
