import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { Erasure } from '#domain/clients/erasure.ts';
import { deleteArtist } from '#server/database/accounts.ts';
import type { Database } from '#server/database/connect.ts';
import {
  insertErasures,
  listReturnedRows,
  readErasures,
  summarizeErasures,
} from '#server/database/erasures.ts';
import { insertMessage } from '#server/operations/clients/messages.ts';
import {
  addAppointment,
  addArtist,
  addClient,
  addDesign,
  addImage,
} from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

async function listErasures(database: Database): Promise<string[]> {
  const erasures: string[] = [];
  for await (const { kind, id } of readErasures(database)) erasures.push(`${kind} ${id}`);
  return erasures;
}

test('every deletion of a client, an appointment, a message, a picture and an account is recorded, and what goes with an account is not', async () => {
  const { database } = await openTestApp({ database: 'own' });
  const artist = await addArtist(database);
  const other = await addArtist(database);
  const client = await addClient(database, artist);
  const erased = await addClient(database, artist);
  const appointment = await addAppointment(database, artist);
  const { id: image } = await addImage(database, artist);
  const { id: message } = await insertMessage(database, {
    ...{ artist_id: artist.id, name: 'Rosa', email: 'rosa@example.com', message: 'Hello' },
  });
  expect(await listErasures(database)).toEqual([]);
  expect(await summarizeErasures(database)).toEqual({ count: 0, last: null });

  await database.deleteFrom('clients').where('id', '=', client).execute();
  await database
    .updateTable('clients')
    .set({ erased_at: new Date() })
    .where('id', '=', erased)
    .execute();
  await database.deleteFrom('appointments').where('id', '=', appointment).execute();
  await database.deleteFrom('messages').execute();
  await database.deleteFrom('images').execute();
  const single = [
    `appointment ${appointment}`,
    ...[`client ${client}`, `client ${erased}`].toSorted(),
    `image ${image}`,
    `message ${message}`,
  ];
  expect(await listErasures(database)).toEqual(single);

  await addClient(database, other);
  await addDesign(database, other);
  await database.transaction().execute((transaction) => deleteArtist(transaction, other.id));
  expect(await listErasures(database)).toEqual([
    ...single.slice(0, 1),
    `artist ${other.id}`,
    ...single.slice(1),
  ]);
  expect((await summarizeErasures(database)).count).toBe(6);
});

test('erasures are inserted once, and rows that exist again are listed, accounts first', async () => {
  const { database, databaseUrl } = await openTestApp({ database: 'own' });
  const artist = await addArtist(database);
  const client = await addClient(database, artist);
  const { id: image } = await addImage(database, artist);
  await addClient(database, artist);
  const connection = new pg.Client({ connectionString: databaseUrl });
  await connection.connect();
  onTestFinished(() => connection.end());
  const erasures: Erasure[] = [
    { kind: 'image', id: image, at: 1000 },
    { kind: 'client', id: client, at: 1000 },
    { kind: 'artist', id: artist.id, at: 1000 },
    { kind: 'message', id: randomUUID(), at: 1000 },
  ];
  await insertErasures(connection, erasures);
  await insertErasures(connection, erasures);
  expect(await summarizeErasures(database)).toEqual({ count: 4, last: 1000 });
  expect(await listReturnedRows(database)).toEqual([
    { kind: 'artist', id: artist.id, artistId: artist.id },
    { kind: 'client', id: client, artistId: artist.id },
    { kind: 'image', id: image, artistId: artist.id },
  ]);
});

test('more erasures than one batch are all read', async () => {
  const { database } = await openTestApp({ database: 'own' });
  const ids = Array.from({ length: 2500 }, () => randomUUID());
  await database
    .insertInto('erasures')
    .values(ids.map((subject_id) => ({ kind: 'client' as const, subject_id })))
    .execute();
  expect(await listErasures(database)).toEqual(ids.toSorted().map((id) => `client ${id}`));
});
