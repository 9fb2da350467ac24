/** What decides whether and how a queued mail is sent, each in one statement. */
import { sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import { selectTime, toAppointmentState } from './appointments.ts';
import { publicEmail } from './artists.ts';
import type { Database } from './connect.ts';
import { hashMailbox } from './hashed_keys.ts';
import { mailboxTrust } from './mailboxes.ts';
import { type MailToSend, wasRequestSentTo } from './mails.ts';

const UNKNOWN_SENDER = { username: '', email: null, publicEmail: null, avatar_id: null };

/**
 * Finds what is known of the people of a mail: its artist, the owner of its address, and the proof of its
 * appointment. Whether a deleted artist is proven was stored with the mail.
 */
export async function findMailPeople(
  database: Database,
  mail: Pick<MailToSend, 'sender_id' | 'sender_was_proven' | 'appointment_id' | 'address'>,
) {
  const { sender, ...found } = await database
    .selectNoFrom(({ selectFrom }) => [
      jsonObjectFrom(
        selectFrom('artists')
          .select(['username', 'email', 'avatar_id', publicEmail.as('publicEmail')])
          .select(sql<boolean>`email_proven_at IS NOT NULL`.as('isProven'))
          .where('id', '=', mail.sender_id),
      ).as('sender'),
      jsonObjectFrom(
        selectFrom('appointments')
          .select(['email', 'mail_link_used', 'must_prove_email'])
          .where('id', '=', mail.appointment_id),
      ).as('appointment'),
    ])
    .select(mailboxTrust(mail.address, mail.sender_id))
    .executeTakeFirstOrThrow();
  const unknown = { ...UNKNOWN_SENDER, isProven: mail.sender_was_proven ?? false };
  return { ...found, sender: sender ?? unknown };
}

/** What decides whether and how a mail is sent, all read at one moment. */
export type MailChecks = Awaited<ReturnType<typeof loadMailChecks>>;

/**
 * Loads the state of a mail's appointment (null without one), until when its artist can undo a
 * change of the studio that it may tell, whether its recipient has stopped such mails, and whether an earlier mail of
 * the thread brought the calendar entry to this address.
 */
export async function loadMailChecks(
  database: Database,
  mail: Pick<MailToSend, 'notice' | 'artist_id' | 'sender_id' | 'address' | 'thread'>,
) {
  const { notice } = mail;
  const appointmentId = 'appointment' in notice ? notice.appointment.id : null;
  const { status, start, end, expires_at, ...checks } = await database
    // One row, also without an appointment.
    .selectFrom(sql`(SELECT)`.as('one'))
    .leftJoin('appointments', (join) => join.on('appointments.id', '=', sql`${appointmentId}`))
    .leftJoinLateral(selectTime, (join) => join.onTrue())
    .select(['status', 'time.start', 'time.end', 'time.expires_at'])
    .select([
      sql<Date | null>`(
        SELECT undo_until FROM studio_changes
        WHERE artist_id = ${appointmentId && mail.artist_id} AND undone_at IS NULL
      )`.as('undoUntil'),
      sql<boolean>`EXISTS (
        SELECT FROM stopped_mailboxes WHERE mailbox_hash = ${hashMailbox(mail.address)}
          AND (artist_id IS NULL OR artist_id = ${mail.sender_id})
      )`.as('isStopped'),
      sql<boolean>`EXISTS (
        SELECT FROM mails WHERE thread = ${mail.thread} AND ${wasRequestSentTo(sql.val(mail.address))}
      )`.as('isInCalendar'),
    ])
    .executeTakeFirstOrThrow();
  const state = status && toAppointmentState({ status, start, end, expires_at });
  return { ...checks, state };
}
