import { expect, test } from 'vitest';
import { DesignRequest, ServiceRequest } from '#contract/appointment.ts';
import { refuse } from '#domain/refusal.ts';
import { HOUR_MS, MINUTE_MS, toRfc3339 } from '#domain/time.ts';
import { updateArtist, updateSchedule } from '#server/database/artists.ts';
import {
  confirmAppointment,
  loadConfirmation,
  requestDesign,
  requestService,
} from '#server/operations/booking.ts';
import {
  addAppointment,
  addArtist,
  addDesign,
  addService,
  listNotices,
  occupiesTime,
} from '#support/database_rows.ts';
import { createDailySchedule, ROSA_DETAILS } from '#support/sample_people.ts';
import { openTestContext } from '#support/test_context.ts';

/** A listed time, three days ahead; the studio is always open. */
const SLOT = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 72 * HOUR_MS;
const NOT_FOUND = { reason: 'not_found' };

async function open(changes: Parameters<typeof openTestContext>[0] = {}) {
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
    requestService(context, artist.username, request(changes), key);
  const notices = () => listNotices(context.database, artist.id);
  return { ...opened, artist, book, notices };
}

test('a picked time is held for half an hour, and its client is mailed', async () => {
  const { context, book, notices } = await open();
  const before = Date.now();
  const { id, status, start } = await book();
  expect([status, start]).toEqual(['held', toRfc3339(SLOT)]);
  const row = await context.database
    .selectFrom('appointment_times')
    .select(['lapses_at', 'occupies'])
    .where('appointment_id', '=', id)
    .executeTakeFirstOrThrow();
  expect(row.occupies).toBe(true);
  expect((row.lapses_at?.getTime() ?? 0) - before).toBeGreaterThan(29 * MINUTE_MS);
  expect(await notices()).toEqual(['hold to rosa@example.com']);
});

test('a time that is taken, not listed or in the buffer of another is refused', async () => {
  const { book } = await open();
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

test('of many clients who pick one time at once one gets it', async () => {
  const { book, notices } = await open();
  const settled = await Promise.allSettled(
    Array.from({ length: 8 }, (_, index) => book({ email: `client${index}@example.com` })),
  );
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const one of settled)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ reason: 'time_taken' });
  expect(await notices()).toHaveLength(1);
});

test('the same idempotency key answers the first booking, also at the same moment', async () => {
  const { book, notices } = await open();
  const key = crypto.randomUUID();
  const answers = await Promise.all([book({}, key), book({}, key), book({ first_name: 'R' }, key)]);
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  expect(await notices()).toHaveLength(1);
  const reused = book({ email: 'max@example.com' }, key);
  await expect(reused).rejects.toMatchObject({ reason: 'key_reused' });
});

test('an end that does not belong to the service is invalid input', async () => {
  const { book } = await open();
  await expect(book({ end: toRfc3339(SLOT + HOUR_MS) })).rejects.toMatchObject({
    loc: ['body', 'end'],
  });
});

test('a service that is hidden or another artist’s is not found', async () => {
  const { context, artist, book } = await open();
  const hidden = await addService(context.database, artist, { is_available: false });
  await expect(book({ service_id: hidden.id })).rejects.toMatchObject(NOT_FOUND);
  const other = await addArtist(context.database);
  const foreign = await addService(context.database, other);
  await expect(book({ service_id: foreign.id })).rejects.toMatchObject(NOT_FOUND);
  const design = await addDesign(context.database, other);
  await expect(book({ design_id: design.id })).rejects.toMatchObject(NOT_FOUND);
});

test('an artist who sets the times, or is not active, cannot be booked', async () => {
  const { context, artist, book } = await open();
  await updateArtist(context.database, artist.id, { scheduling_type: 'managed' });
  await expect(book()).rejects.toMatchObject({ reason: 'wrong_flow' });
  await updateArtist(context.database, artist.id, { is_active: false });
  await expect(book()).rejects.toMatchObject(NOT_FOUND);
});

