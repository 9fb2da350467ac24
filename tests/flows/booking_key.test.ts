import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { confirmAppointment } from '#client/appointments.ts';
import type { Confirmation } from '#contract/appointment.ts';
import { invalid, KEY_REUSED } from '#support/answers.ts';
import { countRows } from '#support/rows.ts';
import { aSlot, FILLED_FORM, openTestApp, requestSlot, shifted } from '#support/test_app.ts';

test('the same key answers the first result, also when details were edited meanwhile', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  const slot = await aSlot(studio, artist);
  const key = { 'Idempotency-Key': randomUUID() };
  const first = await requestSlot(studio, artist, slot, {}, key);
  const again = await requestSlot(studio, artist, slot, {}, key);
  const edited = await requestSlot(studio, artist, slot, { customer_notes: 'Or two.' }, key);
  expect(first.status).toBe(201);
  for (const answer of [again, edited]) {
    expect(answer.status).toBe(201);
    expect(answer.body).toStrictEqual(first.body);
  }
  expect(await countRows(studio)).toEqual({ appointments: 1, clients: 1, kept: 1 });
});

test('ten calls with the same key at once make one appointment and all are told of it', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  const slot = await aSlot(studio, artist);
  const key = { 'Idempotency-Key': randomUUID() };
  const servers = [studio, await studio.another()];
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      requestSlot(servers[n % 2] ?? studio, artist, slot, {}, key),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect(await countRows(studio)).toEqual({ appointments: 1, clients: 1, kept: 1 });
});

test('a repeated call answers what became of the first, once that is confirmed', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  const slot = await aSlot(studio, artist);
  const key = { 'Idempotency-Key': randomUUID() };
  const first = await requestSlot(studio, artist, slot, {}, key);
  await confirmAppointment(studio.http(), first.body.id);
  expect(await requestSlot(studio, artist, slot, {}, key)).toMatchObject({
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
    const studio = await openTestApp();
    const artist = await studio.artist();
    const { token, service } = artist;
    const slot = await aSlot(studio, artist);
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await requestSlot(studio, artist, slot, {}, key);
    expect(
      (await studio.call(what.replace('SERVICE', service.id), { token, json })).status,
    ).toBeLessThan(300);
    const again = await requestSlot(studio, artist, slot, {}, key);
    expect(again).toMatchObject({ status: 201, body: { id: first.body.id, status: 'held' } });
  },
);

test.each([
  ['another time', (slot: { start: string; end: string }) => shifted(slot, 60)],
  ['another client', () => ({ email: 'other@example.com' })],
])('a key that is sent for %s is refused and books nothing', async (_, change) => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  const slot = await aSlot(studio, artist);
  const key = { 'Idempotency-Key': randomUUID() };
  await requestSlot(studio, artist, slot, {}, key);
  expect(await requestSlot(studio, artist, slot, change(slot), key)).toMatchObject(KEY_REUSED);
  expect(await countRows(studio)).toEqual({ appointments: 1, clients: 1, kept: 1 });
});

test('keys of different artists have nothing to do with one another', async () => {
  const studio = await openTestApp();
  const key = { 'Idempotency-Key': randomUUID() };
  for (const artist of [await studio.artist(), await studio.artist()]) {
    const slot = await aSlot(studio, artist);
    expect(await requestSlot(studio, artist, slot, {}, key)).toMatchObject({ status: 201 });
  }
});

test('a design is asked for once with one key', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist({ scheduling_type: 'managed' });
  const ask = (email: string, key: string) =>
    studio.call<Confirmation>(`POST /appointments/request/design?username=${artist.username}`, {
      json: { ...FILLED_FORM, email },
      headers: { 'Idempotency-Key': key },
    });
  const key = randomUUID();
  const first = await ask('rosa@example.com', key);
  const again = await ask('rosa@example.com', key.toUpperCase());
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.body).toStrictEqual(first.body);
  expect(await ask('other@example.com', key)).toMatchObject(KEY_REUSED);
  expect(await countRows(studio)).toEqual({ appointments: 1, clients: 1, kept: 0 });
});

test.each(['1', 'not a key', '', '4d7f6e0a0d5c4a579d0e6b1f0f3c2a11'])(
  'a key like "%s" is no UUID and is refused',
  async (key) => {
    const studio = await openTestApp();
    const answer = await studio.call('POST /appointments/request/design?username=nobody', {
      json: FILLED_FORM,
      headers: { 'Idempotency-Key': key },
    });
    expect(answer).toMatchObject(invalid(['header', 'idempotency-key'], 'Invalid UUID'));
  },
);
