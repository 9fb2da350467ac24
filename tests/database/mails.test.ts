import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { MailData } from '#domain/mail/mail.ts';
import { HOUR_MS } from '#domain/time/time.ts';
import { listMails } from '#server/database/mail_lists.ts';
import * as waits from '#server/database/mail_waits.ts';
import {
  deleteFinishedMails,
  dropMails,
  findMail,
  finishMails,
  insertMails,
} from '#server/database/mails.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addAppointment, createAppointmentFacts, withRollback } from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';

const ALL = { skip: 0, limit: 100 };

async function setUp() {
  const { database, artist } = await openArtistContext();
  const appointmentId = await addAppointment(database, artist);
  const appointment = createAppointmentFacts(artist, appointmentId);
  const account = { id: artist.id, name: 'An Artist', email: artist.email };
  const insert = async (notice: MailData) =>
    (await inTransaction(database, insertMails, { notices: [notice], isResent: true }))[0];
  return { database, artist, appointmentId, appointment, account, insert };
}

test('an unpaired surrogate is stored as U+FFFD', async () => {
  const { database, appointment, insert } = await setUp();
  const id = await insert({ kind: 'booked', appointment: { ...appointment, note: 'A \ud83d' } });
  const mail = await findMail(database, id ?? '');
  expect(mail?.notice).toMatchObject({ appointment: { note: 'A \ufffd' } });
});

test('an artist’s mails are listed newest first, and filtered by appointment and status', async () => {
  const { database, artist, appointmentId, appointment, account, insert } = await setUp();
  const booked = await insert({ kind: 'booked', appointment });
  const changed = await insert({ kind: 'password_changed', artist: account, occasion: '1' });
  await finishMails(database, [{ id: changed ?? '', status: 'sent' }]);
  const ids = async (filter: Parameters<typeof listMails>[2]) =>
    (await listMails(database, artist.id, filter, ALL)).rows.map(({ id }) => id);
  expect(await ids({})).toEqual([changed, booked]);
  expect(await ids({ appointment_id: appointmentId })).toEqual([booked]);
  expect(await ids({ status: 'sent' })).toEqual([changed]);
  await finishMails(database, [{ id: booked ?? '', status: 'saved' }]);
  expect(await ids({ status: 'sent' })).toEqual([changed]);
  expect(await ids({ status: 'saved' })).toEqual([booked]);
});

test('a mail ends once', async () => {
  const { database, appointment, insert } = await setUp();
  const id = (await insert({ kind: 'booked', appointment })) ?? '';
  const failed = { status: 'failed', failure: 'No such user' } as const;
  expect(await finishMails(database, [{ id, ...failed }])).toHaveLength(1);
  expect(await finishMails(database, [{ id, status: 'sent' }])).toEqual([]);
  expect(await findMail(database, id)).toMatchObject(failed);
});

test('when the mail that reports others is dropped, the others become due again', async () => {
  const { database, appointment, insert } = await setUp();
  const [first = '', other = ''] = [
    await insert({ kind: 'booked', appointment }),
    await insert({ kind: 'booked', appointment }),
  ];
  const now = Date.now();
  await withRollback(database, async (transaction) => {
    const isWoken = async () => (await waits.wakeDueMails(transaction, now)).includes(other);
    const wait = { mailbox: 'rosa', budget: 'mailbox', until: now } as const;
    await waits.updateMailWait(transaction, other, wait);
    expect(await isWoken()).toBe(true);
    await waits.mergeMails(transaction, [other], first);
    await dropMails(transaction, [first]);
    expect(await isWoken()).toBe(true);
  });
});

test('finished mails are deleted when they are old or have no artist', async () => {
  const { database, appointment, insert } = await setUp();
  const mail = async (settledDaysAgo: number | null, isOrphan = false) => {
    const id = (await insert({ kind: 'booked', appointment })) ?? '';
    if (settledDaysAgo !== null) {
      await finishMails(database, [{ id, status: 'sent' }]);
      const settled_at = sql<Date>`now() - ${`${settledDaysAgo} days`}::interval`;
      await database.updateTable('mails').set({ settled_at }).where('id', '=', id).execute();
    }
    if (isOrphan)
      await database.updateTable('mails').set({ artist_id: null }).where('id', '=', id).execute();
    return id;
  };
  const [young, old] = [await mail(1), await mail(100)];
  const [orphan, queued] = [await mail(1, true), await mail(null, true)];
  await withRollback(database, async (transaction) => {
    await deleteFinishedMails(transaction, Date.now() - 90 * 24 * HOUR_MS);
    const left = await transaction
      .selectFrom('mails')
      .select('id')
      .where('id', 'in', [young, old, orphan, queued])
      .execute();
    expect(left.map(({ id }) => id).toSorted()).toEqual([young, queued].toSorted());
  });
});

test('an old mail that brought a calendar entry stays while its appointment is confirmed and not long past', async () => {
  const { database, appointmentId, appointment, insert } = await setUp();
  const id = (await insert({ kind: 'booked', appointment })) ?? '';
  await finishMails(database, [{ id, status: 'sent', calendarMethod: 'REQUEST' }]);
  const isLeft = async (before: number, status: 'confirmed' | 'completed') => {
    let left = false;
    await withRollback(database, async (transaction) => {
      const appointments = transaction.updateTable('appointments').set({ status });
      await appointments.where('id', '=', appointmentId).execute();
      await deleteFinishedMails(transaction, before);
      left = (await findMail(transaction, id)) !== undefined;
    });
    return left;
  };
  const soon = Date.now() + HOUR_MS;
  expect(await isLeft(soon, 'confirmed')).toBe(true);
  expect(await isLeft(soon, 'completed')).toBe(false);
  const afterEnd = Math.max(Date.now(), appointment.time?.end ?? 0) + HOUR_MS;
  expect(await isLeft(afterEnd, 'confirmed')).toBe(false);
});
