/** When a mail is about to be sent: updates its facts, or drops it if it is no longer true. */
import { isDeepStrictEqual } from 'node:util';
import { statusAt } from '#domain/appointments/appointment.ts';
import { isSameEmail, waitingEmail } from '#domain/clients/client_email.ts';
import { isStillRelevant } from '#domain/mail/appointment_mails.ts';
import { type AppointmentSnapshot, isToClient, type MailData } from '#domain/mail/mail.ts';
import { withCurrentFacts } from '#domain/mail/mail_facts.ts';
import type { Instant } from '#domain/time/time.ts';
import { toAppointmentState } from '#server/database/appointments.ts';
import { findArtistById } from '#server/database/artists.ts';
import { findEmailAndChange } from '#server/database/client_email_changes.ts';
import type { Database, Transaction } from '#server/database/connect.ts';
import { hasRow } from '#server/database/has_row.ts';
import type { CheckedMail } from '#server/database/mail_checks.ts';
import { dropMails, updateNotice } from '#server/database/mails.ts';
import { listLinked } from './appointment_links.ts';
import { toAppointmentSnapshot } from './notify.ts';

/** Stores the current facts of a mail, as its appointments may have changed. @returns the mail with them */
export async function updateFacts(
  transaction: Transaction,
  checked: CheckedMail,
  now: Instant,
): Promise<CheckedMail> {
  const { mail } = checked;
  const notice = await loadCurrentNotice(transaction, checked, now);
  if (isDeepStrictEqual(notice, mail.notice)) return checked;
  await updateNotice(transaction, mail.id, notice);
  return { ...checked, mail: { ...mail, notice } };
}

async function loadCurrentNotice(
  transaction: Transaction,
  { mail: { notice }, appointment: row }: CheckedMail,
  now: Instant,
): Promise<MailData> {
  if (notice.kind === 'links') {
    const { artist, email } = notice;
    return { ...notice, appointments: await listLinked(transaction, artist.id, email, now) };
  }
  if (!('appointment' in notice) || !row) return notice;
  const { wasBooked, by } = notice.appointment;
  return withCurrentFacts(notice, toAppointmentSnapshot(row, { wasBooked, by }), now);
}

/**
 * Drops a mail that is no longer true, or whose client has stopped such mail.
 * @returns false for a mail to send
 */
export async function dropOutdated(
  transaction: Transaction,
  checked: CheckedMail,
  now: Instant,
): Promise<boolean> {
  const { mail, isStopped } = checked;
  const isTrue = await isWorthSending(transaction, checked, now);
  if (isTrue && !(isStopped && isToClient(mail.notice.kind))) return false;
  const reason = isTrue ? 'This person stopped mail to this address.' : null;
  await dropMails(transaction, [mail.id], reason);
  return true;
}

/**
 * False for a mail about an appointment that is no longer true, and for a mail with a link of the
 * account to an address that the artist no longer has. A mail that may have arrived already is sent
 * again even if it is no longer true, unless it is a reminder: newer mails correct it.
 */
async function isWorthSending(
  database: Database,
  checked: CheckedMail,
  now: Instant,
): Promise<boolean> {
  const { mail, sender } = checked;
  const { notice, address, claimed_by } = mail;
  if (notice.kind === 'prove_email') {
    const artist = await findArtistById(database, notice.artist.id);
    if (artist?.pending_email === address) return true;
    return artist?.email === address && artist.email_proven_at === null;
  }
  if (notice.kind === 'links') return notice.appointments.length > 0;
  if (notice.kind === 'password_recovery')
    return sender?.email.toLowerCase() === address.toLowerCase() && sender.is_active;
  if (claimed_by !== null && notice.kind !== 'reminder') return true;
  return isStillTrue(database, checked, now);
}

/** Whether the content of a mail is still true. */
async function isStillTrue(
  database: Database,
  { mail: { notice }, appointment: row }: CheckedMail,
  now: Instant,
): Promise<boolean> {
  // The artist may have answered the request, or erased the client.
  if (notice.kind === 'data_requested') {
    const open = database.selectFrom('data_requests').select('id').where('done_at', 'is', null);
    return hasRow(open.where('id', '=', notice.request.id));
  }
  if (!('appointment' in notice)) return true;
  const { appointment, kind } = notice;
  if (appointment.isGone) return true;
  // The artist deletes only appointments that are over; the client must still learn why.
  if (!row) return kind === 'declined' || kind === 'cancelled' || kind === 'client_cancelled';
  const state = toAppointmentState(row);
  if (!isStillRelevant(kind, statusAt(state, now))) return false;
  if (kind === 'email_change_link') return isEmailStillWanted(database, appointment);
  if (kind !== 'reminder') return true;
  const start = state.time?.start ?? null;
  return start !== null && start === appointment.time?.start && start > now;
}

/** Whether the appointment still has the email to which the mail goes, and waits for its link. */
async function isEmailStillWanted(
  database: Database,
  { id, client: { email }, newEmail }: AppointmentSnapshot,
): Promise<boolean> {
  const row = await findEmailAndChange(database, id);
  if (email === null || newEmail === undefined || row?.email !== email) return false;
  const waiting = waitingEmail(row.change, email);
  return waiting !== null && isSameEmail(waiting, newEmail);
}
