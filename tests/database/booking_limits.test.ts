import type { Updateable } from 'kysely';
import { expect, test } from 'vitest';
import { HOUR_MS } from '#domain/time/time.ts';
import * as limits from '#server/database/booking_limits.ts';
import { findCalendarWithDurations } from '#server/database/calendar.ts';
import type { Database } from '#server/database/connect.ts';
import type { Appointments } from '#server/database/tables.ts';
import { cancelAlarmedBookings } from '#server/operations/booking/abuse.ts';
import { toCalendarQuery } from '#server/operations/booking/availability.ts';
import {
  type ArtistRow,
  addAppointment,
  addArtist,
  addDesign,
  addService,
} from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { openTestContext } from '#support/test_context.ts';

const NETWORK = '203.0.113.0/24';
const DAY_MS = 24 * HOUR_MS;
const EXEMPT = { email_proven: true, counts_for_limits: false };

async function setUp() {
  const { context } = await openTestContext();
  const { database } = context;
  return { context, database, artist: await addArtist(database), now: Date.now() };
}

interface AddedRequest extends Updateable<Appointments> {
  readonly start?: number | null;
}

/** Adds a request with these columns, without a time unless it has a start. */
async function addRequest(
  database: Database,
  artist: ArtistRow,
  at: number,
  { status = 'requested', start = null, ...columns }: AddedRequest = {},
): Promise<string> {
  const id = await addAppointment(database, artist, { status, start });
  const time = { created_at: new Date(at), counted_at: new Date(at) };
  await setColumns(database, id, { network: NETWORK, ...time, ...columns });
  return id;
}

async function setColumns(
  database: Database,
  id: string,
  columns: Updateable<Appointments>,
): Promise<void> {
  await database.updateTable('appointments').set(columns).where('id', '=', id).execute();
}

test('requests count by hour, network and day; exempt ones and those of the artist do not', async () => {
  const { database, artist, now } = await setUp();
  const others = [{ network: '198.51.100.0/24' }, EXEMPT, { network: null }];
  for (const request of others) await addRequest(database, artist, now, request);
  for (const hours of [0, 2, 25]) await addRequest(database, artist, now - hours * HOUR_MS);
  const sender = { artistId: artist.id, network: NETWORK, appointmentId: null };
  expect(await limits.countRequests(database, sender, now)).toEqual({
    network: NETWORK,
    confirmsByMail: false,
    ofHour: 2,
    ofDay: 3,
    ofNetworkAndHour: 1,
    ofNetwork: 2,
    // With so few requests nothing depends on it.
    busiestHour: 0,
  });
});

test('the networks of one /48 of IPv6 count as one once four of them have requests', async () => {
  const { database, artist, now } = await setUp();
  const sender = { artistId: artist.id, network: '2001:db8:1::/56', appointmentId: null };
  const add = (part: number) =>
    addRequest(database, artist, now, { network: `2001:db8:1:${part}00::/56` });
  for (const part of [1, 1, 2]) await add(part);
  const count = () => limits.countRequests(database, sender, now);
  expect(await count()).toMatchObject({ network: sender.network, ofNetwork: 0, ofHour: 3 });
  const fourth = await add(3);
  const ofWider = { network: '2001:db8:1::/48', ofNetwork: 4, ofNetworkAndHour: 4 };
  expect(await count()).toMatchObject(ofWider);
  // A judged appointment does not count.
  const judged = { ...sender, appointmentId: fourth };
  expect(await limits.countRequests(database, judged, now)).toMatchObject({ ofNetwork: 0 });
});

test('the busiest hour is one of the last weeks, before the last day', async () => {
  const { database, artist, now } = await setUp();
  const clockHour = Math.floor((now - 3 * DAY_MS) / HOUR_MS) * HOUR_MS;
  const beforeIt = [clockHour + 1000, clockHour + 2000, clockHour - 1000, now - 30 * DAY_MS];
  for (const at of [now, now, now, ...beforeIt]) await addRequest(database, artist, at);
  expect(await limits.countBusiestHour(database, artist.id, now)).toBe(2);
});

