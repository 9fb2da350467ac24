import { type Insertable, sql, type Updateable } from 'kysely';
import type { Instant } from '#domain/time.ts';
import { lastMergeOf, otherEmailsOf } from './client_merges.ts';
import type { Database } from './connect.ts';
import { dataRequestsOf } from './data_requests.ts';
import { loadPageByIds, type Pagination } from './pagination.ts';
import { containsEmail, matchesClient } from './search.ts';
import type { Clients } from './tables.ts';

/**
 * Inserts a client, or fills in the empty fields of the artist's client with this email, if any; the email
 * of a merged client is that of the one into whom they were merged. No field is overwritten, because anyone
 * may type any email into the booking form. Call inside `withCalendarLock`.
 * @returns the client's id
 */
export async function upsertClient(
  database: Database,
  client: Insertable<Clients>,
): Promise<string> {
  const row = await database
    .insertInto('clients')
    .values(client)
    .onConflict((conflict) =>
      conflict
        .expression(sql`artist_id, lower(email)`)
        // `excluded` is PostgreSQL's name for the row that could not be inserted.
        .doUpdateSet((eb) => ({
          first_name: eb.fn.coalesce('clients.first_name', 'excluded.first_name'),
          last_name: eb.fn.coalesce('clients.last_name', 'excluded.last_name'),
          pronouns: eb.fn.coalesce('clients.pronouns', 'excluded.pronouns'),
          phone_number: eb.fn.coalesce('clients.phone_number', 'excluded.phone_number'),
          preferred_contact: eb.fn.coalesce(
            'clients.preferred_contact',
            'excluded.preferred_contact',
          ),
        }))
        .where('clients.merged_into', 'is', null),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? fillKeptClient(database, client);
}

/** Fills in the empty fields of the client into whom the client with this email was merged. */
async function fillKeptClient(database: Database, client: Insertable<Clients>): Promise<string> {
  const { artist_id, email = null } = client;
  const filled = (name: 'first_name' | 'last_name' | 'pronouns' | 'phone_number') =>
    sql<string | null>`coalesce(${sql.ref(`clients.${name}`)}, ${client[name] ?? null})`;
  const { id } = await database
    .updateTable('clients')
    .from('clients as merged')
    .set({
      first_name: filled('first_name'),
      last_name: filled('last_name'),
      pronouns: filled('pronouns'),
      phone_number: filled('phone_number'),
      preferred_contact: sql`coalesce(clients.preferred_contact, ${client.preferred_contact ?? null})`,
    })
    .whereRef('clients.id', '=', 'merged.merged_into')
    .where('clients.artist_id', '=', artist_id)
    .where('merged.artist_id', '=', artist_id)
    .where(sql`lower(merged.email)`, '=', sql`lower(${email})`)
    .returning('clients.id')
    .executeTakeFirstOrThrow();
  return id;
}

const COLUMNS = [
  'clients.id',
  'clients.email',
  'clients.first_name',
  'clients.last_name',
  'clients.pronouns',
  'clients.phone_number',
  'clients.preferred_contact',
] as const;

/** Whether an artist has at least this many clients. */
export async function hasManyClients(
  database: Database,
  artistId: string,
  count: number,
): Promise<boolean> {
  const last = await database
    .selectFrom('clients')
    .select('id')
    .where('artist_id', '=', artistId)
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst();
  return last !== undefined;
}

/** Whether an artist has a client with this email, in any letter case, also a merged one. */
export async function hasClientWithEmail(
  database: Database,
  artistId: string,
  email: string,
): Promise<boolean> {
  const client = await database
    .selectFrom('clients')
    .select('id')
    .where('artist_id', '=', artistId)
    .where(({ fn }) => fn<string>('lower', ['email']), '=', email.toLowerCase())
    .executeTakeFirst();
  return client !== undefined;
}

/** Finds a client of this artist only, who is neither erased nor merged into another. */
export function findClient(database: Database, artistId: string, id: string) {
  return database
    .selectFrom('clients')
    .select([...COLUMNS, 'notes', 'version'])
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .where('erased_at', 'is', null)
    .where('merged_into', 'is', null)
    .executeTakeFirst();
}

export type ClientWithVisits = NonNullable<Awaited<ReturnType<typeof findClientWithVisits>>>;

/**
 * Selects an artist's clients, with the number of bookings and the last and next start; without those
 * who were merged into another.
 */
function selectClientsWithVisits(database: Database, artistId: string, now: Instant) {
  const nowDate = new Date(now);
  return database
    .selectFrom('clients')
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom('appointments')
          .leftJoin('appointment_times', 'appointment_times.appointment_id', 'appointments.id')
          .whereRef('appointments.client_id', '=', 'clients.id')
          .select([
            // `lower` of a time range is its start.
            sql<number>`(count(DISTINCT appointments.id) FILTER (WHERE status
              IN ('confirmed', 'completed', 'no_show')))::int`.as('appointment_count'),
            sql<Date | null>`max(appointments.created_at)`.as('last_booked'),
            sql<Date | null>`max(lower(during)) FILTER (WHERE status IN ('confirmed', 'completed')
              AND lower(during) <= ${nowDate})`.as('last_appointment'),
            sql<Date | null>`min(lower(during)) FILTER (WHERE status = 'confirmed'
              AND lower(during) > ${nowDate})`.as('next_appointment'),
          ])
          .as('visits'),
      (join) => join.onTrue(),
    )
    .select([...COLUMNS, 'clients.notes', 'clients.version', 'clients.created_at'])
    .select(['clients.email_failed_at', 'clients.erased_at'])
    .select(['appointment_count', 'last_appointment', 'next_appointment'])
    .select(dataRequestsOf(sql.ref('clients.id')).as('data_requests'))
    .select(otherEmailsOf(sql.ref('clients.id')).as('other_emails'))
    .select(lastMergeOf(sql.ref('clients.id')).as('last_merge'))
    .where('clients.artist_id', '=', artistId)
    .where('merged_into', 'is', null);
}

