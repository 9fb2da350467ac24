/** Finds and deletes the data of an erased client (docs/privacy.md). */
import { type RawBuilder, sql } from 'kysely';
import { CLIENT_DETAIL_FIELDS, clientDetailsOf } from '#domain/clients/client_details.ts';
import { CLIENT_MAIL_KINDS } from '#domain/mail/mail.ts';
import { toMailbox } from '#domain/mail/mailbox.ts';
import type { Database, Transaction } from './connect.ts';
import { hashMailbox } from './hashed_keys.ts';

/** All details as null, except those of the name. */
const { first_name, last_name, ...NO_CONTACT_DETAILS } = clientDetailsOf({});

/** Empties a client's details of one appointment and the texts about it; their name stays. */
export const NO_DETAILS = {
  ...NO_CONTACT_DETAILS,
  location: null,
  size: null,
  customer_notes: null,
  artist_note: null,
  private_notes: null,
  network: null,
  idempotency_key: null,
  idempotency_subject: null,
} as const;

/** Finds a client of this artist, erased or not, who is not merged into another. */
export function findErasableClient(database: Database, artistId: string, id: string) {
  return database
    .selectFrom('clients')
    .select('erased_at')
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .where('merged_into', 'is', null)
    .executeTakeFirst();
}

/**
 * Lists the emails, in lower case, that a client has used with their artist, without those that another
 * client of the artist has or had.
 */
export async function listEmailsOfClient(
  database: Database,
  artistId: string,
  clientId: string,
): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    SELECT email FROM (
      SELECT lower(email) AS email FROM clients
        WHERE (id = ${clientId} OR merged_into = ${clientId}) AND artist_id = ${artistId}
          AND email IS NOT NULL
      UNION
      SELECT lower(email) FROM appointments
        WHERE client_id = ${clientId} AND artist_id = ${artistId} AND email IS NOT NULL
    ) AS used
    WHERE NOT ${isOfAnotherClient(artistId, clientId, sql.ref('used.email'))}
  `.execute(database);
  return rows.map(({ email }) => email);
}

/** The SQL condition that another client of the artist has, or had, an email. @param email in lower case */
function isOfAnotherClient(
  artistId: string,
  clientId: string,
  email: ReturnType<typeof sql.ref>,
): RawBuilder<boolean> {
  return sql<boolean>`(EXISTS (
    SELECT FROM clients WHERE artist_id = ${artistId} AND lower(clients.email) = ${email}
      AND coalesce(merged_into, id) <> ${clientId}
  ) OR EXISTS (
    SELECT FROM appointments WHERE artist_id = ${artistId}
      AND lower(appointments.email) = ${email} AND client_id <> ${clientId}
  ))`;
}

/**
 * Lists the emails, in lower case, with which a client has written messages to their artist: all spellings
 * of the mailboxes of `emails`, without those that another client of the artist has or had.
 */
export async function listMessageEmails(
  database: Database,
  artistId: string,
  clientId: string,
  emails: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    SELECT email FROM (
      SELECT DISTINCT lower(email) AS email FROM messages
      WHERE artist_id = ${artistId} AND ${mayBeFrom(emails)}
    ) AS written
    WHERE NOT ${isOfAnotherClient(artistId, clientId, sql.ref('written.email'))}
  `.execute(database);
  const mailboxes = new Set(emails.map(toMailbox));
  return rows.map(({ email }) => email).filter((email) => mailboxes.has(toMailbox(email)));
}

/** The SQL condition that a message is from the mailbox of one of the emails. */
function mayBeFrom(emails: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`mailbox = any(${emails.map(hashMailbox)}::text[])`;
}

export interface MailAboutClient {
  readonly id: string;
  /** Whether it is queued for the client, or a job is sending it. */
  readonly isOnItsWay: boolean;
  /** The id of the mail into which it was merged, which has its content too; null for none. */
  readonly mergedInto: string | null;
}

/**
 * Lists the artist's mails to and about a client: those of their appointments and requests, those with
 * their links, and those with their messages. Locks them: no job begins to send one meanwhile.
 * @param emails of the client, and of their messages, in lower case
 */
