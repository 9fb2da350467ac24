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
import { NOT_FOUND, NOT_SIGNED_IN } from '#support/answers.ts';
import { type Answer, expectOk, refusalOf } from '#support/calls.ts';
import { keptFiles } from '#support/pictures.ts';
import { addDesign, addPicture, countWaiting } from '#support/rows.ts';
import { aSlot, openTestApp, pickSlot, requestSlot, type TestApp } from '#support/test_app.ts';

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
async function allTold(studio: TestApp): Promise<void> {
  await studio.work();
  await studio.minute();
}

/** An artist who has some of everything. */
async function fullArtist(studio: TestApp) {
  const artist = await studio.artist();
  await addDesign(studio, artist);
  await addPicture(studio, artist);
  const avatar_id = await addPicture(studio, artist, { kind: 'avatar' });
  await studio.database.updateTable('artists').set({ avatar_id }).execute();
  const slot = await aSlot(studio, artist);
  const { id } = await pickSlot(studio, artist, slot);
  const json = { name: 'Rosa', email: 'rosa@example.com', message: 'Hello' };
  await sendContactMessage(studio.http(), artist.username, json);
  await recoverPassword(studio.http(), artist.self.email);
  await studio.mails();
  return { ...artist, appointmentId: id };
}

test('an account is deleted with all that belongs to it', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await fullArtist(studio);
  await deleteMe(studio.http(artist.token));
  const mails = await studio.database.selectFrom('mails').select(['notice', 'status']).execute();
  // Their client is still to be told.
  expect(mails).toMatchObject([{ notice: { kind: 'cancelled' }, status: 'queued' }]);
  await allTold(studio);
  const [told] = await studio.mailsAbout(/^Cancelled: /);
  // There is no page of it any more.
  expect(told?.text).toContain('was cancelled');
  expect(told?.text).not.toMatch(/https?:/);
  expect(await rowsLeft(studio)).toBe(0);
  expect(await refusalOf(fetchMe(studio.http(artist.token)))).toMatchObject(NOT_SIGNED_IN);
  for (const path of [
    `/users/artist/${artist.username}`,
    `/services/${artist.username}/available`,
    `/appointments/confirmation/${artist.appointmentId}`,
  ])
    expect(await studio.call(`GET ${path}`)).toMatchObject(NOT_FOUND);
});

test('what other artists have stays', async () => {
  const studio = await openTestApp({ database: 'own' });
  const [one, other] = [await studio.artist(), await studio.artist()];
  await pickSlot(studio, other, await aSlot(studio, other));
  const before = await rowsLeft(studio);
  const gone = await studio.artist();
  await deleteMe(studio.http(gone.token));
  expect(await rowsLeft(studio)).toBe(before);
  for (const { token } of [one, other]) await fetchMe(studio.http(token));
});

test('only someone who gave their password just now deletes their account', async () => {
  const studio = await openTestApp({ database: 'own' });
  const { token } = await studio.artist();
  expect(await refusalOf(deleteMe(studio.http(await aged(token, 11))))).toMatchObject({
    status: 403,
    body: { detail: 'Please log in again before you do that' },
  });
  await fetchMe(studio.http(token));
  await deleteMe(studio.http(await aged(token, 9)));
});

test('a client who books while the account goes is told that it is gone', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  const slot = await aSlot(studio, artist);
  const [deleted, ...booked] = await Promise.all([
    studio.call('DELETE /users/me', { token: artist.token }),
    ...Array.from({ length: 6 }, () => requestSlot(studio, artist, slot)),
  ]);
  expect(deleted.status).toBe(204);
  for (const { status } of booked) expect([201, 404, 409]).toContain(status);
  await allTold(studio);
  expect(await rowsLeft(studio)).toBe(0);
});

test('a picture that is just being saved goes with the account, file and all', async () => {
  const studio = await openTestApp({ database: 'own' });
  const { token, self } = await studio.artist();
  const id = randomUUID();
  await mkdir(join(studio.folders.media, id));
  await writeFile(join(studio.folders.media, id, '60.webp'), 'a picture');
  const picture = { title: '', width: 60, height: 40, widths: [60], formats: ['webp' as const] };
  let deleted: Promise<Answer> | undefined;
  await studio.database.transaction().execute(async (upload) => {
    await upload
      .insertInto('images')
      .values({ ...picture, id, artist_id: self.id, kind: 'portfolio' })
      .execute();
    deleted = studio.call('DELETE /users/me', { token });
    await vi.waitFor(async () => expect(await countWaiting(studio)).toBe(1), { timeout: 5000 });
  });
  expect((await deleted)?.status).toBe(204);
  expect(await rowsLeft(studio)).toBe(0);
  expect(await keptFiles(studio)).toEqual([]);
});

test('whoever puts things in order while their account goes is told so, without an error', async () => {
  const studio = await openTestApp({ database: 'own' });
  for (let round = 0; round < 4; round += 1) {
    const { token } = await studio.artist();
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      const json = { name: `Number ${n}`, duration: 30 };
      ids.push((await createService(studio.http(token), json)).id);
    }
    const [deleted, ...moved] = await Promise.all([
      studio.call('DELETE /users/me', { token }),
      ...ids.map((id, n) =>
        studio.call(`PATCH /services/${id}`, { token, json: { position: ids.length - n } }),
      ),
    ]);
    expect(deleted.status).toBe(204);
    for (const { status } of moved) expect([200, 401, 404]).toContain(status);
  }
  expect(studio.logged).toEqual([]);
  expect(await rowsLeft(studio)).toBe(0);
});

test('a studio that the artist moved out of does not outlive the account', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  const { token } = artist;
  const { id } = await pickSlot(studio, artist, await aSlot(studio, artist));
  const json = { status: 'cancelled' };
  await expectOk(studio.call(`PATCH /appointments/${id}`, { token, json }));
  const move = { studio: { address_one: '2 New Street' } };
  await changeMe(studio.http(token), move);
  await deleteAppointment(studio.http(token), id);
  await deleteMe(studio.http(token));
  await allTold(studio);
  expect(await rowsLeft(studio)).toBe(0);
});

test('superusers delete accounts, but not their own', async () => {
  const studio = await openTestApp({ database: 'own' });
  const token = await studio.superuser();
  const { self } = await studio.artist();
  const me = await fetchMe(studio.http(token));
  for (const path of ['/users/me', `/users/${me.id}`, `/users/${me.id.toUpperCase()}`])
    expect((await studio.call(`DELETE ${path}`, { token })).status).toBe(403);
  expect((await studio.call(`DELETE /users/${self.id}`, { token })).status).toBe(204);
  expect(await studio.call(`DELETE /users/${self.id}`, { token })).toMatchObject(NOT_FOUND);
});