test('more requests than one mailbox takes are refused before anything is stored', async () => {
  const { context, artist, book } = await open({
    spendMailQuota: () => Promise.reject(refuse('too_many')),
  });
  await expect(book()).rejects.toMatchObject({ reason: 'too_many' });
  const rows = context.database
    .selectFrom('appointments')
    .select('id')
    .where('artist_id', '=', artist.id);
  expect(await rows.execute()).toEqual([]);
});

test('a request to an artist who sets the times has no time, and both are mailed', async () => {
  const { context, artist, book, notices } = await open();
  await updateArtist(context.database, artist.id, { scheduling_type: 'managed' });
  const design = await addDesign(context.database, artist);
  const request = DesignRequest.parse({ ...ROSA_DETAILS, design_id: design.id });
  const key = crypto.randomUUID();
  const first = await requestDesign(context, undefined, request, key);
  expect(first).toMatchObject({ status: 'requested', start: null, design: { id: design.id } });
  expect((await requestDesign(context, undefined, request, key)).id).toBe(first.id);
  expect((await notices()).toSorted()).toEqual([
    `new_request to ${artist.email}`,
    'request_received to rosa@example.com',
  ]);
  await expect(book()).rejects.toMatchObject({ reason: 'wrong_flow' });
});

test('a request without a username needs an available design', async () => {
  const { context, artist } = await open();
  const ask = (design_id: string | null) =>
    requestDesign(
      context,
      undefined,
      DesignRequest.parse({ ...ROSA_DETAILS, design_id }),
      undefined,
    );
  await expect(ask(null)).rejects.toMatchObject({ loc: ['query', 'username'] });
  const hidden = await addDesign(context.database, artist, { status: 'hidden' });
  await expect(ask(hidden.id)).rejects.toMatchObject(NOT_FOUND);
});

test('a confirmed hold keeps its time for good; confirming twice is harmless', async () => {
  const { context, artist, book, notices } = await open();
  const { id } = await book();
  expect(await confirmAppointment(context, id)).toMatchObject({ status: 'confirmed' });
  expect(await confirmAppointment(context, id)).toMatchObject({ status: 'confirmed' });
  expect((await loadConfirmation(context, id, Date.now() + 48 * HOUR_MS)).status).toBe('confirmed');
  expect((await notices()).toSorted()).toEqual([
    'booked to rosa@example.com',
    'hold to rosa@example.com',
    `new_booking to ${artist.email}`,
  ]);
});

test('an expired hold is confirmed while its time is free, and refused when it is not', async () => {
  const { context, artist } = await open();
  const lapsed = { status: 'held', start: SLOT, lapsesAt: Date.now() - 1 } as const;
  const first = await addAppointment(context.database, artist, lapsed);
  expect(await confirmAppointment(context, first)).toMatchObject({ status: 'confirmed' });
  const other = await addArtist(context.database);
  const second = await addAppointment(context.database, other, { ...lapsed, status: 'expired' });
  await context.database
    .updateTable('appointment_times')
    .set({ occupies: false })
    .where('appointment_id', '=', second)
    .execute();
  await addAppointment(context.database, other, { start: SLOT });
  await expect(confirmAppointment(context, second)).rejects.toMatchObject({ reason: 'time_taken' });
  expect(await occupiesTime(context.database, second)).toBe(false);
});

test('what was cancelled cannot be confirmed, and what is not there is not found', async () => {
  const { context, artist } = await open();
  const id = await addAppointment(context.database, artist, { status: 'cancelled', start: SLOT });
  await expect(confirmAppointment(context, id)).rejects.toMatchObject({ reason: 'state_moved' });
  const unknown = crypto.randomUUID();
  await expect(confirmAppointment(context, unknown)).rejects.toMatchObject(NOT_FOUND);
  await expect(loadConfirmation(context, unknown, SLOT)).rejects.toMatchObject(NOT_FOUND);
});
