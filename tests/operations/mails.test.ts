import { expect, test } from 'vitest';
import type { MailData } from '#domain/mail.ts';
import { HOUR_MS } from '#domain/time.ts';
import { findAppointment, updateAppointmentStatus } from '#server/database/appointments.ts';
import { findClient } from '#server/database/clients.ts';
import { finishMail, insertMails } from '#server/database/mails.ts';
import { listMails, resendMail } from '#server/operations/mails.ts';
import {
  addAppointment,
  addArtist,
  addClient,
  createAppointmentFacts,
  NOON,
} from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

const PAGE = { skip: 0, limit: 100 };
const NO_LONGER_SO = { reason: 'mail_no_longer_so' };
const NOW = NOON - 48 * HOUR_MS;

async function open() {
  const opened = await openTestContext();
  const { database } = opened.context;
  const artist = await addArtist(database);
  const client = await addClient(database, artist, { email: 'rosa@example.com' });
  const appointmentId = await addAppointment(database, artist, { client });
  const appointment = createAppointmentFacts(artist, appointmentId);
  /** A mail that went out, or failed. */
  const mailed = async (notice: MailData, status: 'sent' | 'failed' | 'queued' = 'sent') => {
    const address = 'rosa@example.com';
    const [id = ''] = await insertMails(database, [{ notice, address, artistId: artist.id }]);
    if (status !== 'queued') await finishMail(database, id, status, null);
    return id;
  };
  const again = (id: string, email?: string, now = NOW) =>
    resendMail(opened.context, artist.id, id, email === undefined ? {} : { email }, now);
  return { ...opened, database, artist, client, appointmentId, appointment, mailed, again };
}

test('a mail is sent again as things are now, with a job of its own', async () => {
  const { context, artist, appointment, mailed, again, jobs } = await open();
  const first = await mailed({ kind: 'booked', appointment });
  const sent = await again(first);
  expect(sent).toMatchObject({ kind: 'booked', recipient: 'client', status: 'queued' });
  expect(jobs).toEqual([`mail ${sent.id}`]);
  const { data } = await listMails(context, artist.id, PAGE, NOW);
  expect(data.map(({ id, can_send_again }) => [id, can_send_again])).toEqual([
    [sent.id, false],
    [first, true],
  ]);
});

test('while one like it is on its way a mail is not sent again', async () => {
  const { appointment, mailed, again } = await open();
  const id = await mailed({ kind: 'booked', appointment });
  const settled = await Promise.allSettled([again(id), again(id)]);
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(settled.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: NO_LONGER_SO,
  });
});

test('what is no longer so is not sent again', async () => {
  const { database, artist, appointmentId, appointment, mailed, again } = await open();
  const booked = await mailed({ kind: 'booked', appointment });
  const reminder = await mailed({ kind: 'reminder', appointment, hours: 24 });
  await expect(again(reminder, undefined, NOON)).rejects.toMatchObject(NO_LONGER_SO);
  const row = await findAppointment(database, artist.id, appointmentId);
  if (row) await updateAppointmentStatus(database, row, 'cancelled');
  await expect(again(booked)).rejects.toMatchObject(NO_LONGER_SO);
});

test('a corrected address is saved with the appointment and the client', async () => {
  const { database, artist, client, appointmentId, appointment, mailed, again } = await open();
  const id = await mailed({ kind: 'booked', appointment }, 'failed');
  expect((await again(id, 'right@example.com')).address).toBe('right@example.com');
  expect((await findAppointment(database, artist.id, appointmentId))?.email).toBe(
    'right@example.com',
  );
  expect((await findClient(database, artist.id, client))?.email).toBe('right@example.com');
});

test('a mail to the artist takes no other address', async () => {
  const { appointment, mailed, again } = await open();
  const id = await mailed({ kind: 'new_booking', appointment });
  await expect(again(id, 'other@example.com')).rejects.toMatchObject({ loc: ['body', 'email'] });
  expect((await again(id)).recipient).toBe('artist');
});

test('another artist’s mail is not found', async () => {
  const { context, database, appointment, mailed } = await open();
  const id = await mailed({ kind: 'booked', appointment });
  const other = await addArtist(database);
  const sending = resendMail(context, other.id, id, {}, NOW);
  await expect(sending).rejects.toMatchObject({ reason: 'not_found' });
  expect((await listMails(context, other.id, PAGE, NOW)).count).toBe(0);
});
