/** Deletes what people have told about themselves: all of a client's data, and old details. */
import { type RawBuilder, sql } from 'kysely';
import { CLIENT_MAIL_KINDS } from '#domain/mail.ts';
import { toMailbox } from '#domain/mailbox.ts';
import type { Instant } from '#domain/time.ts';
import { lengthenBuffers, shortenedBefore } from './calendar.ts';
import type { Database } from './connect.ts';
import { hashMailbox } from './hashed_keys.ts';
import { inParts } from './in_batches.ts';

/** What a client has told for one appointment, and the texts about it, without their name. */
const NO_DETAILS = {
  email: null,
  pronouns: null,
  phone_number: null,
  preferred_contact: null,
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
export function findErasable(database: Database, artistId: string, id: string) {
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

/** Returns the SQL condition that another client of the artist has, or had, an email in lower case. */
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
export async function listMessageEmailsOfClient(
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

/** Returns the SQL condition that a message is from the mailbox of one of the emails. */
function mayBeFrom(emails: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`mailbox = any(${emails.map(hashMailbox)}::text[])`;
}

/** A mail to delete. */
export interface MailAboutClient {
  readonly id: string;
  /** Whether it is to be sent to the client, or a job is sending it. */
  readonly isOnItsWay: boolean;
  /** The mail that reported its content too. */
  readonly mergedInto: string | null;
}

/**
 * Lists the artist's mails to and about a client: those of their appointments and requests, those with
 * their links, and those with their messages. Locks them: no job begins to send one meanwhile.
 * @param emails of the client, and of their messages, in lower case
 */
export async function listMailsAboutClient(
  transaction: Database,
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
    FOR UPDATE
  `.execute(transaction);
  return rows;
}

/** Deletes mails. Drop the queued ones first: others may be merged into them. */
export async function deleteMails(transaction: Database, ids: readonly string[]): Promise<void> {
  await transaction
    .deleteFrom('mails')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}

/**
 * Deletes the personal data of a client, of their appointments and of what these led to, and the
 * artist's messages from their emails. The appointments keep their times, states, services and designs.
 * Without appointments, the client is deleted.
 * @param emails in lower case; `messageEmails` are those of their messages
 */
export async function erasePerson(
  transaction: Database,
  artistId: string,
  clientId: string,
  { emails, messageEmails }: Readonly<Record<'emails' | 'messageEmails', readonly string[]>>,
): Promise<void> {
  await transaction
    .updateTable('appointments')
    .set({ ...NO_DETAILS, first_name: null, last_name: null })
    .where('client_id', '=', clientId)
    .where('artist_id', '=', artistId)
    .execute();
  // After a merge was undone, another client may have sessions of the same project.
  await sql`
    UPDATE appointments SET private_notes = NULL
    WHERE artist_id = ${artistId} AND private_notes IS NOT NULL AND project_id IN (
      SELECT project_id FROM appointments WHERE client_id = ${clientId} AND artist_id = ${artistId}
    )
  `.execute(transaction);
  await sql`
    UPDATE appointment_events SET note = NULL
    FROM appointments
    WHERE appointments.id = appointment_id AND client_id = ${clientId}
      AND artist_id = ${artistId} AND note IS NOT NULL
  `.execute(transaction);
  await sql`
    DELETE FROM client_email_changes USING appointments
    WHERE appointments.id = appointment_id AND client_id = ${clientId} AND artist_id = ${artistId}
  `.execute(transaction);
  await transaction
    .deleteFrom('messages')
    .where('artist_id', '=', artistId)
    .where(mayBeFrom(emails))
    .where(sql`lower(email)`, '=', sql`any(${messageEmails}::text[])`)
    .execute();
  const hashes = sql<string>`any(${emails.map(hashMailbox)}::text[])`;
  await transaction
    .deleteFrom('mailboxes')
    .where('artist_id', '=', artistId)
    .where('mailbox', '=', hashes)
    .execute();
  // They stay blocked by the hash. The domain in the hint may be their name.
  await transaction
    .updateTable('blocked_senders')
    .set({ hint: '•••' })
    .where('artist_id', '=', artistId)
    .where('kind', '=', 'email')
    .where('value', '=', hashes)
    .execute();
  const openRequests = { client_id: clientId, artist_id: artistId } as const;
  await transaction
    .updateTable('data_requests')
    .set({ done_at: sql<Date>`now()` })
    .where(({ and, eb }) => and([and(openRequests), eb('done_at', 'is', null)]))
    .where('kind', '=', 'erasure')
    .execute();
  // Nothing is left of which the artist could send a copy.
  await transaction
    .deleteFrom('data_requests')
    .where(({ and, eb }) => and([and(openRequests), eb('done_at', 'is', null)]))
    .execute();
  // With what undoing the merge would restore.
  await transaction
    .deleteFrom('clients')
    .where('merged_into', '=', clientId)
    .where('artist_id', '=', artistId)
    .execute();
  await transaction
    .updateTable('clients')
    .set({
      email: null,
      first_name: null,
      last_name: null,
      pronouns: null,
      phone_number: null,
      preferred_contact: null,
      notes: '',
      email_failed_at: null,
      erased_at: sql<Date>`coalesce(erased_at, now())`,
    })
    .where('id', '=', clientId)
    .where('artist_id', '=', artistId)
    .execute();
  await sql`
    DELETE FROM clients WHERE id = ${clientId} AND artist_id = ${artistId}
      AND NOT EXISTS (SELECT FROM appointments WHERE client_id = clients.id)
  `.execute(transaction);
}

/** Cancels appointments of an artist and frees their times, without a mail or an event. */
export async function cancelAppointments(
  transaction: Database,
  artistId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await transaction
    .updateTable('appointments')
    .set({ status: 'cancelled', version: sql`version + 1`, updated_at: sql<Date>`now()` })
    .where('id', 'in', ids)
    .where('artist_id', '=', artistId)
    .execute();
  const released = await transaction
    .updateTable('appointment_times')
    .set({ occupies: false, expires_at: null })
    .where('appointment_id', 'in', ids)
    .where('artist_id', '=', artistId)
    .returning(shortenedBefore.as('shortened'))
    .execute();
  await lengthenBuffers(transaction, artistId, released);
}

/** Deletes all mails of an artist and their clients, also those that are queued. */
export async function deleteAllMailsOfArtist(
  transaction: Database,
  artistId: string,
): Promise<void> {
  await transaction.deleteFrom('mails').where('artist_id', '=', artistId).execute();
}

/** Deletes the row of a client who is merged into another one, and so has no appointments. */
export async function deleteMergedClient(
  transaction: Database,
  artistId: string,
  id: string,
): Promise<void> {
  await transaction
    .deleteFrom('clients')
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .where('merged_into', 'is not', null)
    .execute();
}

/** Takes a picture from the design that shows it, and hides the design. */
export async function removePictureOfDesign(
  transaction: Database,
  artistId: string,
  imageId: string,
): Promise<void> {
  await transaction
    .updateTable('designs')
    .set({ image_id: null, deleted_at: sql<Date>`coalesce(deleted_at, now())` })
    .where('image_id', '=', imageId)
    .where('artist_id', '=', artistId)
    .execute();
}

/** Appointments that ended, or were given up, before an instant. */
function isOverBefore(before: Instant) {
  const date = new Date(before);
  return sql<boolean>`(status NOT IN ('requested', 'held', 'offered')
    AND updated_at < ${date} AND NOT EXISTS (SELECT FROM appointment_times
      WHERE appointment_id = appointments.id AND upper(during) >= ${date}))`;
}

/**
 * Deletes the details of appointments that were over before an instant: what the client told beside
 * their name, and the texts of both sides. Times, states, services and designs stay.
 * @returns how many appointments had such details
 */
export function deleteOldDetails(database: Database, before: Instant): Promise<number> {
  return inParts(database, 'appointments', (isInPart) =>
    deleteDetailsOfPart(database, isInPart, before),
  );
}

function deleteDetailsOfPart(
  database: Database,
  isInPart: RawBuilder<boolean>,
  before: Instant,
): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ id: string }>`
      SELECT id FROM appointments
      WHERE ${isInPart} AND ${isOverBefore(before)} AND (
        num_nonnulls(email, pronouns, phone_number, preferred_contact, location, size,
          customer_notes, artist_note, network, idempotency_key, idempotency_subject) > 0
        OR EXISTS (SELECT FROM appointment_events
          WHERE appointment_id = appointments.id AND note IS NOT NULL)
      )
      FOR NO KEY UPDATE
    `.execute(transaction);
    if (rows.length === 0) return 0;
    const ids = sql<string>`any(${rows.map(({ id }) => id)}::uuid[])`;
    await transaction.updateTable('appointments').set(NO_DETAILS).where('id', '=', ids).execute();
    await transaction
      .updateTable('appointment_events')
      .set({ note: null })
      .where('appointment_id', '=', ids)
      .where('note', 'is not', null)
      .execute();
    return rows.length;
  });
}
