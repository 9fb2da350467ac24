import { expect, test } from 'vitest';
import type { MailData } from '#domain/mail/mail.ts';
import { HOUR_MS } from '#domain/time/time.ts';
import { listAppointmentEvents } from '#server/database/appointment_events.ts';
import { findAppointment } from '#server/database/appointments.ts';
import { findClient } from '#server/database/clients.ts';
import { dropMails, findMail, finishMails, insertMails } from '#server/database/mails.ts';
import { deliverMail } from '#server/operations/mail/deliver_mail.ts';
import { listMails, resendMail } from '#server/operations/mail/mails.ts';
import {
  addAppointment,
  addArtist,
  addClient,
  changeAppointmentRow,
  createAppointmentFacts,
  NOON,
} from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { NEW_ZONE } from '#support/sample_notices.ts';
import { openTestContext } from '#support/test_context.ts';

const PAGE = { skip: 0, limit: 100 };
const NO_LONGER_SO = { reason: 'mail_outdated' };
const NOW = NOON - 48 * HOUR_MS;

async function setUp() {
  const opened = await openTestContext();
  const { database } = opened.context;
  const artist = await addArtist(database);
  const client = await addClient(database, artist, { email: 'rosa@example.com' });
  const appointmentId = await addAppointment(database, artist, { client });
  const appointment = createAppointmentFacts(artist, appointmentId);
  const addMail = async (notice: MailData, status: 'sent' | 'failed' | 'queued' = 'sent') => {
    const [id = ''] = await inTransaction(database, insertMails, { notices: [notice] });
    if (status !== 'queued') await finishMails(database, [{ id, status }]);
    return id;
  };
  const resend = (id: string, email?: string, now = NOW) =>
    resendMail(opened.context, artist.id, email === undefined ? { id } : { id, email }, now);
  /** The mails, newest first, and whether each can be sent again. */
  const list = async () => {
    const { data } = await listMails(opened.context, artist.id, PAGE, NOW);
    return data.map(({ id, can_send_again }) => [id, can_send_again]);
  };
  return { ...opened, database, artist, client, appointmentId, appointment, addMail, resend, list };
}

test('resending queues a new mail with its own job', async () => {
  const { context, appointment, addMail, resend, jobs, list } = await setUp();
  const first = await addMail({ kind: 'booked', appointment });
  const sent = await resend(first);
  expect(sent).toMatchObject({ kind: 'booked', recipient: 'client', status: 'queued' });
  expect(jobs).toEqual([{ kind: 'mail', id: sent.id }]);
  expect(await list()).toEqual([
    [sent.id, false],
    [first, false],
  ]);
  await finishMails(context.database, [{ id: sent.id, status: 'sent' }]);
  expect(await list()).toEqual([
    [sent.id, true],
    [first, false],
  ]);
});

test('a mail that was no longer true cannot be resent, and one to a stopped address can', async () => {
  const { database, appointment, addMail, resend, list } = await setUp();
  const untrue = await addMail({ kind: 'booked', appointment }, 'queued');
  await inTransaction(database, dropMails, [untrue]);
  const stopped = await addMail({ kind: 'moved', appointment }, 'queued');
  await inTransaction(database, dropMails, [stopped], 'This person stopped mail to this address.');
  expect(await list()).toEqual([
    [stopped, true],
    [untrue, false],
  ]);
  await expect(resend(untrue)).rejects.toMatchObject(NO_LONGER_SO);
});

test('a resent mail about a new time zone tells the booking if the studio or the time changed since', async () => {
  const { database, appointment, appointmentId, addMail, resend, list } = await setUp();
  const mail = { kind: 'moved', appointment: { ...appointment, studioChange: NEW_ZONE } } as const;
  const sameStudio = await resend(await addMail(mail));
  expect((await findMail(database, sameStudio.id))?.notice).toMatchObject({
    kind: 'moved',
    appointment: { studioChange: NEW_ZONE },
  });
  await finishMails(database, [{ id: sameStudio.id, status: 'sent' }]);
  await database
    .updateTable('studios')
    .set({ city: 'Fresno' })
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('appointments').select('studio_id').where('id', '=', appointmentId),
    )
    .execute();
  const { id } = await resend(sameStudio.id);
  const resent = await findMail(database, id);
  expect(resent?.notice).toMatchObject({
    kind: 'booked',
    appointment: { studio: { city: 'Fresno' } },
  });
  expect(resent?.notice).not.toHaveProperty('appointment.studioChange');
  // What was sent again as a booking cannot be sent again once more.
  await finishMails(database, [{ id, status: 'sent' }]);
  expect((await list()).map(([, canSendAgain]) => canSendAgain)).toEqual([true, false, false]);
  await expect(resend(sameStudio.id)).rejects.toMatchObject(NO_LONGER_SO);
});

