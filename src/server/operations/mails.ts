import { randomUUID } from 'node:crypto';
import type { ListPage } from '#contract/common.ts';
import type { MailQuery, OutgoingMail, ResendMail } from '#contract/mail.ts';
import { statusAt } from '#domain/appointment.ts';
import {
  type AppointmentMailData,
  isClientMailKind,
  isStillRelevant,
  recipientAddress,
} from '#domain/mail.ts';
import { InvalidInput, refuse } from '#domain/refusal.ts';
import { type Instant, toRfc3339 } from '#domain/time.ts';
import {
  findAppointment,
  toAppointmentTime,
  updateAppointmentEmail,
} from '#server/database/appointments.ts';
import { updateClientEmail } from '#server/database/clients.ts';
import type { Database } from '#server/database/connect.ts';
import * as mails from '#server/database/mails.ts';
import { withTakenEmailRefusal } from './clients.ts';
import type { Context } from './context.ts';
import { enqueueMails, toAppointmentFacts } from './notify.ts';

/** What was sent for the artist or is to be, the newest first. */
export async function listMails(
  { database }: Context,
  artistId: string,
  { skip, limit, ...filter }: MailQuery,
  now: Instant,
): Promise<ListPage<OutgoingMail>> {
  const { rows, count } = await mails.listMails(database, artistId, filter, { skip, limit });
  return { data: rows.map((row) => toSentMail(row, now)), count };
}

/**
 * Sends a mail about an appointment once more, as things are now.
 * @throws Refusal `not_found`, `mail_no_longer_so` also when one like it is on its way,
 *   `client_email_taken` when another client of the artist got the address just now
 * @throws InvalidInput when an email is given for a mail that is not a client's
 */
export async function resendMail(
  { database, jobs }: Context,
  artistId: string,
  id: string,
  { email }: ResendMail,
  now: Instant,
): Promise<OutgoingMail> {
  const send = async (transaction: Database) => {
    const found = await mails.findArtistMail(transaction, artistId, id);
    if (!found) throw refuse('not_found');
    if (email !== undefined && !isClientMailKind(found.notice.kind))
      throw new InvalidInput(['body', 'email'], 'Is for mails to clients alone');
    if (found.appointment_id === null) throw refuse('mail_no_longer_so');
    await mails.lockAppointmentMails(transaction, found.appointment_id);
    const mail = await mails.findArtistMail(transaction, artistId, id);
    const row = await findAppointment(transaction, artistId, found.appointment_id);
    const notice = mail && resendableNotice(mail, now);
    if (!notice || !row) throw refuse('mail_no_longer_so');
    if (await mails.isMailQueued(transaction, row.id, notice.kind))
      throw refuse('mail_no_longer_so');
    if (email !== undefined) {
      await updateClientEmail(transaction, row, email);
      await updateAppointmentEmail(transaction, row.id, email);
    }
    const facts = toAppointmentFacts(
      { ...row, email: email ?? row.email },
      notice.appointment.wasBooked,
    );
    const again = { ...notice, appointment: facts };
    const address = recipientAddress(again);
    if (address === null) throw refuse('mail_no_longer_so');
    const [sent] = await enqueueMails({ jobs }, transaction, [
      { notice: again, address, artistId, resendKey: randomUUID() },
    ]);
    const shown = sent && (await mails.findArtistMail(transaction, artistId, sent));
    if (!shown) throw refuse('mail_no_longer_so');
    return toSentMail(shown, now);
  };
  return withTakenEmailRefusal(() => database.transaction().execute(send));
}

/** What a mail that can be sent again says; reminders are of a start that lies ahead. */
function resendableNotice(row: mails.MailRow, now: Instant): AppointmentMailData | undefined {
  const { notice, status, appointment_status } = row;
  if (status === 'queued' || !('appointment' in notice) || appointment_status === null)
    return undefined;
  const time = toAppointmentTime(row);
  if (!isStillRelevant(notice.kind, statusAt({ status: appointment_status, time }, now)))
    return undefined;
  if (notice.kind === 'reminder' && (time === null || time.start <= now)) return undefined;
  return notice;
}

function toSentMail(row: mails.MailRow, now: Instant): OutgoingMail {
  const { kind } = row.notice;
  return {
    id: row.id,
    appointment_id: row.appointment_id,
    kind,
    hours_ahead: row.notice.kind === 'reminder' ? row.notice.hours : null,
    recipient: isClientMailKind(kind) ? 'client' : 'artist',
    address: row.address,
    status: row.status,
    failure: row.failure,
    can_send_again: resendableNotice(row, now) !== undefined,
    created_at: toRfc3339(row.created_at.getTime()),
    settled_at: row.settled_at && toRfc3339(row.settled_at.getTime()),
  };
}
