import { expect, test } from 'vitest';
import { DesignRequest, ServiceRequest } from '#contract/appointment.ts';
import { HOUR_MS, MINUTE_MS, toRfc3339 } from '#domain/time.ts';
import { updateArtist, updateSchedule } from '#server/database/artists.ts';
import { requestDesign, requestService } from '#server/operations/booking.ts';
import { confirmAppointment, loadConfirmation } from '#server/operations/confirmation.ts';
import {
  addAppointment,
  addArtist,
  addDesign,
  addService,
  listNotices,
  occupiesTime,
} from '#support/database_rows.ts';
import { UNKNOWN_ID } from '#support/problems.ts';
import { createDailySchedule, ROSA_DETAILS } from '#support/sample_people.ts';
import { openTestContext } from '#support/test_context.ts';

/** A listed time, three days ahead; the studio is always open. */
const NETWORK = '192.0.2.0/24';
const SLOT = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 72 * HOUR_MS;
const NOT_FOUND = { reason: 'not_found' };

async function setUp(changes: Parameters<typeof openTestContext>[0] = {}) {
  const opened = await openTestContext(changes);
  const { context } = opened;
  const artist = await addArtist(context.database);
  await updateSchedule(context.database, artist.id, {
    ...createDailySchedule('00:00', '24:00'),
    buffer_minutes: 15,
  });
  const { id: service_id } = await addService(context.database, artist);
  const request = (changes: Record<string, unknown> = {}) =>
    ServiceRequest.parse({
      ...ROSA_DETAILS,
      service_id,
      start: toRfc3339(SLOT),
      end: toRfc3339(SLOT + HOUR_MS - MINUTE_MS),
      ...changes,
    });
  const book = (changes: Record<string, unknown> = {}, key?: string) =>
    requestService(context, artist.username, request(changes), {
      network: NETWORK,
      idempotencyKey: key,
    });
  const notices = () => listNotices(context.database, artist.id);
  return { ...opened, artist, serviceId: service_id, book, notices };
}

test('a booked time is held for half an hour, and its client is mailed', async () => {
  const { context, book, notices } = await setUp();
  const before = Date.now();
  const { id, status, start } = await book();
  expect([status, start]).toEqual(['held', toRfc3339(SLOT)]);
  const row = await context.database
    .selectFrom('appointment_times')
    .select(['expires_at', 'occupies'])
    .where('appointment_id', '=', id)
    .executeTakeFirstOrThrow();
  expect(row.occupies).toBe(true);
  expect((row.expires_at?.getTime() ?? 0) - before).toBeGreaterThan(29 * MINUTE_MS);
  expect(await notices()).toEqual(['hold to rosa@example.com']);
});

test('a time that is taken, not listed or in the buffer of an appointment is refused', async () => {
  const { book } = await setUp();
  await book();
  const at = (start: number) => ({
    start: toRfc3339(start),
    end: toRfc3339(start + HOUR_MS - MINUTE_MS),
    email: 'max@example.com',
  });
  for (const start of [SLOT, SLOT + HOUR_MS, SLOT + 30 * MINUTE_MS, SLOT - 24 * 365 * HOUR_MS])
    await expect(book(at(start)), toRfc3339(start)).rejects.toMatchObject({ reason: 'time_taken' });
  expect((await book(at(SLOT + 2 * HOUR_MS))).status).toBe('held');
});

test('concurrent bookings with one idempotency key return the first booking', async () => {
  const { book, notices } = await setUp();
  const key = crypto.randomUUID();
  const bookings = await Promise.all([
    book({}, key),
    book({}, key),
    book({ first_name: 'R' }, key),
  ]);
  expect(new Set(bookings.map(({ id }) => id)).size).toBe(1);
  expect(await notices()).toHaveLength(1);
  const reused = book({ email: 'max@example.com' }, key);
  await expect(reused).rejects.toMatchObject({ reason: 'idempotency_key_reused' });
});

test('an end that does not match the duration of the service is invalid input', async () => {
  const { book } = await setUp();
  await expect(book({ end: toRfc3339(SLOT + HOUR_MS) })).rejects.toMatchObject({
    loc: ['body', 'end'],
  });
});

test('a hidden service is not available; another artist’s service or design is not found', async () => {
  const { context, artist, book } = await setUp();
  const hidden = await addService(context.database, artist, { is_available: false });
  await expect(book({ service_id: hidden.id })).rejects.toMatchObject({
    reason: 'service_not_available',
  });
  const other = await addArtist(context.database);
  const foreign = await addService(context.database, other);
  await expect(book({ service_id: foreign.id })).rejects.toMatchObject(NOT_FOUND);
  const design = await addDesign(context.database, other);
  await expect(book({ design_id: design.id })).rejects.toMatchObject(NOT_FOUND);
});

