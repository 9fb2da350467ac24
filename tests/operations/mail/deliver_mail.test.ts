import { expect, test } from 'vitest';
import type { MailData } from '#domain/mail/mail.ts';
import { HOUR_MS } from '#domain/time/time.ts';
import { updateArtist } from '#server/database/artists.ts';
import { updateEmailFailed } from '#server/database/clients.ts';
import { findArtistMail } from '#server/database/mail_lists.ts';
import { findMail, insertMails } from '#server/database/mails.ts';
import { MailFailure } from '#server/mail/mailer.ts';
import { loadClient } from '#server/operations/clients/clients.ts';
import { deliverMail, failMail } from '#server/operations/mail/deliver_mail.ts';
import {
  addAppointment,
  addArtist,
  addClient,
  addImage,
  changeAppointmentRow,
  createAppointmentFacts,
  NOON,
} from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { openTestContext } from '#support/test_context.ts';

const ADDRESS = 'rosa@example.com';
const NOW = NOON - 24 * HOUR_MS;

/** @param send how the mail server responds to each mail */
async function setUp(send?: () => Promise<void>) {
  const opened = await openTestContext(send && { mailer: { send, close: () => {} } });
  const { context } = opened;
  const { database } = context;
  const artist = await addArtist(database);
  const client = await addClient(database, artist, { email: ADDRESS });
  const appointmentId = await addAppointment(database, artist, { client });
  const appointment = createAppointmentFacts(artist, appointmentId);
  const account = { id: artist.id, name: 'An Artist', email: artist.email };
  const queue = async (notice: MailData) => {
    const [id = ''] = await inTransaction(database, insertMails, { notices: [notice] });
    return id;
  };
  const deliver = (id: string, now = NOW) => deliverMail(context, id, now);
  const status = async (id: string) => (await findMail(database, id))?.status;
  const hasFailed = async () =>
    (await loadClient(context, artist.id, client, NOW)).email_failed_at !== null;
  return { ...opened, database, artist, appointment, account, queue, deliver, status, hasFailed };
}

test('a queued mail is sent once, with its own id', async () => {
  const { appointment, queue, deliver, status, mails } = await setUp();
  const id = await queue({ kind: 'booked', appointment });
  await deliver(id);
  await deliver(id);
  expect(mails.map((mail) => [mail.id, mail.to])).toEqual([[id, ADDRESS]]);
  expect(await status(id)).toBe('sent');
});

test('a mail has the picture that the artist has now, from our server', async () => {
  const { database, artist, appointment, queue, deliver, mails } = await setUp();
  const id = await queue({ kind: 'booked', appointment });
  const image = await addImage(database, artist, { kind: 'avatar' });
  await updateArtist(database, artist.id, { avatar_id: image.id });
  await deliver(id);
  const [, url, name] = /<img src="([^"]+)" alt="([^"]+)"/.exec(mails[0]?.html ?? '') ?? [];
  expect([new URL(url ?? '').origin, name]).toEqual(['http://linework.test', 'An Artist']);
  expect(url).toContain(image.id);
});

test('a mail that is only written to a file counts as saved, and proves no address', async () => {
  const setup = await setUp();
  const { context, database, artist, appointment, queue, hasFailed } = setup;
  await updateEmailFailed(database, artist.id, ADDRESS, { hasFailed: true });
  const id = await queue({ kind: 'booked', appointment });
  const counted: string[] = [];
  const outbox = {
    ...context,
    mailer: { ...context.mailer, onlySaves: true } as const,
    metrics: {
      ...context.metrics,
      countMail: (_: string, outcome: string) => void counted.push(outcome),
    },
  };
  await deliverMail(outbox, id, NOW);
  expect(counted).toEqual(['saved']);
  expect(await findArtistMail(database, artist.id, id)).toMatchObject({
    status: 'sent',
    is_only_saved: true,
  });
  expect(await hasFailed()).toBe(true);
});

test('a repeated job does not send a mail that is already being sent', async () => {
  const sending = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  let sent = 0;
  const { appointment, queue, deliver, status } = await setUp(() => {
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

test('after a temporary failure a mail stays queued with the reason', async () => {
  const temporary = new MailFailure('The mail server did not answer.', { isPermanent: false });
  const opened = await setUp(() => Promise.reject(temporary));
  const { database, appointment, queue, deliver, logs } = opened;
  const id = await queue({ kind: 'booked', appointment });
  await expect(deliver(id)).rejects.toBe(temporary);
  expect(await findMail(database, id)).toMatchObject({
    status: 'queued',
    failure: temporary.message,
  });
  expect(logs[0]).toContain('Mail: Sending failed (will be retried)');
  expect(logs.join()).not.toContain('@');
  expect(await opened.hasFailed()).toBe(false);
});

test('after a permanent failure the mail and the client’s address are marked as failed', async () => {
  const refused = new MailFailure('550 No such user', { isPermanent: true });
  const { database, appointment, queue, deliver, hasFailed } = await setUp(() =>
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

test('an unexpected error shows no address, neither in the log nor to the artist', async () => {
  const bug = new Error(`Cannot write to ${ADDRESS}`);
  const { database, appointment, queue, deliver, logs } = await setUp(() => Promise.reject(bug));
  const id = await queue({ kind: 'booked', appointment });
  await expect(deliver(id)).rejects.toBe(bug);
  expect((await findMail(database, id))?.failure).not.toContain(ADDRESS);
  expect(logs.join()).not.toContain(ADDRESS);
  expect(logs.join()).toContain('deliver_mail.test.ts');
});

test('a reminder is dropped if its appointment was moved, was cancelled or has begun', async () => {
  const { database, artist, appointment, queue, deliver, status, mails } = await setUp();
  const reminder = { kind: 'reminder', appointment, hours: 24 } as const;
  const time = { start: NOON + HOUR_MS, end: NOON + 2 * HOUR_MS };
  const moved = await queue({ ...reminder, appointment: { ...appointment, time } });
  const late = await queue({ ...reminder, hours: 2 });
  const cancelled = await queue({ ...reminder, hours: 4 });
  await deliver(moved);
  await deliver(late, NOON);
  await changeAppointmentRow(database, artist.id, appointment.id, { status: 'cancelled' });
  await deliver(cancelled);
  const statuses = [await status(moved), await status(late), await status(cancelled)];
  expect([statuses, mails]).toEqual([['dropped', 'dropped', 'dropped'], []]);
});

test('a recovery link is sent only to the artist’s current address', async () => {
  const { database, artist, account, queue, deliver, status, mails } = await setUp();
  const recovery = (occasion: string) =>
    ({ kind: 'password_recovery', artist: account, occasion }) as const;
  const good = await queue(recovery('1'));
  await deliver(good);
  expect(mails[0]?.link).toContain('token=');
  await updateArtist(database, artist.id, { email: `new-${artist.email}` });
  const old = await queue(recovery('2'));
  await deliver(old);
  expect([await status(good), await status(old), mails.length]).toEqual(['sent', 'dropped', 1]);
});

test('a mail whose attempts are used up fails, without marking the client’s address as failed', async () => {
  const { context, artist, appointment, queue, status, hasFailed, logs } = await setUp();
  const id = await queue({ kind: 'booked', appointment });
  await failMail(context, id);
  expect([await status(id), await hasFailed()]).toEqual(['failed', false]);
  const fields = JSON.stringify({ mail_id: id, kind: 'booked', artist_id: artist.id });
  expect(logs).toEqual([`Mail: Every attempt failed (given up) ${fields}`]);
});