test('networks are forgotten with time; mails that the artist caused keep their id', async () => {
  const { database, artist, now } = await setUp();
  const [old, recent] = [new Date(now - 40 * DAY_MS), new Date(now - DAY_MS)];
  for (const created_at of [old, recent]) {
    await addRequest(database, artist, created_at.getTime());
    const message = { name: 'Rosa', email: 'rosa@example.com', mailbox: 'hash', message: 'Hello' };
    await database
      .insertInto('messages')
      .values({ artist_id: artist.id, ...message, network: NETWORK, created_at })
      .execute();
  }
  for (const [source, created_at] of [
    [NETWORK, old],
    [NETWORK, recent],
    [artist.id, old],
  ] as const)
    await database
      .insertInto('mails')
      .values({
        ...{ artist_id: artist.id, sender_id: artist.id, source, created_at },
        ...{ cause: crypto.randomUUID(), address: artist.email },
        notice: JSON.stringify({ kind: 'prove_email', artist, occasion: 'one' }),
      })
      .execute();
  await limits.deleteOldNetworks(database, now - 30 * DAY_MS);
  for (const table of ['appointments', 'messages'] as const) {
    const rows = database.selectFrom(table).select('network').where('artist_id', '=', artist.id);
    expect(await rows.orderBy('created_at').execute()).toEqual([
      { network: null },
      { network: NETWORK },
    ]);
  }
  const mails = database.selectFrom('mails').select('source').where('artist_id', '=', artist.id);
  expect(await mails.orderBy('position').execute()).toEqual([
    { source: null },
    { source: NETWORK },
    { source: artist.id },
  ]);
});

test('an alarm is about requests that follow each other, not about others between two batches', async () => {
  const { database, artist, now } = await setUp();
  const add = async (at: number) => {
    const id = await addRequest(database, artist, at);
    return (await inTransaction(database, limits.joinAlarm, artist.id, id, at)) === null;
  };
  await addRequest(database, artist, now - 1000);
  const alarm = await inTransaction(
    database,
    limits.raiseBookingAlarm,
    artist.id,
    now - HOUR_MS,
    now,
  );
  expect(await add(now + HOUR_MS / 3)).toBe(true);
  expect(await add(now + (2 * HOUR_MS) / 3)).toBe(true);
  expect(await limits.countBatch(database, alarm.id)).toMatchObject({ bookings: 3 });
  expect(await add(now + 2 * HOUR_MS)).toBe(false);
  // Later requests count for another warning.
  const end = now + (2 * HOUR_MS) / 3 + HOUR_MS / 2;
  const other = await addRequest(database, artist, now + 3 * HOUR_MS);
  expect(
    await inTransaction(database, limits.joinAlarm, artist.id, other, now + 3 * HOUR_MS),
  ).toEqual({
    ...{ since: end, ofDay: 2, ofHour: 1 },
  });
  const later = now + 5 * HOUR_MS;
  await addRequest(database, artist, later - 1000);
  const again = await inTransaction(
    database,
    limits.raiseBookingAlarm,
    artist.id,
    later - HOUR_MS,
    later,
  );
  expect(again).toEqual({ id: alarm.id, isNew: false });
  expect(await limits.countBatch(database, alarm.id)).toMatchObject({ bookings: 4 });
});

test('new requests count after the last alarm was closed', async () => {
  const { database, artist, now } = await setUp();
  const { id } = await inTransaction(
    database,
    limits.raiseBookingAlarm,
    artist.id,
    now - HOUR_MS,
    now,
  );
  expect(await limits.closeBookingAlarm(database, artist.id, id)).toBe(true);
  expect(await limits.closeBookingAlarm(database, artist.id, id)).toBe(false);
  const judged = await addRequest(database, artist, now - HOUR_MS);
  const count = (at: number) => inTransaction(database, limits.joinAlarm, artist.id, judged, at);
  const { since: start = 0 } = (await count(now)) ?? {};
  expect(start).toBeGreaterThanOrEqual(now);
  for (const ms of [3000, 2000, -HOUR_MS]) await addRequest(database, artist, start + ms);
  await addRequest(database, artist, start + 2000, { is_set_by_artist: true });
  expect(await count(start)).toMatchObject({ ofDay: 2, ofHour: 2 });
  expect(await count(start + 2 * HOUR_MS)).toMatchObject({ ofDay: 2, ofHour: 0 });
});

