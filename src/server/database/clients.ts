/** The clients of artists, as bookings and mails change them. */
import { type Insertable, type RawBuilder, sql } from 'kysely';
import { CLIENT_DETAIL_FIELDS, type ClientDetails } from '#domain/clients/client_details.ts';
import type { Database, Transaction } from './connect.ts';
import type { Clients } from './tables.ts';

/** The details that another booking with the same email may fill in. */
const FILLED_FIELDS = CLIENT_DETAIL_FIELDS.filter((field) => field !== 'email');
type FilledField = (typeof FILLED_FIELDS)[number];

/**
 * Inserts a client, or fills in the empty fields of the artist's client with this email, if any; the email
 * of a merged client is that of the one into whom they were merged. No field is overwritten, because anyone
 * may type any email into the booking form. Call while the calendar is locked.
 * @returns the client's id
 */
export async function upsertClient(
  database: Database,
  client: Insertable<Clients>,
): Promise<string> {
  const { id } = await withUpsertedClient(database, client)
    .selectNoFrom(UPSERTED_CLIENT_ID.as('id'))
    .executeTakeFirstOrThrow();
  return id;
}

/** The client's id, in a statement that `withUpsertedClient` begins. */
export const UPSERTED_CLIENT_ID = sql<string>`(SELECT coalesce(merged_into, id) FROM own)`;

/** `excluded` is PostgreSQL's name for the row that could not be inserted. A merged client stays as it is. */
const FILLED_BY_EXCLUDED = fillEmpty(
  (name) => sql`CASE WHEN clients.merged_into IS NULL THEN ${sql.ref(`excluded.${name}`)} END`,
);

/** Begins a statement that also does what `upsertClient` does. */
export function withUpsertedClient(database: Database, client: Insertable<Clients>) {
  return (
    database
      .with('own', (db) =>
        db
          .insertInto('clients')
          .values(client)
          .onConflict((conflict) =>
            conflict.expression(sql`artist_id, lower(email)`).doUpdateSet(FILLED_BY_EXCLUDED),
          )
          .returning(['id', 'merged_into']),
      )
      // The client into whom the one with this email was merged. PostgreSQL looks up the result of a subquery by the
      // primary key, also with a plan that was made for few clients; a join could compare each client with each.
      .with('kept', (db) =>
        db
          .updateTable('clients')
          .set(fillEmpty((name) => sql`${client[name] ?? null}`))
          .where('clients.id', '=', sql<string>`(SELECT merged_into FROM own)`),
      )
  );
}

/** Details of a client that keep their value, or get a new one if they are empty. */
function fillEmpty(newValue: (name: FilledField) => RawBuilder<unknown>) {
  const filled = <Field extends FilledField>(name: Field) =>
    sql<ClientDetails[Field]>`coalesce(${sql.ref(`clients.${name}`)}, ${newValue(name)})`;
  return {
    first_name: filled('first_name'),
    last_name: filled('last_name'),
    pronouns: filled('pronouns'),
    phone_number: filled('phone_number'),
    preferred_contact: filled('preferred_contact'),
  } satisfies { readonly [Field in FilledField]: RawBuilder<ClientDetails[Field]> };
}

export const CLIENT_COLUMNS = [
  'clients.id' as const,
  ...CLIENT_DETAIL_FIELDS.map((field) => `clients.${field}` as const),
];

/** Finds a client of this artist only, who is neither erased nor merged into another. */
export function findClient(database: Database, artistId: string, id: string) {
  return selectCurrentClient(database, artistId, id)
    .select(CLIENT_COLUMNS)
    .select(['notes', 'version'])
    .executeTakeFirst();
}

/** The query of `findClient`, without columns. */
export function selectCurrentClient(database: Database, artistId: string, id: string) {
  return database
    .selectFrom('clients')
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .where('erased_at', 'is', null)
    .where('merged_into', 'is', null);
}

/** Selects the id of the client of this artist into whom this one was merged, or the same id. */
export function selectKeptClientId(database: Database, artistId: string, id: string) {
  return database
    .selectFrom('clients')
    .select(({ fn }) => fn.coalesce('merged_into', 'id').as('id'))
    .where('id', '=', id)
    .where('artist_id', '=', artistId);
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
  transaction: Transaction,
  appointment: { readonly id: string; readonly artist_id: string; readonly client_id: string },
): Promise<void> {
  const { id, artist_id, client_id } = appointment;
  const refsOf = (table: string) =>
    sql.join(FILLED_FIELDS.map((field) => sql.ref(`${table}.${field}`)));
  await sql`
    DELETE FROM clients USING appointments
    WHERE clients.id = ${client_id} AND clients.artist_id = ${artist_id} AND clients.notes = ''
      AND appointments.id = ${id} AND appointments.artist_id = ${artist_id}
      AND clients.created_at >= appointments.created_at
      AND (${refsOf('clients')}) IS NOT DISTINCT FROM (${refsOf('appointments')})
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
  { hasFailed }: { readonly hasFailed: boolean },
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