export async function lockMailsAboutClient(
  transaction: Transaction,
  artistId: string,
  clientId: string,
  emails: readonly string[],
): Promise<MailAboutClient[]> {
  const toClient = [...CLIENT_MAIL_KINDS, 'links'];
  const { rows } = await sql<MailAboutClient>`
    SELECT id, merged_into AS "mergedInto",
      status = 'queued' AND (claimed_by IS NOT NULL
        OR notice->>'kind' = any(${toClient}::text[])) AS "isOnItsWay"
    FROM mails
    -- As an array, so that the mails are read by their ids, and not all of them to compare.
    WHERE id = any(array(
      SELECT id FROM mails WHERE artist_id = ${artistId} AND client_id IN (
        SELECT id FROM clients WHERE id = ${clientId} OR merged_into = ${clientId}
      )
      UNION
      SELECT mails.id FROM mails JOIN appointments ON appointments.id = appointment_id
      WHERE appointments.client_id = ${clientId} AND mails.artist_id = ${artistId}
      UNION
      SELECT id FROM mails WHERE artist_id = ${artistId} AND client_id IS NULL
        AND person_of_mail(notice, address) = any(${emails}::text[])
      UNION
      SELECT mails.id FROM data_requests JOIN mails
        ON notice->>'kind' = 'data_requested' AND notice->'request'->>'id' = data_requests.id::text
      WHERE data_requests.artist_id = ${artistId} AND mails.artist_id = ${artistId}
        AND data_requests.client_id IN (
          SELECT id FROM clients WHERE id = ${clientId} OR merged_into = ${clientId}
        )
    ))
    -- In the order in which jobs lock them.
    ORDER BY position
    FOR UPDATE
  `.execute(transaction);
  return rows;
}

export async function deleteMails(transaction: Transaction, ids: readonly string[]): Promise<void> {
  const isListed = sql<string>`any(${ids}::uuid[])`;
  await transaction.deleteFrom('mails').where('id', '=', isListed).execute();
}

/** Deletes the exports of an artist, which hold the data of all clients. Their files go later. */
export async function deleteExports(database: Database, artistId: string): Promise<void> {
  await database.deleteFrom('exports').where('artist_id', '=', artistId).execute();
}

/**
 * Deletes the personal data of a client, of their appointments with the mails and events of these, and the
 * artist's messages from their emails. The appointments keep their times, states, services and designs.
 * Without appointments, the client is deleted.
 * @param emails in lower case; `messageEmails` are those of their messages
 */
export async function deletePersonalData(
  transaction: Transaction,
  artistId: string,
  clientId: string,
  { emails, messageEmails }: { emails: readonly string[]; messageEmails: readonly string[] },
): Promise<void> {
  await transaction
    .updateTable('appointments')
    .set({ ...NO_DETAILS, ...clientDetailsOf({}) })
    .where('client_id', '=', clientId)
    .where('artist_id', '=', artistId)
    .execute();
  const ofClient = sql`client_id = ${clientId} AND artist_id = ${artistId}`;
  const ofArtist = sql`artist_id = ${artistId}`;
  const noDetails = sql.join(CLIENT_DETAIL_FIELDS.map((field) => sql`${sql.ref(field)} = NULL`));
  const isTheirMailbox = sql`any(${emails.map(hashMailbox)}::text[])`;
  for (const statement of [
    // After a merge was undone, another client may have sessions of the same project.
    sql`UPDATE appointments SET private_notes = NULL
      WHERE ${ofArtist} AND private_notes IS NOT NULL
        AND project_id IN (SELECT project_id FROM appointments WHERE ${ofClient})`,
    sql`UPDATE appointment_events SET note = NULL FROM appointments
      WHERE appointments.id = appointment_id AND ${ofClient} AND note IS NOT NULL`,
    sql`DELETE FROM client_email_changes USING appointments
      WHERE appointments.id = appointment_id AND ${ofClient}`,
    sql`DELETE FROM messages
      WHERE ${ofArtist} AND ${mayBeFrom(emails)} AND lower(email) = any(${messageEmails}::text[])`,
    sql`DELETE FROM mailboxes WHERE ${ofArtist} AND mailbox = ${isTheirMailbox}`,
    // The client stays blocked by the hash. The domain in the hint may be their name.
    sql`UPDATE blocked_senders SET hint = '•••'
      WHERE ${ofArtist} AND kind = 'email' AND value = ${isTheirMailbox}`,
    sql`UPDATE data_requests SET done_at = now()
      WHERE ${ofClient} AND done_at IS NULL AND kind = 'erasure'`,
    // Nothing is left of which the artist could send a copy.
    sql`DELETE FROM data_requests WHERE ${ofClient} AND done_at IS NULL`,
    // The clients who were merged into this one. Their merges, with data for an undo, are deleted with them.
    sql`DELETE FROM clients WHERE merged_into = ${clientId} AND ${ofArtist}`,
    sql`UPDATE clients SET ${noDetails}, notes = '', email_failed_at = NULL,
        erased_at = coalesce(erased_at, now())
      WHERE id = ${clientId} AND ${ofArtist}`,
    sql`DELETE FROM clients WHERE id = ${clientId} AND ${ofArtist}
      AND NOT EXISTS (SELECT FROM appointments WHERE client_id = clients.id)`,
  ])
    await statement.execute(transaction);
}
