import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import { changeSchedule } from '#contract/endpoints.ts';
import { countRows, expireAppointment } from '#support/app_rows.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { countStatuses } from '#support/call_api.ts';
import { TIME_TAKEN } from '#support/problems.ts';
import { bookSlot, findSlot, requestSlot, shiftSlot, type TestApp } from '#support/test_app.ts';

/** Sends a booking, and again while the server is too busy for it: a slow machine refuses some with 503. */
async function request(...booking: Parameters<typeof requestSlot>): ReturnType<typeof requestSlot> {
  const response = await requestSlot(...booking);
  return response.status === 503 ? request(...booking) : response;
}

test.each([
  ['one server', 1],
  ['two servers', 2],
])('of 100 concurrent bookings of one time on %s, exactly one succeeds', async (_, servers) => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const slot = await findSlot(app, artist);
  const apps = [app, ...(servers === 2 ? [await app.openSecondServer()] : [])];
  const responses = await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      request(apps[n % servers] ?? app, artist, slot, { email: `client${n}@example.com` }),
    ),
  );
  expect(countStatuses(responses)).toEqual({ 201: 1, 409: 99 });
  for (const response of responses)
    if (response.status === 409) expect(response).toMatchObject(TIME_TAKEN);
  expect(await countRows(app)).toEqual({ appointments: 1, clients: 1, occupied: 1 });
  const logged = apps.flatMap((one) => one.logged);
  expect(logged.filter((line) => !line.includes('(answered 503)'))).toEqual([]);
});

test('concurrent bookings of partly overlapping times never produce a double booking', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const json = { slot_interval_minutes: 20, buffer_minutes: 10 };
  await call(app.http(artist.token), changeSchedule, { body: json });
  const slot = await findSlot(app, artist, 72);
  const other = await app.openSecondServer();
  const responses = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      request(n % 2 ? app : other, artist, shiftSlot(slot, 20 * (n % 12)), {
        email: `client${n}@example.com`,
      }),
    ),
  );
  const { 201: booked = 0, 409: refused = 0 } = countStatuses(responses);
  expect(booked + refused).toBe(60);
  expect(booked).toBeGreaterThanOrEqual(2);
  expect(await countRows(app)).toEqual({ appointments: booked, clients: booked, occupied: booked });
  expect(await countOverlaps(app)).toBe(0);
});

test('of two expired holds of one time, only the first to be confirmed gets it', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const slot = await findSlot(app, artist);
  const other = await app.openSecondServer();
  const holds: string[] = [];
  for (const email of ['first@example.com', 'second@example.com']) {
    const body = await bookSlot(app, artist, slot, { email });
    await expireAppointment(app, body.id);
    holds.push(body.id);
  }
  const confirm = (id: string) =>
    Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        (n % 2 ? app : other).call(`POST /appointments/confirmation/${id}`),
      ),
    );
  const responses = await Promise.all(holds.map(confirm));
  expect(responses.map(countStatuses)).toEqual(
    expect.arrayContaining([expect.objectContaining({ 200: 10 }), { 409: 10 }]),
  );
  expect(await countRows(app)).toMatchObject({ occupied: 1 });
});

test('a late confirmation and a concurrent booking never both get the time', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const slot = await findSlot(app, artist);
  const other = await app.openSecondServer();
  const body = await bookSlot(app, artist, slot);
  await expireAppointment(app, body.id);
  const responses = await Promise.all([
    ...Array.from({ length: 5 }, () => other.call(`POST /appointments/confirmation/${body.id}`)),
    ...Array.from({ length: 5 }, (_, n) =>
      requestSlot(app, artist, slot, { email: `client${n}@example.com` }),
    ),
  ]);
  const confirmed = countStatuses(responses.slice(0, 5));
  const requested = countStatuses(responses.slice(5));
  const outcomes = [confirmed, requested];
  if (confirmed[200]) expect(outcomes).toEqual([{ 200: 5 }, { 409: 5 }]);
  else expect(outcomes).toEqual([{ 409: 5 }, { 201: 1, 409: 4 }]);
  expect(await countRows(app)).toMatchObject({ occupied: 1 });
});

/** The number of pairs of blocked times that overlap. */
async function countOverlaps({ database }: TestApp): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM appointment_times AS a
    JOIN appointment_times AS b ON a.id < b.id AND a.blocked && b.blocked
    WHERE a.occupies AND b.occupies
  `.execute(database);
  return rows[0]?.count;
}
