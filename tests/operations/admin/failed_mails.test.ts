import { expect, test } from 'vitest';
import type { MailData } from '#domain/mail/mail.ts';
import { refuse } from '#domain/refusal.ts';
import { HOUR_MS } from '#domain/time/time.ts';
import { findMail, finishMails, insertMails, updateMailFailure } from '#server/database/mails.ts';
import type { TokenOwner } from '#server/operations/accounts/sessions.ts';
import { listAdminActions } from '#server/operations/admin/admin_actions.ts';
import { listFailedMails, sendFailedMailAgain } from '#server/operations/admin/failed_mails.ts';
import {
  addAppointment,
  addArtist,
  addClient,
  createAppointmentFacts,
  NOON,
} from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { UNKNOWN_ID } from '#support/problems.ts';
import { openTestApp } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

const PAGE = { skip: 0, limit: 10 };
const NOW = NOON - 48 * HOUR_MS;
const CLIENT = 'rosa@example.com';

async function setUp() {
  const { database } = await openTestApp({ database: 'own' });
  const { context, jobs } = await openTestContext({ database });
  const { id } = await addArtist(database, { username: 'boss', is_superuser: true });
  const boss: TokenOwner = {
    ...{ id, sessionId: id, isSuperuser: true, isEmailProven: true },
  };
  const artist = await addArtist(database, { username: 'ana' });
  const client = await addClient(database, artist, { email: CLIENT });
  const appointmentId = await addAppointment(database, artist, { client });
  const appointment = createAppointmentFacts(artist, appointmentId);
  const addMail = async (notice: MailData) => {
    const [mailId = ''] = await inTransaction(database, insertMails, { notices: [notice] });
    return mailId;
  };
  const fail = async (notice: MailData, failure = '550 No such user') => {
    const mailId = await addMail(notice);
    await finishMails(database, [{ id: mailId, status: 'failed', failure }]);
    return mailId;
  };
  const account = { id: artist.id, name: 'An Artist', email: artist.email };
  const changed = { kind: 'password_changed', artist: account, occasion: '1' } as const;
  const actions = async () =>
    (await listAdminActions(context, PAGE)).data.map(({ kind, detail }) => [kind, detail]);
  return { context, database, jobs, boss, artist, appointment, changed, addMail, fail, actions };
}

test('failed mails are listed with their reason, and without the address of a client', async () => {
  const { context, artist, appointment, changed, fail } = await setUp();
  const client = { ...appointment.client, email: 'Rosa.Maria+ink@Example.com' };
  // The mail server repeats the address in another letter case.
  const failure = '550 <ROSA.maria+INK@example.COM>: no such mailbox';
  const booked = await fail({ kind: 'booked', appointment: { ...appointment, client } }, failure);
  const own = await fail(changed, `550 <${artist.email}>: no such mailbox`);
  const { data, count } = await listFailedMails(context, PAGE, NOW);
  expect(count).toBe(2);
  expect(data).toMatchObject([
    {
      ...{ id: own, recipient: 'artist', address: artist.email, can_send_again: true },
      failure: `550 <${artist.email}>: no such mailbox`,
    },
    {
      ...{ id: booked, recipient: 'client', address: 'R•••@Example.com', can_send_again: true },
      failure: '550 <R•••@Example.com>: no such mailbox',
      artist: { username: 'ana' },
    },
  ]);
  expect(JSON.stringify(data)).not.toMatch(/maria/i);
});

test('a mail about an appointment is sent again with its data of now, and that is recorded', async () => {
  const { context, boss, jobs, appointment, fail, actions } = await setUp();
  const booked = await fail({ kind: 'booked', appointment });
  await sendFailedMailAgain(context, boss, booked, NOW);
  expect(jobs).toHaveLength(1);
  expect(await actions()).toEqual([['mail_sent_again', 'booked']]);
  await expect(sendFailedMailAgain(context, boss, booked, NOW)).rejects.toThrow(
    refuse('mail_outdated'),
  );
  expect(jobs).toHaveLength(1);
  expect(await actions()).toHaveLength(1);
});

test('any other mail is queued again with a new job, and only once', async () => {
  const { context, database, boss, jobs, changed, fail, actions } = await setUp();
  const id = await fail(changed);
  await sendFailedMailAgain(context, boss, id, NOW);
  expect(jobs).toEqual([{ kind: 'mail', id, job: expect.any(String) }]);
  expect(await findMail(database, id)).toMatchObject({ status: 'queued', failure: null });
  expect(await actions()).toEqual([['mail_sent_again', 'password_changed']]);
  await expect(sendFailedMailAgain(context, boss, id, NOW)).rejects.toThrow(refuse('not_found'));
});

test('a mail that is tried again by itself is listed, and cannot be sent again', async () => {
  const { context, database, boss, changed, addMail } = await setUp();
  const id = await addMail(changed);
  await updateMailFailure(database, id, 'Try later', { mayHaveArrived: false });
  const { data } = await listFailedMails(context, PAGE, NOW);
  expect(data).toMatchObject([{ id, status: 'queued', can_send_again: false, settled_at: null }]);
  await expect(sendFailedMailAgain(context, boss, id, NOW)).rejects.toThrow(
    refuse('mail_outdated'),
  );
  await expect(sendFailedMailAgain(context, boss, UNKNOWN_ID, NOW)).rejects.toThrow(
    refuse('not_found'),
  );
});

test('a mail about an export that has ended is not sent again', async () => {
  const { context, boss, jobs, changed, fail } = await setUp();
  const until = NOW + HOUR_MS;
  const ready = { kind: 'export_ready', artist: changed.artist, export: UNKNOWN_ID } as const;
  const id = await fail({ ...ready, until, zone: 'UTC' });
  const canSendAgain = async (now: number) =>
    (await listFailedMails(context, PAGE, now)).data.map((mail) => mail.can_send_again);
  expect(await canSendAgain(until - 1)).toEqual([true]);
  expect(await canSendAgain(until)).toEqual([false]);
  await expect(sendFailedMailAgain(context, boss, id, until)).rejects.toThrow(
    refuse('mail_outdated'),
  );
  expect(jobs).toEqual([]);
});
