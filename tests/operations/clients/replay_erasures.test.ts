import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { ErasureKind } from '#domain/clients/erasure.ts';
import { DAY_MS } from '#domain/time/time.ts';
import { listAppointmentEvents } from '#server/database/appointment_events.ts';
import type { Database } from '#server/database/connect.ts';
import { insertMails } from '#server/database/mails.ts';
import { insertMessage } from '#server/operations/clients/messages.ts';
import { replayErasures } from '#server/operations/clients/replay_erasures.ts';
import {
  type ArtistRow,
  addAppointment,
  addArtist,
  addClient,
  addDesign,
  addImage,
  createAppointmentFacts,
  occupiesTime,
} from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { openTestApp } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

/** A context on its own database, with an artist. */
async function openStudio() {
  const { database } = await openTestApp({ database: 'own' });
  return { ...(await openTestContext({ database })), database, artist: await addArtist(database) };
}

/** Notes that a row was deleted, as after a restore. */
async function note(database: Database, kind: ErasureKind, id: string): Promise<void> {
  await database.insertInto('erasures').values({ kind, subject_id: id }).execute();
}

async function addMessage(database: Database, { id }: ArtistRow, email: string): Promise<string> {
  const message = { artist_id: id, name: 'Rosa', email, message: 'Hello' };
  return (await insertMessage(database, message)).id;
}

async function addMail(database: Database, artist: ArtistRow, appointmentId: string) {
  const appointment = createAppointmentFacts(artist, appointmentId);
  await inTransaction(database, insertMails, { notices: [{ kind: 'booked', appointment }] });
}

async function count(database: Database, table: 'clients' | 'mails' | 'messages' | 'images') {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM ${sql.table(table)}
  `.execute(database);
  return rows[0]?.count;
}

test('without erasures, and after the first time, nothing is deleted', async () => {
  const { context, database, artist } = await openStudio();
  const client = await addClient(database, artist);
  const none = { artist: 0, client: 0, appointment: 0, message: 0, image: 0 };
  expect(await replayErasures(context)).toEqual(none);
  await note(database, 'client', client);
  expect(await replayErasures(context)).toEqual({ ...none, client: 1 });
  expect(await replayErasures(context)).toEqual(none);
});

test('a client who was erased after the backup is erased again, although an appointment is ahead and a mail is queued there', async () => {
  const { context, database, artist, mails } = await openStudio();
  const client = await addClient(database, artist, { email: 'rosa@example.com' });
  const start = Date.now() + DAY_MS;
  const appointment = await addAppointment(database, artist, { client, start });
  await addMail(database, artist, appointment);
  await addMessage(database, artist, 'Rosa@example.com');
  const other = await addAppointment(database, artist, {
    start: start + DAY_MS,
    email: 'zoe@example.com',
  });
  await note(database, 'client', client);

  expect(await replayErasures(context)).toMatchObject({ client: 1 });
  const row = await database
    .selectFrom('appointments')
    .select(['status', 'email', 'first_name'])
    .where('id', '=', appointment)
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ status: 'cancelled', email: null, first_name: null });
  const history = await listAppointmentEvents(database, artist.id, appointment);
  expect(history).toMatchObject([{ from_status: 'confirmed', to_status: 'cancelled' }]);
  expect(await occupiesTime(database, appointment)).toBe(false);
  expect(await occupiesTime(database, other)).toBe(true);
  expect(await count(database, 'mails')).toBe(0);
  expect(await count(database, 'messages')).toBe(0);
  expect(mails).toEqual([]);
  const { erased_at, email } = await database
    .selectFrom('clients')
    .select(['erased_at', 'email'])
    .where('id', '=', client)
    .executeTakeFirstOrThrow();
  expect([erased_at === null, email]).toEqual([false, null]);
});

test('a client who was merged into another one before both were erased is erased again, merged or not', async () => {
  const { context, database, artist } = await openStudio();
  const kept = await addClient(database, artist);
  const merged = await addClient(database, artist);
  const mergedInBackup = await addClient(database, artist, { merged_into: kept });
  const stays = await addClient(database, artist);
  for (const id of [kept, merged, mergedInBackup]) await note(database, 'client', id);
  await replayErasures(context);
  const rows = await database.selectFrom('clients').select('id').execute();
  expect(rows).toEqual([{ id: stays }]);
});

test('an account that was deleted after the backup is deleted again with its pictures and queued mails, and nobody is mailed', async () => {
  const { context, database, artist, files, jobs } = await openStudio();
  const { imageId } = await addDesign(database, artist);
  await context.images.put({ imageId, width: 400, format: 'webp' }, new Uint8Array(1));
  await addMail(database, artist, await addAppointment(database, artist));
  const other = await addArtist(database);
  await note(database, 'artist', artist.id);
  expect(await replayErasures(context)).toMatchObject({ artist: 1 });
  expect(await database.selectFrom('artists').select('id').execute()).toEqual([{ id: other.id }]);
  expect(await count(database, 'mails')).toBe(0);
  expect(await count(database, 'clients')).toBe(0);
  expect(files.size).toBe(0);
  expect(jobs).toEqual([]);
});

test('an appointment, a message and a picture are deleted again, and the design of the picture is hidden', async () => {
  const { context, database, artist, files } = await openStudio();
  const appointment = await addAppointment(database, artist);
  const message = await addMessage(database, artist, 'rosa@example.com');
  const { id: design, imageId } = await addDesign(database, artist);
  const { id: kept } = await addImage(database, artist);
  await context.images.put({ imageId, width: 400, format: 'webp' }, new Uint8Array(1));
  await note(database, 'appointment', appointment);
  await note(database, 'message', message);
  await note(database, 'image', imageId);
  expect(await replayErasures(context)).toEqual({
    ...{ artist: 0, client: 0 },
    ...{ appointment: 1, message: 1, image: 1 },
  });
  expect(await database.selectFrom('appointments').select('id').execute()).toEqual([]);
  expect(await count(database, 'messages')).toBe(0);
  expect(await database.selectFrom('images').select('id').execute()).toEqual([{ id: kept }]);
  const { deleted_at } = await database
    .selectFrom('designs')
    .select('deleted_at')
    .where('id', '=', design)
    .executeTakeFirstOrThrow();
  expect(deleted_at).not.toBeNull();
  expect(files.size).toBe(0);
});