test('an artist who schedules by hand or is inactive cannot be booked', async () => {
  const { context, artist, book } = await setUp();
  await updateArtist(context.database, artist.id, { scheduling_type: 'managed' });
  await expect(book()).rejects.toMatchObject({ reason: 'wrong_scheduling_type' });
  await updateArtist(context.database, artist.id, { is_active: false });
  await expect(book()).rejects.toMatchObject(NOT_FOUND);
});

test('a request to an artist who schedules by hand has no time, and both are mailed', async () => {
  const { context, artist, book, notices } = await setUp();
  await updateArtist(context.database, artist.id, { scheduling_type: 'managed' });
  const design = await addDesign(context.database, artist);
  const request = DesignRequest.parse({ ...ROSA_DETAILS, design_id: design.id });
  const key = crypto.randomUUID();
  const first = await requestDesign(context, undefined, request, {
    network: NETWORK,
    idempotencyKey: key,
  });
  expect(first).toMatchObject({ status: 'requested', start: null, design: { id: design.id } });
  expect(
    (await requestDesign(context, undefined, request, { network: NETWORK, idempotencyKey: key }))
      .id,
  ).toBe(first.id);
  expect((await notices()).toSorted()).toEqual([
    `new_request to ${artist.email}`,
    'request_received to rosa@example.com',
  ]);
  await expect(book()).rejects.toMatchObject({ reason: 'wrong_scheduling_type' });
});

test('a request without a username needs an available design', async () => {
  const { context, artist } = await setUp();
  const send = (design_id: string | null) =>
    requestDesign(context, undefined, DesignRequest.parse({ ...ROSA_DETAILS, design_id }), {
      network: NETWORK,
    });
  await expect(send(null)).rejects.toMatchObject({ loc: ['query', 'username'] });
  const hidden = await addDesign(context.database, artist, { status: 'hidden' });
  await expect(send(hidden.id)).rejects.toMatchObject({ reason: 'design_not_available' });
  await expect(send(UNKNOWN_ID)).rejects.toMatchObject(NOT_FOUND);
});

test('a confirmed hold never expires; confirming it twice mails once', async () => {
  const { context, artist, book, notices } = await setUp();
  const { id } = await book();
  expect(await confirmAppointment(context, id, NETWORK)).toMatchObject({ status: 'confirmed' });
  expect(await confirmAppointment(context, id, NETWORK)).toMatchObject({ status: 'confirmed' });
  expect((await loadConfirmation(context, id, Date.now() + 48 * HOUR_MS)).status).toBe('confirmed');
  expect((await notices()).toSorted()).toEqual([
    'booked to rosa@example.com',
    'hold to rosa@example.com',
    `new_booking to ${artist.email}`,
  ]);
});

test('an expired hold can be confirmed only while its time is free', async () => {
  const { context, artist, serviceId } = await setUp();
  const expired = { status: 'held', start: SLOT, expiresAt: Date.now() - 1 } as const;
  const first = await addAppointment(context.database, artist, { ...expired, serviceId });
  expect(await confirmAppointment(context, first, NETWORK)).toMatchObject({ status: 'confirmed' });
  const other = await addArtist(context.database);
  const service = await addService(context.database, other);
  const second = await addAppointment(context.database, other, {
    ...expired,
    status: 'expired',
    serviceId: service.id,
  });
  await context.database
    .updateTable('appointment_times')
    .set({ occupies: false })
    .where('appointment_id', '=', second)
    .execute();
  await addAppointment(context.database, other, { start: SLOT });
  await expect(confirmAppointment(context, second, NETWORK)).rejects.toMatchObject({
    reason: 'time_taken',
  });
  expect(await occupiesTime(context.database, second)).toBe(false);
});

test('an expired hold whose service is gone is not booked again', async () => {
  const { context, artist } = await setUp();
  const id = await addAppointment(context.database, artist, {
    status: 'held',
    start: SLOT,
    expiresAt: Date.now() - 1,
  });
  await expect(confirmAppointment(context, id, NETWORK)).rejects.toMatchObject({
    reason: 'service_changed',
  });
});

test('a cancelled appointment cannot be confirmed, and an unknown one is not found', async () => {
  const { context, artist } = await setUp();
  const id = await addAppointment(context.database, artist, { status: 'cancelled', start: SLOT });
  await expect(confirmAppointment(context, id, NETWORK)).rejects.toMatchObject({
    reason: 'status_changed',
  });
  const unknown = crypto.randomUUID();
  await expect(confirmAppointment(context, unknown, NETWORK)).rejects.toMatchObject(NOT_FOUND);
  await expect(loadConfirmation(context, unknown, SLOT)).rejects.toMatchObject(NOT_FOUND);
});
