import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { call } from '#client/call.ts';
import {
  createService,
  deleteMe,
  fetchMe,
  recoverPassword,
  sendContactMessage,
} from '#contract/endpoints.ts';
import { ARTIST_TABLES, addDesignRow, addPictureRow, countLockWaiters } from '#support/app_rows.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { type ApiResponse, refusalOf } from '#support/call_api.ts';
import { PROOF } from '#support/new_artist.ts';
import { listStoredFiles } from '#support/pictures.ts';
import { NOT_FOUND, NOT_SIGNED_IN } from '#support/problems.ts';
import { bookSlot, findSlot, openTestApp, requestSlot, type TestApp } from '#support/test_app.ts';

async function countAllRows({ database }: TestApp): Promise<number> {
  const counts = [...ARTIST_TABLES, 'sessions', 'email_changes'].map(async (table) => {
    const { rows } = await sql`SELECT FROM ${sql.table(table)}`.execute(database);
    return rows.length;
  });
  return (await Promise.all(counts)).reduce((sum, n) => sum + n, 0);
}

/** Sends the queued mails, and runs the minutely cleanup. */
async function runBackgroundWork(app: TestApp): Promise<void> {
  await app.runJobs();
  await app.runMinutelyTasks();
}

/** An artist with at least one row of each kind. */
async function newArtistWithData(app: TestApp) {
  const artist = await app.newArtist();
  await addDesignRow(app, artist);
  await addPictureRow(app, artist);
  const avatar_id = await addPictureRow(app, artist, { kind: 'avatar' });
  await app.database.updateTable('artists').set({ avatar_id }).execute();
  const slot = await findSlot(app, artist);
  const { id } = await bookSlot(app, artist, slot);
  const json = { name: 'Rosa', email: 'rosa@example.com', message: 'Hello' };
  await call(app.http(), sendContactMessage, { path: { username: artist.username }, body: json });
  await call(app.http(), recoverPassword, { path: { email: artist.self.email } });
  await app.mails();
  return { ...artist, appointmentId: id };
}

test('deleting an account mails a cancellation to its clients, then deletes all of its data', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await newArtistWithData(app);
  await call(app.http(artist.token), deleteMe, { body: PROOF });
  const mails = await app.database
    .selectFrom('mails')
    .select(['notice', 'status'])
    .orderBy('position', 'desc')
    .execute();
  // The client must still receive the cancellation.
  expect(mails[1]).toMatchObject({ notice: { kind: 'cancelled' }, status: 'queued' });
  expect(mails[0]).toMatchObject({ notice: { kind: 'account_deleted' }, status: 'queued' });
  await runBackgroundWork(app);
  const [cancellation] = await app.mailsAbout(/^Cancelled: /);
  expect(cancellation?.text).toContain('was cancelled');
  // The page of the appointment no longer exists, so the mail must not link to it.
  expect(cancellation?.text).not.toMatch(/https?:(?!\S+\/stop-mail\?)/);
  expect(await countAllRows(app)).toBe(0);
  expect(await refusalOf(call(app.http(artist.token), fetchMe))).toMatchObject(NOT_SIGNED_IN);
  for (const path of [
    `/users/artist/${artist.username}`,
    `/services/${artist.username}/available`,
    `/appointments/confirmation/${artist.appointmentId}`,
  ])
    expect(await app.call(`GET ${path}`)).toMatchObject(NOT_FOUND);
});

test('deleting an account deletes no rows of other artists', async () => {
  const app = await openTestApp({ database: 'own' });
  const [one, other] = [await app.newArtist(), await app.newArtist()];
  await bookSlot(app, other, await findSlot(app, other));
  const before = await countAllRows(app);
  const deleted = await app.newArtist();
  await call(app.http(deleted.token), deleteMe, { body: PROOF });
  await runBackgroundWork(app);
  expect(await countAllRows(app)).toBe(before);
  for (const { token } of [one, other]) await call(app.http(token), fetchMe);
});

test('bookings during an account deletion give 201, 404 or 409, and leave no rows', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const slot = await findSlot(app, artist);
  const [deleted, ...bookings] = await Promise.all([
    app.call('DELETE /users/me', { token: artist.token, json: PROOF }),
    ...Array.from({ length: 6 }, () => requestSlot(app, artist, slot)),
  ]);
  expect(deleted.status).toBe(204);
  for (const { status } of bookings) expect([201, 404, 409]).toContain(status);
  await runBackgroundWork(app);
  expect(await countAllRows(app)).toBe(0);
});

test('deleting an account waits for a picture being saved, and deletes its row and files', async () => {
  const { app, token, self } = await openArtistApp({ database: 'own' });
  const id = randomUUID();
  await mkdir(join(app.folders.media, id));
  await writeFile(join(app.folders.media, id, '60.webp'), 'a picture');
  const picture = { title: '', width: 60, height: 40, widths: [60], formats: ['webp' as const] };
  let deleted: Promise<ApiResponse> | undefined;
  await app.database.transaction().execute(async (upload) => {
    await upload
      .insertInto('images')
      .values({ ...picture, id, artist_id: self.id, kind: 'portfolio' })
      .execute();
    deleted = app.call('DELETE /users/me', { token, json: PROOF });
    await vi.waitFor(async () => expect(await countLockWaiters(app)).toBe(1), { timeout: 5000 });
  });
  expect((await deleted)?.status).toBe(204);
  await runBackgroundWork(app);
  expect(await countAllRows(app)).toBe(0);
  expect(await listStoredFiles(app)).toEqual([]);
});

test('reordering services during an account deletion gives 200, 401 or 404, and logs no error', async () => {
  const app = await openTestApp({ database: 'own' });
  for (let round = 0; round < 4; round += 1) {
    const { token } = await app.newArtist();
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      const json = { name: `Number ${n}`, duration: 30 };
      ids.push((await call(app.http(token), createService, { body: json })).id);
    }
    const [deleted, ...reordered] = await Promise.all([
      app.call('DELETE /users/me', { token, json: PROOF }),
      ...ids.map((id, n) =>
        app.call(`PATCH /services/${id}`, { token, json: { position: ids.length - n } }),
      ),
    ]);
    expect(deleted.status).toBe(204);
    for (const { status } of reordered) expect([200, 401, 404]).toContain(status);
  }
  expect(app.logged).toEqual([]);
  await runBackgroundWork(app);
  expect(await countAllRows(app)).toBe(0);
});
