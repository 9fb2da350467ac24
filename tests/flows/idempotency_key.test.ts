import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import {
  countLockWaiters,
  countRows,
  loadAppointmentRow,
  takeNewNotices,
} from '#support/app_rows.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { validationProblem } from '#support/problems.ts';
import { bookSlot, FILLED_FORM, findSlot, openTestApp, requestSlot } from '#support/test_app.ts';

test('a repeated key returns the first result, and says so when the notes were changed', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const slot = await findSlot(app, artist);
  const key = { 'Idempotency-Key': randomUUID() };
  const first = await requestSlot(app, artist, slot, {}, key);
  const again = await requestSlot(app, artist, slot, {}, key);
  const edited = await requestSlot(app, artist, slot, { customer_notes: 'Or two.' }, key);
  expect(first.status).toBe(201);
  expect(again).toMatchObject({ status: 201 });
  expect(again.body).toStrictEqual(first.body);
  expect(edited).toMatchObject({ status: 201 });
  expect(edited.body).toStrictEqual({ ...first.body, differs_from_request: true });
  expect(await countRows(app)).toEqual({ appointments: 1, clients: 1, occupied: 1 });
});

test('ten concurrent calls with one key create one appointment, and all return it', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const slot = await findSlot(app, artist);
  const key = { 'Idempotency-Key': randomUUID() };
  const servers = [app, await app.openSecondServer()];
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, n) => requestSlot(servers[n % 2] ?? app, artist, slot, {}, key)),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(201));
  expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1);
  expect(await countRows(app)).toEqual({ appointments: 1, clients: 1, occupied: 1 });
  expect(await takeNewNotices(app)).toEqual(['hold to rosa@example.com, queued']);
});

test('a concurrent repeat that replaces a hold releases it only if it books', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const hold = await bookSlot(app, artist, await findSlot(app, artist));
  const slot = await findSlot(app, artist, 24 * 5);
  const key = { 'Idempotency-Key': randomUUID() };
  const servers = [app, await app.openSecondServer()];
  const holder = await app.database.startTransaction().execute();
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${artist.self.id}, 0))`.execute(holder);
  const calls: ReturnType<typeof requestSlot>[] = [];
  for (const [n, replaces] of [null, hold.id].entries()) {
    calls.push(requestSlot(servers[n] ?? app, artist, slot, { replaces }, key));
    await vi.waitFor(async () => expect(await countLockWaiters(app)).toBe(n + 1));
  }
  await holder.commit().execute();
  const [first, repeat] = await Promise.all(calls);
  expect([first?.status, repeat?.status]).toEqual([201, 201]);
  expect(repeat?.body).toStrictEqual(first?.body);
  expect(await loadAppointmentRow(app, hold.id)).toEqual({ status: 'held', occupies: true });
});

test.each([
  ['switches to requests', 'PATCH /users/me', { scheduling_type: 'managed' }],
  ['removes all opening hours', 'PATCH /users/me/schedule', { weekly: [] }],
  ['lengthens the service', 'PATCH /services/SERVICE', { duration: 90 }],
  ['deletes the service', 'DELETE /services/SERVICE', undefined],
])('a repeated key returns the first result even after the artist %s', async (_, route, json) => {
  const { app, artist, token, service } = await openArtistApp();
  const slot = await findSlot(app, artist);
  const key = { 'Idempotency-Key': randomUUID() };
  const first = await requestSlot(app, artist, slot, {}, key);
  expect(
    (await app.call(route.replace('SERVICE', service.id), { token, json })).status,
  ).toBeLessThan(300);
  const again = await requestSlot(app, artist, slot, {}, key);
  expect(again).toMatchObject({ status: 201, body: { id: first.body.id, status: 'held' } });
});

test('a key that is not a UUID is refused', async () => {
  const app = await openTestApp();
  for (const key of ['1', 'not a key', '', '4d7f6e0a0d5c4a579d0e6b1f0f3c2a11']) {
    const response = await app.call('POST /appointments/request/design?username=nobody', {
      json: FILLED_FORM,
      headers: { 'Idempotency-Key': key },
    });
    const location = ['header', 'idempotency-key'];
    expect(response, key).toMatchObject(validationProblem(location, 'This is not a valid id'));
  }
});
