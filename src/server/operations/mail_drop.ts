/** Why a queued mail is not sent. */
import { statusAt } from '#domain/appointment.ts';
import { isSameEmail, waitingEmail } from '#domain/client_email.ts';
import {
  type AppointmentSnapshot,
  isStillRelevant,
  isToClient,
  type MailData,
} from '#domain/mail.ts';
import type { Instant } from '#domain/time.ts';
import { findArtistById, findCredentials } from '#server/database/artists.ts';
import { findEmailAndChange } from '#server/database/client_email_changes.ts';
import type { Database } from '#server/database/connect.ts';
import { hasRow } from '#server/database/has_row.ts';
import type { MailChecks } from '#server/database/mail_checks.ts';
import type { MailToSend } from '#server/database/mails.ts';

export interface Drop {
  readonly kind: 'drop';
  /** Why it is not sent although it is true; null if it is no longer true. */
  readonly reason: string | null;
  readonly thread: string | null;
}

type Judged = Pick<MailToSend, 'notice' | 'address' | 'thread' | 'claimed_by'>;

/** Drops a mail that is no longer true, and one to a client who has stopped it; null to send it. */
export async function findDrop(
  database: Database,
  mail: Judged,
  checks: MailChecks,
  now: Instant,
): Promise<Drop | null> {
  const { notice, thread } = mail;
  if (!(await isWorthSending(database, mail, checks, now)))
    return { kind: 'drop', reason: null, thread };
  if (!isToClient(notice.kind) || !checks.isStopped) return null;
  return { kind: 'drop', reason: 'This person stopped mail to this address.', thread };
}

/**
 * False for a mail about an appointment that is no longer true, and for a mail with a link of the
 * account to an address that the artist no longer has. A mail that may have arrived already is sent
 * again even if it is no longer true, unless it is a reminder: newer mails correct it.
 */
async function isWorthSending(
  database: Database,
  { notice, address, claimed_by }: Judged,
  checks: MailChecks,
  now: Instant,
): Promise<boolean> {
  if (notice.kind === 'prove_email') {
    const artist = await findArtistById(database, notice.artist.id);
    if (artist?.pending_email === address) return true;
    return artist?.email === address && artist.email_proven_at === null;
  }
  if (notice.kind === 'links') return notice.appointments.length > 0;
  if (notice.kind === 'password_recovery') {
    const account = await findCredentials(database, address);
    return account?.id === notice.artist.id && account.is_active;
  }
  if (claimed_by !== null && notice.kind !== 'reminder') return true;
  return isStillTrue(database, notice, checks, now);
}

/** Whether what a mail says is still so. */
async function isStillTrue(
  database: Database,
  notice: MailData,
  { state }: MailChecks,
  now: Instant,
): Promise<boolean> {
  // The artist may have answered it, or erased the client.
  if (notice.kind === 'data_requested') {
    const open = database.selectFrom('data_requests').select('id').where('done_at', 'is', null);
    return hasRow(open.where('id', '=', notice.request.id));
  }
  if (!('appointment' in notice)) return true;
  const { appointment, kind } = notice;
  if (appointment.isGone) return true;
  // The artist deletes only what is over; the client must still learn why.
  if (!state) return kind === 'declined' || kind === 'cancelled' || kind === 'client_cancelled';
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
  return (
    email !== null &&
    newEmail !== undefined &&
    row?.email === email &&
    isSameEmail(waitingEmail(row.change, email) ?? '', newEmail)
  );
}
