/** Loads the facts that decide whether queued mails are sent, and their content. */
import { type InferResult, sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import { toMailbox } from '#domain/mail/mailbox.ts';
import { type AppointmentRow, listAppointmentsByIds } from './appointments.ts';
import { publicEmail } from './artists.ts';
import type { Database } from './connect.ts';
import { hashMailbox } from './hashed_keys.ts';
import { mailboxTrust } from './mailboxes.ts';
import { type MailToSend, wasRequestSentTo } from './mails.ts';

/** A queued mail with all that decides about it. */
export type CheckedMail = ReturnType<typeof toCheckedMail>;

/**
 * Loads all that decides about mails: the appointment, if the mail is about one that is not deleted; its artist
 * (`sender`), unless the account is deleted; until when the artist can undo a change of the studio that it may
 * report; whether its recipient has stopped such mails; whether an earlier mail brought the calendar entry to
 * this address; whether it counts for the budgets already; and its people.
 */
export async function loadMailChecks(
  database: Database,
  mails: readonly MailToSend[],
): Promise<CheckedMail[]> {
  if (mails.length === 0) return [];
  // The appointments first: if a change of the studio is saved in between, the mail waits.
  const ids = mails.flatMap((mail) => appointmentIdOf(mail) ?? []);
  const appointments = ids.length === 0 ? [] : await listAppointmentsByIds(database, ids);
  const rows = await selectChecks(database, mails).execute();
  return mails.map((mail) => {
    const checks = rows.find(({ mailId }) => mailId === mail.id);
    const appointment = appointments.find(({ id }) => id === appointmentIdOf(mail));
    if (checks === undefined) throw new Error(`No checks were loaded for mail ${mail.id}`);
    return toCheckedMail(mail, appointment, checks);
  });
}

function appointmentIdOf({ notice }: MailToSend): string | null {
  return 'appointment' in notice ? notice.appointment.id : null;
}

/**
 * One statement for any number of mails. OFFSET 0 (also in `mailboxTrust`) makes PostgreSQL look up each mail. Without
 * it, PostgreSQL may read the other table whole, once for all mails.
 */
function selectChecks(database: Database, mails: readonly MailToSend[]) {
  return database
    .selectFrom(rowsOf(mails))
    .select(({ selectFrom }) => [
      'checked.id as mailId',
      jsonObjectFrom(
        selectFrom('artists')
          .select(['username', 'email', 'is_active', 'avatar_id'])
          .select(publicEmail.as('publicEmail'))
          .select(sql<boolean>`email_proven_at IS NOT NULL`.as('isProven'))
          .whereRef('artists.id', '=', 'checked.sender_id'),
      ).as('sender'),
      sql<Date | null>`(
        SELECT undo_until FROM studio_changes
        WHERE artist_id = checked.studio_owner_id AND undone_at IS NULL
      )`.as('undoUntil'),
      sql<boolean>`EXISTS (
        SELECT FROM stopped_mailboxes WHERE mailbox_hash = checked.mailbox_hash
          AND (artist_id IS NULL OR artist_id = checked.sender_id)
        OFFSET 0
      )`.as('isStopped'),
      sql<boolean>`EXISTS (
        SELECT FROM mails WHERE thread = checked.thread AND ${wasRequestSentTo(sql.ref('checked.address'))}
        OFFSET 0
      )`.as('isInCalendar'),
      sql<boolean>`EXISTS (SELECT FROM counted_mails WHERE mail_id = checked.id OFFSET 0)`.as(
        'isCounted',
      ),
    ])
    .select(
      mailboxTrust({
        email: sql.ref('checked.address'),
        mailbox: sql.ref('checked.mailbox'),
        mailboxHash: sql.ref('checked.mailbox_hash'),
        artistId: sql.ref('checked.sender_id'),
      }),
    );
}

/** The columns of `rowsOf`. */
interface CheckedRow {
  readonly id: string;
  readonly sender_id: string;
}

/** Mails as a table `checked`, with what the checks compare. */
function rowsOf(mails: readonly MailToSend[]) {
  const columns = [
    sql`${mails.map(({ id }) => id)}::uuid[]`,
    sql`${mails.map((mail) => mail.sender_id)}::uuid[]`,
    // A change of the studio concerns only mails about appointments.
    sql`${mails.map((mail) => (appointmentIdOf(mail) === null ? null : mail.artist_id))}::uuid[]`,
    sql`${mails.map(({ thread }) => thread)}::text[]`,
    sql`${mails.map(({ address }) => address)}::text[]`,
    sql`${mails.map(({ address }) => toMailbox(address))}::text[]`,
    sql`${mails.map(({ address }) => hashMailbox(address))}::text[]`,
  ];
  return sql<CheckedRow>`unnest(${sql.join(columns)})`.as<'checked'>(
    sql`checked (id, sender_id, studio_owner_id, thread, address, mailbox, mailbox_hash)`,
  );
}

function toCheckedMail(
  mail: MailToSend,
  appointment: AppointmentRow | undefined,
  checks: InferResult<ReturnType<typeof selectChecks>>[number],
) {
  const { address } = mail;
  const { sender, undoUntil, isStopped, isInCalendar, isCounted, ...trust } = checks;
  // Whether a deleted artist was proven is stored with the mail.
  const isProven = sender ? sender.isProven : mail.sender_was_proven === true;
  return {
    mail,
    appointment,
    sender,
    undoUntil,
    isStopped,
    isInCalendar: isInCalendar || mail.was_in_calendar === true,
    isCounted,
    /** Trust in the mail's artist, and in the owner of its address. */
    people: {
      ...trust,
      // A proven artist may want an email that is a stranger's.
      isArtistProven: isProven && (mail.notice.kind !== 'prove_email' || address === sender?.email),
      /** The email of the artist that clients see now, if the artist is proven. */
      shownArtistEmail: isProven ? (sender?.publicEmail ?? null) : null,
      /** The picture of the artist's page. */
      avatar: sender?.avatar_id ? { id: sender.avatar_id, username: sender.username } : null,
      /** Whether the recipient has used the mailed link of the mail's appointment. */
      isAppointmentProven:
        appointment?.mail_link_used === true &&
        appointment.email !== null &&
        toMailbox(appointment.email) === toMailbox(address),
      /** Whether only the mailed link confirms the appointment. */
      mustProveEmail: appointment?.must_prove_email === true,
    },
  };
}
