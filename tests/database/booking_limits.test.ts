import { expect, test } from 'vitest';
import { HOUR_MS } from '#domain/time.ts';
import * as limits from '#server/database/booking_limits.ts';
import type { Database } from '#server/database/connect.ts';
import { type ArtistRow, addAppointment, addArtist } from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

const NETWORK = '203.0.113.0/24';
const DAY_MS = 24 * HOUR_MS;

async function setUp() {
  const { database } = (await openTestContext()).context;
  return { database, artist: await addArtist(database), now: Date.now() };
}

interface AddedRequest {
  readonly ageMs: number;
  readonly network?: string | null;
  readonly isProven?: boolean;
  readonly status?: 'requested' | 'cancelled';
}

/** Adds a request without a time. */
async function addRequest(
  database: Database,
  artist: ArtistRow,
  now: number,
  { ageMs, network = NETWORK, isProven = false, status = 'requested' }: AddedRequest,
): Promise<string> {
  const id = await addAppointment(database, artist, { status, start: null });
  await database
    .updateTable('appointments')
    .set({ network, email_proven: isProven, created_at: new Date(now - ageMs) })
    .where('id', '=', id)
    .execute();
  return id;
}

test('requests count by hour, network and day; proven ones and those of the artist do not', async () => {
  const { database, artist, now } = await setUp();
  for (const request of [
    { ageMs: 0 },
    { ageMs: 0, network: '198.51.100.0/24' },
    { ageMs: 2 * HOUR_MS },
    { ageMs: 25 * HOUR_MS },
    { ageMs: 0, isProven: true },
    { ageMs: 0, network: null },
  ])
    await addRequest(database, artist, now, request);
  expect(await limits.countUnprovenRequests(database, artist.id, NETWORK, now)).toEqual({
    confirm_by_mail: false,
    of_hour: 2,
    of_network_and_hour: 1,
    of_network: 2,
  });
});

test('the busiest hour is one of the last weeks, before the last day', async () => {
  const { database, artist, now } = await setUp();
  const clockHour = Math.floor((now - 3 * DAY_MS) / HOUR_MS) * HOUR_MS;
  for (const ageMs of [
    0,
    0,
    0,
    now - clockHour - 1000,
    now - clockHour - 2000,
    now - clockHour + 1000,
    30 * DAY_MS,
  ])
    await addRequest(database, artist, now, { ageMs });
  expect(await limits.countBusiestHour(database, artist.id, now)).toBe(2);
});

test('networks are forgotten with time', async () => {
  const { database, artist, now } = await setUp();
  const old = await addRequest(database, artist, now, { ageMs: 40 * DAY_MS });
  const recent = await addRequest(database, artist, now, { ageMs: DAY_MS });
  await limits.deleteOldNetworks(database, now - 30 * DAY_MS);
  const rows = await database
    .selectFrom('appointments')
    .select(['id', 'network'])
    .where('id', 'in', [old, recent])
    .execute();
  expect(new Map(rows.map(({ id, network }) => [id, network]))).toEqual(
    new Map([
      [old, null],
      [recent, NETWORK],
    ]),
  );
});

test('the networks of messages are forgotten with time', async () => {
  const { database, artist, now } = await setUp();
  const message = {
    artist_id: artist.id,
    name: 'Rosa',
    email: 'rosa@example.com',
    network: NETWORK,
  };
  await database
    .insertInto('messages')
    .values([
      { ...message, message: 'old', created_at: new Date(now - 40 * DAY_MS) },
      { ...message, message: 'recent', created_at: new Date(now - DAY_MS) },
    ])
    .execute();
  await limits.deleteOldNetworks(database, now - 30 * DAY_MS);
  const rows = await database
    .selectFrom('messages')
    .select(['message', 'network'])
    .where('artist_id', '=', artist.id)
    .orderBy('created_at')
    .execute();
  expect(rows).toEqual([
    { message: 'old', network: null },
    { message: 'recent', network: NETWORK },
  ]);
});

test('an artist has at most one open alarm, which only they can close', async () => {
  const { database, artist, now } = await setUp();
  const stranger = await addArtist(database);
  const id = await limits.insertBookingAlarm(database, artist.id, now - HOUR_MS);
  if (id === undefined) throw new Error('The alarm was not inserted');
  expect(await limits.insertBookingAlarm(database, artist.id, now)).toBeUndefined();
  expect(await limits.closeBookingAlarm(database, stranger.id, id)).toBeUndefined();
  expect((await limits.findOpenAlarm(database, artist.id))?.id).toBe(id);
  expect((await limits.closeBookingAlarm(database, artist.id, id))?.id).toBe(id);
  expect(await limits.closeBookingAlarm(database, artist.id, id)).toBeUndefined();
  expect(await limits.insertBookingAlarm(database, artist.id, now)).toBeDefined();
});

test('cancelling the unproven requests since an instant leaves older, proven and finished ones', async () => {
  const { database, artist, now } = await setUp();
  const cancelled = await addRequest(database, artist, now, { ageMs: 0 });
  for (const request of [
    { ageMs: 2 * HOUR_MS },
    { ageMs: 0, isProven: true },
    { ageMs: 0, network: null },
    { ageMs: 0, status: 'cancelled' as const },
  ])
    await addRequest(database, artist, now, request);
  const since = now - HOUR_MS;
  expect(await limits.countOpenUnproven(database, artist.id, since)).toMatchObject({ bookings: 1 });
  expect(await limits.cancelUnproven(database, artist.id, since)).toMatchObject({ cancelled: 1 });
  const row = await database
    .selectFrom('appointments')
    .select(['status', 'version'])
    .where('id', '=', cancelled)
    .executeTakeFirst();
  expect(row).toEqual({ status: 'cancelled', version: 2 });
  expect(await limits.cancelUnproven(database, artist.id, since)).toEqual({
    cancelled: 0,
    mailIds: [],
  });
});
