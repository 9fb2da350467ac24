import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { MailData } from '#domain/mail.ts';
import { HOUR_MS } from '#domain/time.ts';
import {
  deleteArtistMails,
  deleteFinishedMails,
  findArtistMail,
  findMail,
  finishMail,
  insertMails,
  isMailQueued,
  listMails,
  updateMailFailure,
} from '#server/database/mails.ts';
import {
  addAppointment,
  addArtist,
  createAppointmentFacts,
  NOON,
  withRollback,
} from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

const ALL = { skip: 0, limit: 100 };

async function open() {
  const { database } = await openTestApp();
  const artist = await addArtist(database);
  const appointmentId = await addAppointment(database, artist);
  const appointment = createAppointmentFacts(artist, appointmentId);
  const account = { id: artist.id, name: 'An Artist', email: artist.email };
  const insert = async (notice: MailData, again?: string) => {
    const mail = { notice, address: 'rosa@example.com', artistId: artist.id };
    const ids = await insertMails(database, [
      again === undefined ? mail : { ...mail, resendKey: again },
    ]);
    return ids[0];
  };
  return { database, artist, appointmentId, appointment, account, insert };
}

test('a mail with the same cause is stored once, unless it is sent again', async () => {
  const { database, appointment, insert } = await open();
  const first = await insert({ kind: 'booked', appointment });
  expect(first).toBeDefined();
  expect(await insert({ kind: 'booked', appointment })).toBeUndefined();
  expect(await insert({ kind: 'booked', appointment }, 'once more')).toBeDefined();
  const next = { ...appointment, version: 2 };
  expect(await insert({ kind: 'booked', appointment: next })).toBeDefined();
  expect(await insertMails(database, [])).toEqual([]);
});

test('half of a surrogate pair is stored as the sign for an unknown one', async () => {
  const { database, appointment, insert } = await open();
  const id = await insert({ kind: 'booked', appointment: { ...appointment, note: 'A \ud83d' } });
  const mail = await findMail(database, id ?? '');
  expect(mail?.notice).toMatchObject({ appointment: { note: 'A \ufffd' } });
});

test('an artist’s mails are listed newest first, by appointment and status', async () => {
  const { database, artist, appointmentId, appointment, account, insert } = await open();
  const booked = await insert({ kind: 'booked', appointment });
  const changed = await insert({ kind: 'password_changed', artist: account, occasion: '1' });
  await finishMail(database, changed ?? '', 'sent', null);
  const ids = async (filter: Parameters<typeof listMails>[2]) =>
    (await listMails(database, artist.id, filter, ALL)).rows.map(({ id }) => id);
  expect(await ids({})).toEqual([changed, booked]);
  expect(await ids({ appointment_id: appointmentId })).toEqual([booked]);
  expect(await ids({ status: 'sent' })).toEqual([changed]);
});

test('the way back into an account is not among the mails that the artist sees', async () => {
  const { database, artist, account, insert } = await open();
  const id = await insert({ kind: 'password_recovery', artist: account, occasion: '1' });
  expect((await listMails(database, artist.id, {}, ALL)).count).toBe(0);
  expect(await findArtistMail(database, artist.id, id ?? '')).toBeUndefined();
  expect(await findMail(database, id ?? '')).toMatchObject({ status: 'queued' });
});

test('another artist’s mail is not found', async () => {
  const { database, artist, appointment, insert } = await open();
  const id = (await insert({ kind: 'booked', appointment })) ?? '';
  const other = await addArtist(database);
  expect(await findArtistMail(database, other.id, id)).toBeUndefined();
  expect(await findArtistMail(database, artist.id, id)).toMatchObject({
    appointment_status: 'confirmed',
    start: new Date(NOON),
    end: new Date(NOON + HOUR_MS),
  });
});

test('a mail is settled once; what failed on the way is remembered', async () => {
  const { database, appointment, appointmentId, insert } = await open();
  const id = (await insert({ kind: 'booked', appointment })) ?? '';
  expect(await isMailQueued(database, appointmentId, 'booked')).toBe(true);
  expect(await isMailQueued(database, appointmentId, 'reminder')).toBe(false);
  await updateMailFailure(database, id, 'The server is away');
  expect(await findMail(database, id)).toMatchObject({ failure: 'The server is away' });
  expect(await finishMail(database, id, 'failed', 'No such user')).toBe(true);
  expect(await finishMail(database, id, 'sent', null)).toBe(false);
  expect(await findMail(database, id)).toMatchObject({ status: 'failed', failure: 'No such user' });
  expect(await isMailQueued(database, appointmentId, 'booked')).toBe(false);
});

test('with an account go its mails, but for those that clients are still to get', async () => {
  const { database, artist, appointment, account, insert } = await open();
  const queued = await insert({ kind: 'cancelled', appointment });
  const sent = await insert({ kind: 'booked', appointment });
  await finishMail(database, sent ?? '', 'sent', null);
  await insert({ kind: 'password_changed', artist: account, occasion: '1' });
  await deleteArtistMails(database, artist.id);
  const { rows } = await listMails(database, artist.id, {}, ALL);
  expect(rows.map(({ id }) => id)).toEqual([queued]);
});

test('settled mails are deleted when they are old, or nobody’s', async () => {
  const { database, appointment, insert } = await open();
  const mail = async (settledDaysAgo: number | null, isNobodys = false) => {
    const id = (await insert({ kind: 'booked', appointment }, crypto.randomUUID())) ?? '';
    if (settledDaysAgo !== null) {
      await finishMail(database, id, 'sent', null);
      const settled_at = sql<Date>`now() - ${`${settledDaysAgo} days`}::interval`;
      await database.updateTable('mails').set({ settled_at }).where('id', '=', id).execute();
    }
    if (isNobodys)
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
