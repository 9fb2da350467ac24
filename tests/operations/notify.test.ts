import { expect, test } from 'vitest';
import type { MailData } from '#domain/mail.ts';
import { HOUR_MS } from '#domain/time.ts';
import { findAppointment } from '#server/database/appointments.ts';
import {
  enqueueMails,
  notify,
  toAccountSnapshot,
  toAppointmentSnapshot,
} from '#server/operations/notify.ts';
import * as rows from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

async function setUp(changes: Parameters<typeof rows.addAppointment>[2] = {}) {
  const opened = await openTestContext();
  const { database } = opened.context;
  const artist = await rows.addArtist(database);
  const id = await rows.addAppointment(database, artist, changes);
  const row = await findAppointment(database, artist.id, id);
  if (!row) throw new Error('There is no such appointment');
  const notifyAll = (...notices: MailData[]) =>
    database
      .transaction()
      .execute((transaction) => notify(opened.context, transaction, artist.id, notices));
  return {
    ...opened,
    database,
    artist,
    row,
    appointment: toAppointmentSnapshot(row, { wasBooked: false }),
    notifyAll,
  };
}

test('clients and artists are mailed at their own addresses, with a job for each mail', async () => {
  const { database, artist, appointment, notifyAll, jobs } = await setUp();
  await notifyAll({ kind: 'booked', appointment }, { kind: 'new_booking', appointment });
  expect((await rows.listNotices(database, artist.id)).toSorted()).toEqual([
    'booked to rosa@example.com',
    `new_booking to ${artist.email}`,
  ]);
  expect(jobs.map(({ kind }) => kind)).toEqual(['mail', 'mail']);
});

test('the same notice is queued once', async () => {
  const { appointment, notifyAll, jobs } = await setUp();
  await notifyAll({ kind: 'booked', appointment });
  await notifyAll({ kind: 'booked', appointment });
  expect(jobs).toHaveLength(1);
});

test('a client without an email address is not mailed', async () => {
  const { database, artist, appointment, notifyAll, jobs } = await setUp({ email: null });
  await notifyAll({ kind: 'booked', appointment });
  expect([await rows.listNotices(database, artist.id), jobs]).toEqual([[], []]);
});

test('mails beyond the size of one INSERT are all queued', async () => {
  const { context, database, artist, appointment, jobs } = await setUp();
  const mails = Array.from({ length: 501 }, (_, index) => ({
    notice: { kind: 'booked', appointment } as const,
    address: 'rosa@example.com',
    artistId: artist.id,
    resendKey: String(index),
  }));
  const ids = await database
    .transaction()
    .execute((transaction) => enqueueMails(context, transaction, mails));
  expect(new Set(ids).size).toBe(501);
  expect(jobs).toEqual(ids.map((id) => ({ kind: 'mail', id })));
});

test('the facts of an appointment have its client, studio and version, and a time with an exclusive end', async () => {
  const expiresAt = rows.NOON - HOUR_MS;
  const { appointment, row } = await setUp({
    status: 'held',
    expiresAt: expiresAt,
    lastName: null,
  });
  expect(appointment).toMatchObject({
    id: row.id,
    version: 1,
    wasBooked: false,
    client: { name: 'Rosa', email: 'rosa@example.com', phone: null },
    studio: { name: 'The Studio', time_zone: 'America/New_York' },
    time: { start: rows.NOON, end: rows.NOON + HOUR_MS },
    expiresAt,
  });
  expect(toAppointmentSnapshot({ ...row, first_name: null }, { wasBooked: true })).toMatchObject({
    wasBooked: true,
    client: { name: null },
  });
});

test('the facts of a request without a time have no time', async () => {
  const { appointment } = await setUp({ status: 'requested', start: null });
  expect([appointment.time, appointment.expiresAt]).toEqual([null, null]);
});

test('the facts of an account are id, name and email only', async () => {
  const { artist } = await setUp();
  const row = { ...artist, full_name: 'An Artist', password_hash: 'secret' };
  expect(toAccountSnapshot(row)).toEqual({ id: artist.id, name: 'An Artist', email: artist.email });
});
