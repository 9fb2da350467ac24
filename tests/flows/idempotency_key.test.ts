import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { confirmAppointment } from '#client/appointments.ts';
import type { Confirmation } from '#contract/appointment.ts';
import { countRows } from '#support/app_rows.ts';
import { KEY_REUSED, validationProblem } from '#support/problems.ts';
import { FILLED_FORM, findSlot, openTestApp, requestSlot, shiftSlot } from '#support/test_app.ts';

test('the same key answers the first result, also when details were edited meanwhile', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const key = { 'Idempotency-Key': randomUUID() };
  const first = await requestSlot(app, artist, slot, {}, key);
  const again = await requestSlot(app, artist, slot, {}, key);
  const edited = await requestSlot(app, artist, slot, { customer_notes: 'Or two.' }, key);
  expect(first.status).toBe(201);
  for (const answer of [again, edited]) {
    expect(answer.status).toBe(201);
    expect(answer.body).toStrictEqual(first.body);
  }
  expect(await countRows(app)).toEqual({ appointments: 1, clients: 1, kept: 1 });
});

test('ten calls with the same key at once make one appointment and all are told of it', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const key = { 'Idempotency-Key': randomUUID() };
  const servers = [app, await app.openSecondServer()];
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => requestSlot(servers[n % 2] ?? app, artist, slot, {}, key)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect(await countRows(app)).toEqual({ appointments: 1, clients: 1, kept: 1 });
});

test('a repeated call answers what became of the first, once that is confirmed', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const key = { 'Idempotency-Key': randomUUID() };
  const first = await requestSlot(app, artist, slot, {}, key);
  await confirmAppointment(app.http(), first.body.id);
  expect(await requestSlot(app, artist, slot, {}, key)).toMatchObject({
    status: 201,
    body: { id: first.body.id, status: 'confirmed' },
  });
});

test.each([
  ['takes requests instead', 'PATCH /users/me', { scheduling_type: 'managed' }],
  ['closes', 'PATCH /users/me/schedule', { weekly: [] }],
  ['makes the service longer', 'PATCH /services/SERVICE', { duration: 90 }],
  ['takes the service away', 'DELETE /services/SERVICE', undefined],
])(
  'a repeated call answers the first result even when the artist %s meanwhile',
  async (_, what, json) => {
    const app = await openTestApp();
    const artist = await app.newArtist();
    const { token, service } = artist;
    const slot = await findSlot(app, artist);
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await requestSlot(app, artist, slot, {}, key);
    expect(
      (await app.call(what.replace('SERVICE', service.id), { token, json })).status,
    ).toBeLessThan(300);
    const again = await requestSlot(app, artist, slot, {}, key);
    expect(again).toMatchObject({ status: 201, body: { id: first.body.id, status: 'held' } });
  },
);

test.each([
  ['another time', (slot: { start: string; end: string }) => shiftSlot(slot, 60)],
  ['another client', () => ({ email: 'other@example.com' })],
])('a key that is sent for %s is refused and books nothing', async (_, change) => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const key = { 'Idempotency-Key': randomUUID() };
  await requestSlot(app, artist, slot, {}, key);
  expect(await requestSlot(app, artist, slot, change(slot), key)).toMatchObject(KEY_REUSED);
  expect(await countRows(app)).toEqual({ appointments: 1, clients: 1, kept: 1 });
});

test('keys of different artists have nothing to do with one another', async () => {
  const app = await openTestApp();
  const key = { 'Idempotency-Key': randomUUID() };
  for (const artist of [await app.newArtist(), await app.newArtist()]) {
    const slot = await findSlot(app, artist);
    expect(await requestSlot(app, artist, slot, {}, key)).toMatchObject({ status: 201 });
  }
});

test('a design is asked for once with one key', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist({ scheduling_type: 'managed' });
  const ask = (email: string, key: string) =>
    app.call<Confirmation>(`POST /appointments/request/design?username=${artist.username}`, {
      json: { ...FILLED_FORM, email },
      headers: { 'Idempotency-Key': key },
    });
  const key = randomUUID();
  const first = await ask('rosa@example.com', key);
  const again = await ask('rosa@example.com', key.toUpperCase());
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.body).toStrictEqual(first.body);
  expect(await ask('other@example.com', key)).toMatchObject(KEY_REUSED);
  expect(await countRows(app)).toEqual({ appointments: 1, clients: 1, kept: 0 });
});

test.each(['1', 'not a key', '', '4d7f6e0a0d5c4a579d0e6b1f0f3c2a11'])(
  'a key like "%s" is no UUID and is refused',
  async (key) => {
    const app = await openTestApp();
    const answer = await app.call('POST /appointments/request/design?username=nobody', {
      json: FILLED_FORM,
      headers: { 'Idempotency-Key': key },
    });
    expect(answer).toMatchObject(validationProblem(['header', 'idempotency-key'], 'Invalid UUID'));
  },
);
