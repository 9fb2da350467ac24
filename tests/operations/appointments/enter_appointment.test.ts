import { expect, test } from 'vitest';
import type { AppointmentChanges } from '#contract/appointment.ts';
import { HOUR_MS, MINUTE_MS, toRfc3339 } from '#domain/time/time.ts';
import { updateSchedule } from '#server/database/artists.ts';
import {
  loadAppointment,
  updateAppointment,
} from '#server/operations/appointments/appointments.ts';
import { createAppointment } from '#server/operations/appointments/enter_appointment.ts';
import {
  addAppointment,
  addArtist,
  addClient,
  addDesign,
  addService,
  listNotices,
  NOON,
} from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { openTestContext } from '#support/test_context.ts';

const NOT_FOUND = { reason: 'not_found' };
const TIME_TAKEN = { reason: 'time_taken' };
const hourFrom = (start: number) => ({
  start: toRfc3339(start),
  end: toRfc3339(start + HOUR_MS - MINUTE_MS),
});

async function setUp() {
  const opened = await openTestContext();
  const { context } = opened;
  const terms = { booking_policy: 'No refunds.', deposit: { amount: 5000, currency: 'USD' } };
  const artist = await addArtist(context.database, terms);
  const enter = (changes: Partial<Parameters<typeof createAppointment>[2]> = {}) =>
    createAppointment(context, artist.id, {
      ...hourFrom(NOON),
      client: {
        first_name: 'Rosa',
        last_name: null,
        email: 'rosa@example.com',
        phone_number: null,
        pronouns: null,
      },
      customer_notes: null,
      ...changes,
    });
  return { ...opened, artist, enter };
}

test('an appointment that the artist enters is confirmed at once, even outside opening hours', async () => {
  const { context, enter, invalidatedTags, artist } = await setUp();
  const { id: service_id } = await addService(context.database, artist);
  const { id: design_id } = await addDesign(context.database, artist, { status: 'claimed' });
  const entered = await enter({ service_id, design_id, customer_notes: 'By phone' });
  expect(entered).toMatchObject({
    status: 'confirmed',
    ...hourFrom(NOON),
    client: { first_name: 'Rosa', email: 'rosa@example.com' },
    service: { id: service_id },
    design: { id: design_id },
    customer_notes: 'By phone',
    // The client has agreed to neither.
    booking_policy: '',
    deposit: null,
  });
  expect(await listNotices(context.database, artist.id)).toEqual(['booked to rosa@example.com']);
  expect(invalidatedTags).toEqual([`availability:${artist.id}`]);
});

test('an appointment entered for the past sends no mail', async () => {
  const { context, artist, enter } = await setUp();
  const start = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 5 * HOUR_MS;
  expect((await enter(hourFrom(start))).status).toBe('confirmed');
  expect(await listNotices(context.database, artist.id)).toEqual([]);
});

test('an entry that touches only buffers is refused, or shortens them with ignore_buffer', async () => {
  const { context, artist, enter } = await setUp();
  await inTransaction(context.database, updateSchedule, artist.id, { buffer_minutes: 30 });
  const before = await enter(hourFrom(NOON - HOUR_MS));
  const after = await enter({ ...hourFrom(NOON + HOUR_MS), ignore_buffer: true });
  expect(after.blocked_until).toBe(toRfc3339(NOON + 2.5 * HOUR_MS - MINUTE_MS));
  await expect(enter()).rejects.toMatchObject({ reason: 'buffer_touched' });
  const late = hourFrom(NOON - 5 * MINUTE_MS);
  await expect(enter({ ...late, ignore_buffer: true })).rejects.toMatchObject(TIME_TAKEN);
  const entered = await enter({ ignore_buffer: true });
  // Both end where the next one begins.
  expect(entered.blocked_until).toBe(entered.end);
  const load = () => loadAppointment(context, artist.id, before.id, NOON);
  expect(await load()).toMatchObject({ blocked_until: before.end, version: before.version });
  const moveEntered = (start: number) =>
    updateAppointment(context, artist.id, entered.id, { ...hourFrom(start), ignore_buffer: true });
  await moveEntered(NOON + 3 * HOUR_MS);
  expect(await load()).toMatchObject({ blocked_until: before.blocked_until });
  await moveEntered(NOON);

  const later = hourFrom(NOON + 2 * HOUR_MS);
  const move = (changes: AppointmentChanges) =>
    updateAppointment(context, artist.id, before.id, changes);
  await expect(move(later)).rejects.toMatchObject({ reason: 'buffer_touched' });
  await move({ ...later, ignore_buffer: true });
  expect(await load()).toMatchObject(later);
  await expect(move({ ...hourFrom(NOON), ignore_buffer: true })).rejects.toMatchObject(TIME_TAKEN);
});

test('an appointment cannot use another artist’s client, service or design', async () => {
  const { context, enter } = await setUp();
  const other = await addArtist(context.database);
  const { id: service_id } = await addService(context.database, other);
  const { id: design_id } = await addDesign(context.database, other);
  const client_id = await addClient(context.database, other);
  await expect(enter({ service_id })).rejects.toMatchObject(NOT_FOUND);
  await expect(enter({ design_id })).rejects.toMatchObject(NOT_FOUND);
  await expect(enter({ client: undefined, client_id })).rejects.toMatchObject(NOT_FOUND);
});

test.each([
  ['unproven without a proof', [false], false],
  ['proven once they have proven it', [true, false], true],
  ['proven if only the artist has entered it', [], true],
])('an entry for a known client has an email that is %s', async (_, proofs, expected) => {
  const { context, artist, enter } = await setUp();
  const client_id = await addClient(context.database, artist, { email: 'rosa@example.com' });
  for (const isProven of proofs)
    await addAppointment(context.database, artist, { client: client_id, start: null, isProven });
  const { client, email_proven } = await enter({ client: undefined, client_id });
  expect([client.id, email_proven]).toEqual([client_id, expected]);
});