test('cancelling a batch leaves earlier, proven, finished and past requests, and those the artist has set', async () => {
  const { context, database, artist, now } = await setUp();
  const addOne = (request: AddedRequest = {}) => addRequest(database, artist, now - 1, request);
  const [cancelled, changed] = [await addOne(), await addOne()];
  await addRequest(database, artist, now - 2 * HOUR_MS);
  for (const request of [
    EXEMPT,
    { network: null },
    { status: 'cancelled' as const },
    // It ended a moment ago, after the alarm's first request: this is no client who has been there before.
    { status: 'confirmed' as const, start: now - HOUR_MS - 1000 },
  ])
    await addOne(request);
  const { id } = await inTransaction(
    database,
    limits.raiseBookingAlarm,
    artist.id,
    now - HOUR_MS,
    now,
  );
  expect(await limits.countBatch(database, id)).toMatchObject({ bookings: 2 });
  await setColumns(database, changed, { is_set_by_artist: true });
  expect(await limits.countBatch(database, id)).toMatchObject({ bookings: 1 });
  expect(await cancelAlarmedBookings(context, artist.id, id)).toEqual({ cancelled: 1 });
  const row = await database
    .selectFrom('appointments')
    .select(['status', 'version'])
    .where('id', '=', cancelled)
    .executeTakeFirst();
  expect(row).toEqual({ status: 'cancelled', version: 2 });
  expect(await limits.countBatch(database, id)).toMatchObject({ bookings: 0 });
});

test('an alarm of more than a day ago is closed: its batch is not cancelled', async () => {
  const { context, database, artist, now } = await setUp();
  await addRequest(database, artist, now - 1);
  const { id } = await inTransaction(
    database,
    limits.raiseBookingAlarm,
    artist.id,
    now - HOUR_MS,
    now,
  );
  await database
    .updateTable('booking_alarms')
    .set({ raised_at: new Date(now - DAY_MS - 1) })
    .where('id', '=', id)
    .execute();
  const cancelling = cancelAlarmedBookings(context, artist.id, id);
  await expect(cancelling).rejects.toMatchObject({ reason: 'not_found' });
});

test('cancelling a batch leaves the only open request of a client who has been there before', async () => {
  const { database, artist, now } = await setUp();
  /** Adds requests of one client, of whom the earlier appointment has another start. */
  const addOfClient = async (count: number, earlierStart: number | null) => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) ids.push(await addRequest(database, artist, now - 1));
    const start = earlierStart ?? now + 30 * DAY_MS;
    const status = earlierStart === null ? 'expired' : 'confirmed';
    ids.push(await addAppointment(database, artist, { status, start }));
    const { client_id } = await database
      .selectFrom('appointments')
      .select('client_id')
      .where('id', '=', ids[0] ?? '')
      .executeTakeFirstOrThrow();
    await database.updateTable('appointments').set({ client_id }).where('id', 'in', ids).execute();
  };
  await addOfClient(1, now - 3 * DAY_MS);
  await addOfClient(2, now - 5 * DAY_MS);
  // Anyone becomes a client with a request that they let expire.
  await addOfClient(1, null);
  const { id } = await inTransaction(
    database,
    limits.raiseBookingAlarm,
    artist.id,
    now - HOUR_MS,
    now,
  );
  expect(await limits.countBatch(database, id)).toMatchObject({ bookings: 3 });
});

test('proven emails of one domain are of a batch when they are three', async () => {
  const { database, artist, now } = await setUp();
  for (const email of ['a@one-owner.com', 'b@one-owner.com', 'C@One-Owner.com', 'd@other.com'])
    await addRequest(database, artist, now - 1, { email, email_proven: true });
  const { id } = await inTransaction(
    database,
    limits.raiseBookingAlarm,
    artist.id,
    now - HOUR_MS,
    now,
  );
  expect(await limits.countBatch(database, id)).toMatchObject({ bookings: 3 });
});

test('the lengths of all that clients can book are judged, the longest first', async () => {
  const { database, artist } = await setUp();
  for (const duration_minutes of [30, 480, 30, 90, 360, 300, 270])
    await addService(database, artist, { duration_minutes });
  await addService(database, artist, { duration_minutes: 240, is_available: false });
  await addDesign(database, artist, { duration_minutes: 420 });
  await addDesign(database, artist, { duration_minutes: 60, status: 'claimed' });
  await addDesign(database, artist);
  const lengths = [480, 420, 360, 300, 270, 90, 30];
  const query = toCalendarQuery({ first: '2026-01-01', last: '2026-01-01' }, 0);
  const listing = await findCalendarWithDurations(database, artist.id, query);
  expect(listing?.durations).toEqual(lengths);
});
