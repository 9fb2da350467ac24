/** Deletes what people have told about themselves: all of a client's data, and old details. */
import { sql } from 'kysely';
import type { Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';
import { hashMailbox } from './hashed_keys.ts';

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
  network: null,
  idempotency_key: null,
  idempotency_subject: null,
} as const;

/** Whether this is a client of this artist, erased or not, but not merged into another. */
export async function isClientOfArtist(
  database: Database,
  artistId: string,
  id: string,
): Promise<boolean> {
  const row = await database
    .selectFrom('clients')
    .select('id')
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .where('merged_into', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Lists the emails, in lower case, that a client has used with their artist, without those that another
 * client of the artist has now.
 */
export async function listEmailsOfClient(
  database: Database,
  artistId: string,
  clientId: string,
): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    SELECT lower(email) AS email FROM clients
      WHERE (id = ${clientId} OR merged_into = ${clientId}) AND artist_id = ${artistId}
        AND email IS NOT NULL
    UNION
    SELECT lower(email) FROM appointments
      WHERE client_id = ${clientId} AND artist_id = ${artistId} AND email IS NOT NULL
    EXCEPT
    SELECT lower(email) FROM clients
      WHERE coalesce(merged_into, id) <> ${clientId} AND artist_id = ${artistId}
        AND email IS NOT NULL
  `.execute(database);
  return rows.map(({ email }) => email);
}

/** Whether a mail to a client about one of their appointments is still to be sent. */
export async function hasQueuedMail(
  database: Database,
  artistId: string,
  clientId: string,
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    SELECT mails.id FROM appointments
      JOIN mails ON mails.thread = appointments.id::text || ':client'
    WHERE client_id = ${clientId} AND appointments.artist_id = ${artistId}
      AND mails.status = 'queued'
    LIMIT 1
  `.execute(database);
  return rows.length > 0;
}

/**
 * Lists the artist's mails to and about a client: those of their appointments, and those that were sent
 * to, or quote, one of their emails. Locks them: no job begins to send one meanwhile.
 */
export async function listMailsAboutClient(
  transaction: Database,
  artistId: string,
  clientId: string,
  emails: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT mails.id FROM mails
    WHERE artist_id = ${artistId} AND (
      appointment_id IN (
        SELECT id FROM appointments WHERE client_id = ${clientId} AND artist_id = ${artistId}
      )
      OR lower(address) = any(${emails}::text[])
      OR lower(notice->'appointment'->'client'->>'email') = any(${emails}::text[])
      OR lower(notice->'message'->>'email') = any(${emails}::text[])
      OR notice->'client'->>'id' = ${clientId}
    )
    FOR UPDATE
  `.execute(transaction);
  return rows.map(({ id }) => id);
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
 */
export async function erasePerson(
  transaction: Database,
  artistId: string,
  clientId: string,
  emails: readonly string[],
): Promise<void> {
  await transaction
    .updateTable('appointments')
    .set({ ...NO_DETAILS, first_name: null, last_name: null })
    .where('client_id', '=', clientId)
    .where('artist_id', '=', artistId)
    .execute();
  await sql`
    UPDATE appointment_events SET note = NULL
    FROM appointments
    WHERE appointments.id = appointment_id AND client_id = ${clientId}
      AND artist_id = ${artistId} AND note IS NOT NULL
  `.execute(transaction);
  await transaction
    .deleteFrom('messages')
    .where('artist_id', '=', artistId)
    .where(sql`lower(email)`, '=', sql`any(${emails}::text[])`)
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
  await transaction
    .updateTable('data_requests')
    .set({ done_at: sql<Date>`now()` })
    .where('client_id', '=', clientId)
    .where('artist_id', '=', artistId)
    .where('done_at', 'is', null)
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
      ...{ email: null, first_name: null, last_name: null, pronouns: null, phone_number: null },
      ...{ preferred_contact: null, notes: '', email_failed_at: null },
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
export async function deleteOldDetails(database: Database, before: Instant): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const rows = await transaction
      .updateTable('appointments')
      .set(NO_DETAILS)
      .where(isOverBefore(before))
      .where(
        sql<boolean>`num_nonnulls(email, pronouns, phone_number, preferred_contact, location, size,
          customer_notes, artist_note, network, idempotency_key, idempotency_subject) > 0`,
      )
      .returning('id')
      .execute();
    await sql`
      UPDATE appointment_events SET note = NULL
      FROM appointments
      WHERE appointments.id = appointment_id AND note IS NOT NULL AND ${isOverBefore(before)}
    `.execute(transaction);
    return rows.length;
  });
}
