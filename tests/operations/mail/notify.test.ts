import { expect, test } from 'vitest';
import type { MailData } from '#domain/mail/mail.ts';
import { findAppointment } from '#server/database/appointments.ts';
import { change } from '#server/operations/change.ts';
import {
  notify,
  toAccountSnapshot,
  toAppointmentSnapshot,
} from '#server/operations/mail/notify.ts';
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
    change(opened.context, { invalidates: [] }, (context) => notify(context, { notices }));
  const appointment = toAppointmentSnapshot(row, { wasBooked: false });
  return { ...opened, database, artist, appointment, notifyAll };
}

test('the same notice is queued once', async () => {
  const { artist, appointment, notifyAll, database } = await setUp();
  await notifyAll({ kind: 'booked', appointment });
  await notifyAll({ kind: 'booked', appointment });
  const mails = database.selectFrom('mails').where('artist_id', '=', artist.id).select('id');
  expect(await mails.execute()).toHaveLength(1);
});

test('a client without an email address is not mailed', async () => {
  const { database, artist, appointment, notifyAll, jobs } = await setUp({ email: null });
  await notifyAll({ kind: 'booked', appointment });
  expect([await rows.listNotices(database, artist.id), jobs]).toEqual([[], []]);
});

test('mails beyond the size of one INSERT are all queued', async () => {
  const { context, appointment, jobs } = await setUp();
  const notices = Array.from({ length: 501 }, () => ({ kind: 'booked', appointment }) as const);
  const ids = await change(context, { invalidates: [] }, (context) =>
    notify(context, { notices, isResent: true }),
  );
  expect(new Set(ids).size).toBe(501);
  expect(jobs).toEqual(ids.map((id) => ({ kind: 'mail', id })));
});

test('the facts of an account are id, name and email only', async () => {
  const { artist } = await setUp();
  const row = { ...artist, full_name: 'An Artist', password_hash: 'secret' };
  expect(toAccountSnapshot(row)).toEqual({ id: artist.id, name: 'An Artist', email: artist.email });
});