/**
 * Lists an artist's clients by the creation of their newest appointment, or of the client if there
 * is none; the latest first. Erased clients are not listed.
 * @param search part of a name, an email or a phone number; empty or undefined finds all
 */
export function listClients(
  database: Database,
  artistId: string,
  search: string | undefined,
  now: Instant,
  page: Pagination,
) {
  let matching = database
    .selectFrom('clients')
    .leftJoin(
      ({ selectFrom }) =>
        selectFrom('appointments')
          .select(['client_id', sql<Date>`max(created_at)`.as('last_booked')])
          .where('artist_id', '=', artistId)
          .groupBy('client_id')
          .as('visits'),
      (join) => join.onRef('visits.client_id', '=', 'clients.id'),
    )
    .select('clients.id')
    .where('clients.artist_id', '=', artistId)
    .where('merged_into', 'is', null)
    .where('erased_at', 'is', null);
  if (search)
    matching = matching.where(({ or }) =>
      or([matchesClient(search, 'clients'), hasOtherEmail(search)]),
    );
  const latestFirst = sql`coalesce(visits.last_booked, clients.created_at) DESC`;
  const ids = matching.orderBy(latestFirst).orderBy('clients.id');
  return loadPageByIds(ids, page, (onPage) =>
    selectClientsWithVisits(database, artistId, now)
      .where('clients.id', '=', sql<string>`any(${onPage})`)
      .orderBy(latestFirst)
      .orderBy('clients.id')
      .execute(),
  );
}

/** Returns the SQL condition that the email of a client who was merged into this one contains the text. */
function hasOtherEmail(text: string) {
  return sql<boolean>`EXISTS (SELECT FROM clients AS merged WHERE merged.merged_into = clients.id
    AND ${containsEmail(text, sql.ref('merged.email'))})`;
}

/** Selects all of an artist's clients, the oldest first, with the same columns as `listClients`. */
export function selectClientsOfArtist(database: Database, artistId: string, now: Instant) {
  return selectClientsWithVisits(database, artistId, now)
    .orderBy('clients.created_at')
    .orderBy('clients.id');
}

/**
 * Finds a client of this artist only, with the same columns as `listClients`. The id of a merged client
 * finds the client into whom it was merged.
 */
export function findClientWithVisits(
  database: Database,
  artistId: string,
  id: string,
  now: Instant,
) {
  return selectClientsWithVisits(database, artistId, now)
    .where('clients.id', '=', selectKeptClientId(database, artistId, id))
    .executeTakeFirst();
}

/** Finds the id of the client of this artist into whom this one was merged, or the same id. */
export async function findKeptClientId(
  database: Database,
  artistId: string,
  id: string,
): Promise<string | undefined> {
  const row = await selectKeptClientId(database, artistId, id).executeTakeFirst();
  return row?.id;
}

