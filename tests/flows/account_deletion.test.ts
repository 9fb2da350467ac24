import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeJwt, SignJWT } from 'jose';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { deleteAppointment } from '#client/appointments.ts';
import { changeMe, deleteMe, fetchMe, sendContactMessage } from '#client/artists.ts';
import { recoverPassword } from '#client/login.ts';
import { createService } from '#client/services.ts';
import { addDesignRow, addPictureRow, countLockWaiters } from '#support/app_rows.ts';
import { type ApiResponse, expectOk, refusalOf } from '#support/call_api.ts';
import { listStoredFiles } from '#support/pictures.ts';
import { NOT_FOUND, NOT_SIGNED_IN } from '#support/problems.ts';
import { bookSlot, findSlot, openTestApp, requestSlot, type TestApp } from '#support/test_app.ts';

const SECRET = new TextEncoder().encode('a secret that only tests know');

/** The same token, of a login so many minutes ago. */
function aged(token: string, minutes: number): Promise<string> {
  const { sub = '', version } = decodeJwt(token);
  return new SignJWT({ version })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(sub)
    .setAudience('access')
    .setIssuedAt(Math.floor(Date.now() / 1000) - minutes * 60)
    .setExpirationTime('30d')
    .sign(SECRET);
}

async function rowsLeft({ database }: TestApp): Promise<number> {
  const tables = ['artists', 'places', 'schedules', 'services', 'images', 'designs', 'clients'];
  const booked = ['appointments', 'appointment_times', 'messages'];
  const besides = ['password_recoveries', 'removed_images', 'mails'];
  const counts = await Promise.all(
    [...tables, ...booked, ...besides].map(async (table) => {
      const { rows } = await sql<{ n: number }>`
        SELECT count(*)::int AS n FROM ${sql.table(table)}
      `.execute(database);
      return rows[0]?.n ?? 0;
    }),
  );
  return counts.reduce((sum, n) => sum + n, 0);
}

/** Everyone has been told, and a minute has passed. */
async function allTold(app: TestApp): Promise<void> {
  await app.runJobs();
  await app.runMinutelyTasks();
}

/** An artist who has some of everything. */
async function fullArtist(app: TestApp) {
  const artist = await app.newArtist();
  await addDesignRow(app, artist);
  await addPictureRow(app, artist);
  const avatar_id = await addPictureRow(app, artist, { kind: 'avatar' });
  await app.database.updateTable('artists').set({ avatar_id }).execute();
  const slot = await findSlot(app, artist);
  const { id } = await bookSlot(app, artist, slot);
  const json = { name: 'Rosa', email: 'rosa@example.com', message: 'Hello' };
  await sendContactMessage(app.http(), artist.username, json);
  await recoverPassword(app.http(), artist.self.email);
  await app.mails();
  return { ...artist, appointmentId: id };
}

test('an account is deleted with all that belongs to it', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await fullArtist(app);
  await deleteMe(app.http(artist.token));
  const mails = await app.database.selectFrom('mails').select(['notice', 'status']).execute();
  // Their client is still to be told.
  expect(mails).toMatchObject([{ notice: { kind: 'cancelled' }, status: 'queued' }]);
  await allTold(app);
  const [told] = await app.mailsAbout(/^Cancelled: /);
  // There is no page of it any more.
  expect(told?.text).toContain('was cancelled');
  expect(told?.text).not.toMatch(/https?:/);
  expect(await rowsLeft(app)).toBe(0);
  expect(await refusalOf(fetchMe(app.http(artist.token)))).toMatchObject(NOT_SIGNED_IN);
  for (const path of [
    `/users/artist/${artist.username}`,
    `/services/${artist.username}/available`,
    `/appointments/confirmation/${artist.appointmentId}`,
  ])
    expect(await app.call(`GET ${path}`)).toMatchObject(NOT_FOUND);
});

test('what other artists have stays', async () => {
  const app = await openTestApp({ database: 'own' });
  const [one, other] = [await app.newArtist(), await app.newArtist()];
  await bookSlot(app, other, await findSlot(app, other));
  const before = await rowsLeft(app);
  const gone = await app.newArtist();
  await deleteMe(app.http(gone.token));
  expect(await rowsLeft(app)).toBe(before);
  for (const { token } of [one, other]) await fetchMe(app.http(token));
});

test('only someone who gave their password just now deletes their account', async () => {
  const app = await openTestApp({ database: 'own' });
  const { token } = await app.newArtist();
  expect(await refusalOf(deleteMe(app.http(await aged(token, 11))))).toMatchObject({
    status: 403,
    body: { detail: 'Please log in again before you do that' },
  });
  await fetchMe(app.http(token));
  await deleteMe(app.http(await aged(token, 9)));
});

test('a client who books while the account goes is told that it is gone', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const [deleted, ...booked] = await Promise.all([
    app.call('DELETE /users/me', { token: artist.token }),
    ...Array.from({ length: 6 }, () => requestSlot(app, artist, slot)),
  ]);
  expect(deleted.status).toBe(204);
  for (const { status } of booked) expect([201, 404, 409]).toContain(status);
  await allTold(app);
  expect(await rowsLeft(app)).toBe(0);
});

test('a picture that is just being saved goes with the account, file and all', async () => {
  const app = await openTestApp({ database: 'own' });
  const { token, self } = await app.newArtist();
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
    deleted = app.call('DELETE /users/me', { token });
    await vi.waitFor(async () => expect(await countLockWaiters(app)).toBe(1), { timeout: 5000 });
  });
  expect((await deleted)?.status).toBe(204);
  expect(await rowsLeft(app)).toBe(0);
  expect(await listStoredFiles(app)).toEqual([]);
});

test('whoever puts things in order while their account goes is told so, without an error', async () => {
  const app = await openTestApp({ database: 'own' });
  for (let round = 0; round < 4; round += 1) {
    const { token } = await app.newArtist();
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      const json = { name: `Number ${n}`, duration: 30 };
      ids.push((await createService(app.http(token), json)).id);
    }
    const [deleted, ...moved] = await Promise.all([
      app.call('DELETE /users/me', { token }),
      ...ids.map((id, n) =>
        app.call(`PATCH /services/${id}`, { token, json: { position: ids.length - n } }),
      ),
    ]);
    expect(deleted.status).toBe(204);
    for (const { status } of moved) expect([200, 401, 404]).toContain(status);
  }
  expect(app.logged).toEqual([]);
  expect(await rowsLeft(app)).toBe(0);
});

test('a studio that the artist moved out of does not outlive the account', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const { token } = artist;
  const { id } = await bookSlot(app, artist, await findSlot(app, artist));
  const json = { status: 'cancelled' };
  await expectOk(app.call(`PATCH /appointments/${id}`, { token, json }));
  const move = { studio: { address_one: '2 New Street' } };
  await changeMe(app.http(token), move);
  await deleteAppointment(app.http(token), id);
  await deleteMe(app.http(token));
  await allTold(app);
  expect(await rowsLeft(app)).toBe(0);
});

test('superusers delete accounts, but not their own', async () => {
  const app = await openTestApp({ database: 'own' });
  const token = await app.superuserToken();
  const { self } = await app.newArtist();
  const me = await fetchMe(app.http(token));
  for (const path of ['/users/me', `/users/${me.id}`, `/users/${me.id.toUpperCase()}`])
    expect((await app.call(`DELETE ${path}`, { token })).status).toBe(403);
  expect((await app.call(`DELETE /users/${self.id}`, { token })).status).toBe(204);
  expect(await app.call(`DELETE /users/${self.id}`, { token })).toMatchObject(NOT_FOUND);
});
