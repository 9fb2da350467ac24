import { expect, test } from 'vitest';
import type { MailData } from '#domain/mail.ts';
import { HOUR_MS } from '#domain/time.ts';
import { findAppointment, updateAppointmentStatus } from '#server/database/appointments.ts';
import { updateArtist } from '#server/database/artists.ts';
import { findClientWithVisits } from '#server/database/clients.ts';
import { findMail, insertMails } from '#server/database/mails.ts';
import { MailFailure } from '#server/mail/mailer.ts';
import { deliverMail, failMail } from '#server/operations/deliver_mail.ts';
import {
  addAppointment,
  addArtist,
  addClient,
  createAppointmentFacts,
  NOON,
} from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

const ADDRESS = 'rosa@example.com';
const NOW = NOON - 24 * HOUR_MS;

/** @param send what the mail server does */
async function open(send?: () => Promise<void>) {
  const opened = await openTestContext(send && { mailer: { send, close: () => {} } });
  const { context } = opened;
  const { database } = context;
  const artist = await addArtist(database);
  const client = await addClient(database, artist, { email: ADDRESS });
  const appointmentId = await addAppointment(database, artist, { client });
  const appointment = createAppointmentFacts(artist, appointmentId);
  const account = { id: artist.id, name: 'An Artist', email: artist.email };
  const queue = async (notice: MailData, address = ADDRESS) => {
    const [id = ''] = await insertMails(database, [{ notice, address, artistId: artist.id }]);
    return id;
  };
  const deliver = (id: string, now = NOW) => deliverMail(context, id, now);
  const status = async (id: string) => (await findMail(database, id))?.status;
  const hasFailed = async () =>
    (await findClientWithVisits(database, artist.id, client, NOW))?.email_failed_at !== null;
  return { ...opened, database, artist, appointment, account, queue, deliver, status, hasFailed };
}

test('a queued mail is sent once, under its own id', async () => {
  const { appointment, queue, deliver, status, mails } = await open();
  const id = await queue({ kind: 'booked', appointment });
  await deliver(id);
  await deliver(id);
  expect(mails.map((mail) => [mail.id, mail.to])).toEqual([[id, ADDRESS]]);
  expect(await status(id)).toBe('sent');
});

test('a mail that is not there is left alone', async () => {
  const { deliver, mails } = await open();
  await deliver(crypto.randomUUID());
  expect(mails).toEqual([]);
});

test('a mail that is being sent is not sent a second time by a job that comes again', async () => {
  const sending = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  let sent = 0;
  const { appointment, queue, deliver, status } = await open(() => {
    sent += 1;
    begun.resolve();
    return sending.promise;
  });
  const id = await queue({ kind: 'booked', appointment });
  const first = deliver(id);
  await begun.promise;
  await expect(deliver(id)).rejects.toThrow('It is being sent already');
  sending.resolve();
  await first;
  expect([sent, await status(id)]).toEqual([1, 'sent']);
});

test('a mail that the server refuses for now stays queued, with the reason', async () => {
  const away = new MailFailure('The mail server did not answer.', false);
  const opened = await open(() => Promise.reject(away));
  const { database, appointment, queue, deliver, logs: logged } = opened;
  const id = await queue({ kind: 'booked', appointment });
  await expect(deliver(id)).rejects.toBe(away);
  expect(await findMail(database, id)).toMatchObject({ status: 'queued', failure: away.message });
  expect(logged[0]).toContain('tried again');
  expect(await opened.hasFailed()).toBe(false);
});

test('a mail that the server refuses for good has failed, and so has the client’s address', async () => {
  const refused = new MailFailure('550 No such user', true);
  const { database, appointment, queue, deliver, hasFailed } = await open(() =>
    Promise.reject(refused),
  );
  const id = await queue({ kind: 'booked', appointment });
  await deliver(id);
  expect(await findMail(database, id)).toMatchObject({
    status: 'failed',
    failure: refused.message,
  });
  expect(await hasFailed()).toBe(true);
});

test('an error that is no answer of the server tells no address, neither in the log nor to the artist', async () => {
  const bug = new Error(`Cannot write to ${ADDRESS}`);
  const {
    database,
    appointment,
    queue,
    deliver,
    logs: logged,
  } = await open(() => Promise.reject(bug));
  const id = await queue({ kind: 'booked', appointment });
  await expect(deliver(id)).rejects.toBe(bug);
  expect((await findMail(database, id))?.failure).not.toContain(ADDRESS);
  expect(logged.join()).not.toContain(ADDRESS);
  expect(logged.join()).toContain('deliver_mail.test.ts');
});

test('a reminder is dropped once its appointment was moved, cancelled or has begun', async () => {
  const { database, artist, appointment, queue, deliver, status, mails } = await open();
  const reminder = { kind: 'reminder', appointment, hours: 24 } as const;
  const time = { start: NOON + HOUR_MS, end: NOON + 2 * HOUR_MS };
  const moved = await queue({ ...reminder, appointment: { ...appointment, time } });
  const late = await queue({ ...reminder, hours: 2 });
  const cancelled = await queue({ ...reminder, hours: 4 });
  await deliver(moved);
  await deliver(late, NOON);
  const row = await findAppointment(database, artist.id, appointment.id);
  if (row) await updateAppointmentStatus(database, row, 'cancelled');
  await deliver(cancelled);
  const statuses = [await status(moved), await status(late), await status(cancelled)];
  expect([statuses, mails]).toEqual([['dropped', 'dropped', 'dropped'], []]);
});

test('a recovery link goes to the artist’s present address alone', async () => {
  const { database, artist, account, queue, deliver, status, mails } = await open();
  const recovery = (occasion: string) =>
    ({ kind: 'password_recovery', artist: account, occasion }) as const;
  const good = await queue(recovery('1'), artist.email);
  await deliver(good);
  expect(mails[0]?.link).toContain('token=');
  await updateArtist(database, artist.id, { email: `new-${artist.email}` });
  const old = await queue(recovery('2'), artist.email);
  await deliver(old);
  expect([await status(good), await status(old), mails.length]).toEqual(['sent', 'dropped', 1]);
});

test('a mail that was tried for days is given up, and its address is not blamed', async () => {
  const { context, appointment, queue, status, hasFailed, logs: logged } = await open();
  const id = await queue({ kind: 'booked', appointment });
  await failMail(context, id);
  expect([await status(id), await hasFailed()]).toEqual(['failed', false]);
  expect(logged).toEqual(['A mail (booked) was tried for days and is given up.']);
});
