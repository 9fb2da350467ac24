/** The mails that an artist sees in the studio, and can send again. */
import type { MailList, MailQuery, OutgoingMail, ResendMail } from '#contract/mail.ts';
import { statusAt } from '#domain/appointments/appointment.ts';
import { isStillRelevant } from '#domain/mail/appointment_mails.ts';
import {
  type AppointmentMailData,
  isClientMailKind,
  isToClient,
  wasUntrue,
} from '#domain/mail/mail.ts';
import { withFactsToSendAgain } from '#domain/mail/mail_facts.ts';
import { InvalidInput, refuse, requireFound } from '#domain/refusal.ts';
import { type Instant, toRfc3339 } from '#domain/time/time.ts';
import { setAppointmentColumns } from '#server/database/appointment_updates.ts';
import { findAppointment, toAppointmentState } from '#server/database/appointments.ts';
import { updateClientEmail } from '#server/database/clients.ts';
import {
  addEmailCorrections,
  correctAppointmentEmails,
} from '#server/database/email_corrections.ts';
import * as mailLists from '#server/database/mail_lists.ts';
import { isMailQueued, updateQueuedAddresses } from '#server/database/mails.ts';
import { calendarScope, change } from '../change.ts';
import type { Context, InChange } from '../context.ts';
import { notify, toAppointmentSnapshot } from './notify.ts';

/** Lists the mails to the artist and their clients, newest first; omits password recovery mails. */
export async function listMails(
  { database, mailer }: Pick<Context, 'database' | 'mailer'>,
  artistId: string,
  { skip, limit, ...filter }: MailQuery,
  now: Instant,
): Promise<MailList> {
  const { rows, count } = await mailLists.listMails(database, artistId, filter, { skip, limit });
  const data = rows.map((row) => toOutgoingMail(row, now));
  return { data, count, sends_mail: !mailer.onlySaves };
}

/** A mail to send again; an `email` replaces the client's. */
type MailToResend = ResendMail & { readonly id: string };

/** Sends a mail of the artist again (`queueAgain`). */
export function resendMail(
  context: Context,
  artistId: string,
  mail: MailToResend,
  now: Instant,
): Promise<OutgoingMail> {
  return change(context, calendarScope(artistId, []), (context) =>
    queueAgain(context, artistId, mail, now),
  );
}

/**
 * Queues a copy of a mail about an appointment, with the appointment's current data. If the mail reports an action of
 * the client, the copy has the client's text of that action. An `email` replaces the client's address in the
 * appointment, in their other open and upcoming ones and in the mails that are still queued. It also replaces the same
 * address in the client's record, unless another client has `email`.
 * @param context of a change that locks the calendar, because a change of an appointment could queue a mail to the old
 *   email, and so that a mail is sent again once
 * @throws Refusal `not_found`; `client_email_taken` by a concurrent change; `mail_outdated` if the mail is about no
 *   appointment or not true now, a newer one says the same, or the appointment has a queued one of its kind
 * @throws InvalidInput when an email is given for a mail to the artist
 */
export async function queueAgain(
  context: InChange<Pick<Context, 'jobs'>>,
  artistId: string,
  { id, email }: MailToResend,
  now: Instant,
): Promise<OutgoingMail> {
  const { database } = context;
  const mail = requireFound(await mailLists.findArtistMail(database, artistId, id));
  if (email !== undefined && !isClientMailKind(mail.notice.kind))
    throw new InvalidInput(['body', 'email'], 'Is for mails to clients alone');
  const { appointment_id: appointmentId } = mail;
  if (appointmentId === null) throw refuse('mail_outdated');
  const row = await findAppointment(database, artistId, appointmentId);
  const notice = resendableNotice(mail, now);
  if (!notice || !row) throw refuse('mail_outdated');
  if (await isMailQueued(database, row.id, notice.kind)) throw refuse('mail_outdated');
  if (email !== undefined) {
    const { client_id: clientId, email: oldEmail } = row;
    await updateClientEmail(database, row, email);
    // This appointment gets the email also if it is over or ended. `correctAppointmentEmails` below changes only
    // those that are open or ahead.
    const columns = { email, mail_link_used: false };
    await setAppointmentColumns(database, artistId, appointmentId, columns);
    await updateQueuedAddresses(database, artistId, [appointmentId], email);
    if (email !== oldEmail) await addEmailCorrections(database, artistId, [appointmentId], now);
    if (oldEmail !== null)
      await correctAppointmentEmails(database, { artistId, clientId, oldEmail }, email, now);
  }
  const newRow = { ...row, email: email ?? row.email };
  const { wasBooked, by } = notice.appointment;
  const current = toAppointmentSnapshot(newRow, { wasBooked, by });
  const notices = [withFactsToSendAgain(notice, current)];
  const [newId] = await notify(context, { notices, isResent: true });
  // Without an address, no mail is queued.
  const queuedMail = newId && (await mailLists.findArtistMail(database, artistId, newId));
  if (!queuedMail) throw refuse('mail_outdated');
  return toOutgoingMail(queuedMail, now);
}

/**
 * A mail's content; undefined if the mail is queued, outdated, not about an appointment, or if a newer
 * one says the same.
 */
export function resendableNotice(
  row: mailLists.MailRow,
  now: Instant,
): AppointmentMailData | undefined {
  const { notice, status, appointment_status } = row;
  if (row.has_newer || wasUntrue(row) || status === 'queued') return undefined;
  if (!('appointment' in notice) || appointment_status === null) return undefined;
  const appointment = toAppointmentState({ ...row, status: appointment_status });
  const { time } = appointment;
  if (notice.kind === 'reminder' && (time === null || time.start <= now)) return undefined;
  return isStillRelevant(notice.kind, statusAt(appointment, now)) ? notice : undefined;
}

/** A mail as the API shows it to the artist. */
export function toOutgoingMail(row: mailLists.MailRow, now: Instant): OutgoingMail {
  const { kind } = row.notice;
  return {
    id: row.id,
    appointment_id: row.appointment_id,
    kind,
    hours_ahead: row.notice.kind === 'reminder' ? row.notice.hours : null,
    recipient: isToClient(kind) ? 'client' : 'artist',
    address: row.address,
    status: row.is_only_saved && row.status === 'sent' ? 'saved' : row.status,
    failure: row.failure,
    ...toWait(row, now),
    can_send_again: resendableNotice(row, now) !== undefined,
    created_at: toRfc3339(row.created_at.getTime()),
    settled_at: row.settled_at && toRfc3339(row.settled_at.getTime()),
  };
}

/** Until when a queued mail waits, and why; null when it does not wait any more. */
function toWait({ status, waits_until, waits_for }: mailLists.MailRow, now: Instant) {
  const until = waits_until?.getTime() ?? now;
  if (status !== 'queued' || until <= now) return { waits_until: null, waits_for: null };
  return { waits_until: toRfc3339(until), waits_for };
}