function selectKeptClientId(database: Database, artistId: string, id: string) {
  return database
    .selectFrom('clients')
    .select(({ fn }) => fn.coalesce('merged_into', 'id').as('id'))
    .where('id', '=', id)
    .where('artist_id', '=', artistId);
}

/** Updates a client of this artist; returns false when the artist has no such client. */
export async function updateClient(
  database: Database,
  artistId: string,
  id: string,
  changes: Updateable<Clients>,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('clients')
    // An UPDATE must set a column, even when `changes` is empty: `artist_id` keeps its value.
    .set({ ...changes, artist_id: artistId })
    .$if(changes.email !== undefined, (query) =>
      // A new email removes the failure of the old email: CASE without ELSE is null.
      query.set({
        email_failed_at: sql<Date | null>`CASE WHEN lower(email) = lower(${changes.email})
          THEN email_failed_at END`,
      }),
    )
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Takes an email from the clients who were merged into this one, so that this one can get it.
 * @returns the ids of those who had it
 */
export async function takeMergedEmail(
  transaction: Database,
  artistId: string,
  id: string,
  email: string,
): Promise<string[]> {
  const rows = await transaction
    .updateTable('clients')
    .set({ email: null })
    .where('merged_into', '=', id)
    .where('artist_id', '=', artistId)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
}

/**
 * Corrects a client's email, if it equals the email of `appointment`. Nothing changes when that
 * email is null, or another client of the artist already has `newEmail`.
 * @param appointment the client's appointment, with the email to replace
 */
export async function updateClientEmail(
  database: Database,
  appointment: { artist_id: string; client_id: string; email: string | null },
  newEmail: string,
): Promise<void> {
  const { artist_id, client_id, email } = appointment;
  if (email === null) return;
  await database
    .updateTable('clients')
    .set({ email: newEmail, email_failed_at: null })
    .where('id', '=', client_id)
    .where('artist_id', '=', artist_id)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where(
      sql<boolean>`NOT EXISTS (
        SELECT FROM clients AS others WHERE others.artist_id = ${artist_id}
          AND others.id <> ${client_id} AND lower(others.email) = ${newEmail.toLowerCase()})`,
    )
    .execute();
}

/**
 * Deletes the earlier client of an appointment whose email was corrected. The client stays if they are
 * older than the appointment, have another appointment, a message or a request about their data, or if the
 * artist has changed their details or written notes.
 * @param appointment with the client before the correction
 */
export async function deleteUnusedClient(
  transaction: Database,
  appointment: { readonly id: string; readonly artist_id: string; readonly client_id: string },
): Promise<void> {
  const { id, artist_id, client_id } = appointment;
  await sql`
    DELETE FROM clients USING appointments
    WHERE clients.id = ${client_id} AND clients.artist_id = ${artist_id} AND clients.notes = ''
      AND appointments.id = ${id} AND appointments.artist_id = ${artist_id}
      AND clients.created_at >= appointments.created_at
      AND (clients.first_name, clients.last_name, clients.pronouns, clients.phone_number,
          clients.preferred_contact)
        IS NOT DISTINCT FROM (appointments.first_name, appointments.last_name,
          appointments.pronouns, appointments.phone_number, appointments.preferred_contact)
      AND NOT EXISTS (SELECT FROM appointments WHERE client_id = clients.id)
      AND NOT EXISTS (SELECT FROM data_requests WHERE client_id = clients.id)
      AND NOT EXISTS (SELECT FROM messages WHERE messages.artist_id = ${artist_id}
        AND lower(messages.email) = lower(clients.email))
  `.execute(transaction);
}

/**
 * Records whether the last mail to a client failed. `email_failed_at` is the time of the first
 * failure; it becomes null when a mail succeeds.
 * @param artistId null changes nothing: the artist was deleted, and so were their clients
 */
export async function updateEmailFailed(
  database: Database,
  artistId: string | null,
  email: string,
  hasFailed: boolean,
): Promise<void> {
  await database
    .updateTable('clients')
    .set({ email_failed_at: hasFailed ? sql<Date>`now()` : null })
    .where('artist_id', '=', artistId)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    // Skips clients whose `email_failed_at` is right already.
    .where('email_failed_at', hasFailed ? 'is' : 'is not', null)
    .execute();
}