test('a mail that a newer one of its kind replaced cannot be resent', async () => {
  const { appointment, addMail, resend, list } = await setUp();
  const older = await addMail({ kind: 'moved', appointment });
  await addMail({ kind: 'moved', appointment: { ...appointment, version: 2 } });
  expect((await list()).map(([, canSendAgain]) => canSendAgain)).toEqual([true, false]);
  await expect(resend(older)).rejects.toMatchObject(NO_LONGER_SO);
});

test('a mail that waits on purpose says until when, and no longer once it is due', async () => {
  const { context, database, artist, appointment } = await setUp();
  const notices = [{ kind: 'moved', appointment }] as const;
  await inTransaction(database, insertMails, { notices, waitsUntil: NOW + 30_000 });
  const waitAt = async (now: number) => (await listMails(context, artist.id, PAGE, now)).data[0];
  expect(await waitAt(NOW)).toMatchObject({ waits_until: '2030-06-01T12:00:30Z', waits_for: null });
  expect(await waitAt(NOW + 30_000)).toMatchObject({ waits_until: null, waits_for: null });
});

test('a mail cannot be resent while the same mail is queued', async () => {
  const { appointment, addMail, resend } = await setUp();
  const id = await addMail({ kind: 'booked', appointment });
  const settled = await Promise.allSettled([resend(id), resend(id)]);
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(settled.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: NO_LONGER_SO,
  });
});

test('a booking mail of a cancelled appointment, or a reminder after its start, cannot be resent', async () => {
  const { database, artist, appointmentId, appointment, addMail, resend } = await setUp();
  const booked = await addMail({ kind: 'booked', appointment });
  const reminder = await addMail({ kind: 'reminder', appointment, hours: 24 });
  await expect(resend(reminder, undefined, NOON)).rejects.toMatchObject(NO_LONGER_SO);
  await changeAppointmentRow(database, artist.id, appointmentId, { status: 'cancelled' });
  await expect(resend(booked)).rejects.toMatchObject(NO_LONGER_SO);
});

test('a corrected address is that of the client, of all their appointments ahead and of queued mails', async () => {
  const { database, artist, client, appointmentId, appointment, addMail, resend } = await setUp();
  const other = await addAppointment(database, artist, { client, start: NOON + 2 * HOUR_MS });
  const moved = { kind: 'moved', appointment: createAppointmentFacts(artist, other) } as const;
  const queued = await addMail(moved, 'queued');
  const toArtist = await addMail({ kind: 'new_booking', appointment }, 'queued');
  const failed = await addMail({ kind: 'booked', appointment }, 'failed');
  const email = 'right@example.com';
  expect((await resend(failed, email)).address).toBe(email);
  expect(await findClient(database, artist.id, client)).toMatchObject({ email });
  expect(await findMail(database, queued)).toMatchObject({ address: email });
  expect(await findMail(database, toArtist)).toMatchObject({
    notice: { appointment: { client: { email } } },
  });
  for (const id of [appointmentId, other]) {
    expect(await findAppointment(database, artist.id, id)).toMatchObject({ email });
    expect(await listAppointmentEvents(database, artist.id, id)).toMatchObject([
      { actor: 'artist', what: 'email_changed', from_status: 'confirmed', to_status: 'confirmed' },
    ]);
  }
});

test('a resent mail is sent at once, also about a hold', async () => {
  const { context, database, artist, client, addMail, resend, mails } = await setUp();
  const now = Date.now();
  const held = await addAppointment(database, artist, {
    ...{ client, status: 'held', start: NOON + 4 * HOUR_MS, expiresAt: now + HOUR_MS },
  });
  const facts = { ...createAppointmentFacts(artist, held), by: 'client' } as const;
  const { id } = await resend(await addMail({ kind: 'hold', appointment: facts }), undefined, now);
  expect((await findMail(database, id))?.notice).toMatchObject({ appointment: { by: 'client' } });
  await deliverMail(context, id, now);
  expect(mails.map(({ subject }) => subject.split(':')[0])).toEqual(['Please confirm']);
});

test('a mail to the artist cannot be resent to another address', async () => {
  const { appointment, addMail, resend } = await setUp();
  const id = await addMail({ kind: 'new_booking', appointment });
  await expect(resend(id, 'other@example.com')).rejects.toMatchObject({ loc: ['body', 'email'] });
  expect((await resend(id)).recipient).toBe('artist');
});
