/** Merges of two clients of one artist, and what undoing each restores. */
import { sql } from 'kysely';
import { MERGED_FIELDS, type MergedFields } from '#domain/client_merge.ts';
import type { Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';
import { moveDataRequests } from './data_requests.ts';
import { deleteInBatches } from './in_batches.ts';

/** Finds the fields of a client of this artist who is neither erased nor merged into another. */
export function findMergeableClient(
  transaction: Database,
  artistId: string,
  id: string,
): Promise<MergedFields | undefined> {
  return transaction
    .selectFrom('clients')
    .select(MERGED_FIELDS)
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .where('erased_at', 'is', null)
    .where('merged_into', 'is', null)
    .executeTakeFirst();
}

/** Sets the fields of a client of this artist. */
export async function updateMergedFields(
  transaction: Database,
  artistId: string,
  id: string,
  fields: Partial<MergedFields>,
): Promise<void> {
  await transaction
    .updateTable('clients')
    .set(fields)
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .execute();
}

/** The ids of what belonged to a client, and belongs to another one after a merge. */
export interface MergedRows {
  readonly appointmentIds: readonly string[];
  /** Clients who were merged into it earlier. */
  readonly clientIds: readonly string[];
  readonly dataRequestIds: readonly string[];
}

/**
 * Hides a client, and gives what belongs to it to another one of the same artist. Open requests about
 * data stay hidden with it if the other client has asked for the same.
 */
export async function moveToClient(
  transaction: Database,
  artistId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<MergedRows> {
  const appointments = await transaction
    .updateTable('appointments')
    .set({ client_id: to })
    .where('client_id', '=', from)
    .where('artist_id', '=', artistId)
    .returning('id')
    .execute();
  const clients = await transaction
    .updateTable('clients')
    .set({ merged_into: to })
    .where('merged_into', '=', from)
    .where('artist_id', '=', artistId)
    .returning('id')
    .execute();
  const dataRequestIds = await moveDataRequests(transaction, artistId, { from, to });
  await transaction
    .updateTable('clients')
    .set({ merged_into: to })
    .where('id', '=', from)
    .where('artist_id', '=', artistId)
    .execute();
  const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
  return { appointmentIds: idsOf(appointments), clientIds: idsOf(clients), dataRequestIds };
}

/** Shows a merged client again, with what belonged to it and still belongs to the other one. */
export async function returnMergedRows(
  transaction: Database,
  artistId: string,
  { from, to }: { readonly from: string; readonly to: string },
  rows: MergedRows,
): Promise<void> {
  const { appointmentIds, clientIds, dataRequestIds } = rows;
  await sql`
    UPDATE appointments SET client_id = ${to}
    WHERE id = any(${appointmentIds}::uuid[]) AND client_id = ${from} AND artist_id = ${artistId}
  `.execute(transaction);
  await sql`
    UPDATE clients SET merged_into = CASE WHEN id = ${to} THEN NULL ELSE ${to}::uuid END
    WHERE id = any(${[...clientIds, to]}::uuid[]) AND merged_into = ${from}
      AND artist_id = ${artistId}
  `.execute(transaction);
  await sql`
    UPDATE data_requests SET client_id = ${to}
    WHERE id = any(${dataRequestIds}::uuid[]) AND client_id = ${from} AND artist_id = ${artistId}
  `.execute(transaction);
}

export interface ClientMerge {
  readonly clientId: string;
  readonly mergedId: string;
  readonly before: MergedFields;
  readonly after: MergedFields;
  /** The email of the merged client. */
  readonly mergedEmail: string | null;
  readonly rows: MergedRows;
}

/** Stores what undoing a merge restores. @returns its id */
export async function insertClientMerge(
  transaction: Database,
  artistId: string,
  { clientId, mergedId, before, after, mergedEmail, rows }: ClientMerge,
  now: Instant,
): Promise<string> {
  const { id } = await transaction
    .insertInto('client_merges')
    .values({
      artist_id: artistId,
      client_id: clientId,
      merged_id: mergedId,
      merged_at: new Date(now),
      client_before: JSON.stringify(before),
      client_after: JSON.stringify(after),
      merged_email: mergedEmail,
      appointment_ids: [...rows.appointmentIds],
      client_ids: [...rows.clientIds],
      data_request_ids: [...rows.dataRequestIds],
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A merge as `lastMergeOf` reads it, with the merged client's name and email. */
export interface LastMergeRow {
  readonly id: string;
  readonly mergedAt: Instant;
  /** The remaining client after the merge. */
  readonly after: MergedFields;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly email: string | null;
}

/**
 * Selects the last merge into a client as JSON, for a column of another statement; null if there is none.
 * @param clientId such as `sql.ref('clients.id')`
 */
export function lastMergeOf(clientId: ReturnType<typeof sql.ref>) {
  // Instants are milliseconds since 1970; `epoch` is seconds.
  return sql<LastMergeRow | null>`(
    SELECT json_build_object('id', client_merges.id,
      'mergedAt', (extract(epoch FROM merged_at) * 1000)::bigint,
      'after', client_after,
      'first_name', first_name, 'last_name', last_name, 'email', merged_email)
    FROM client_merges JOIN clients AS merged ON merged.id = merged_id
    WHERE client_id = ${clientId}
    ORDER BY merged_at DESC
    LIMIT 1
  )`;
}

/** Selects the emails of the clients who were merged into one, as JSON. */
export function otherEmailsOf(clientId: ReturnType<typeof sql.ref>) {
  return sql<readonly string[]>`coalesce((
    SELECT json_agg(email ORDER BY created_at, id) FROM clients AS merged
    WHERE merged.merged_into = ${clientId} AND email IS NOT NULL
  ), '[]')`;
}

/** Deletes a merge of this artist, and returns it; undefined without one. */
export async function takeClientMerge(
  transaction: Database,
  artistId: string,
  id: string,
): Promise<(ClientMerge & { readonly mergedAt: Instant }) | undefined> {
  const row = await transaction
    .deleteFrom('client_merges')
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .returningAll()
    .executeTakeFirst();
  return (
    row && {
      clientId: row.client_id,
      mergedId: row.merged_id,
      before: row.client_before,
      after: row.client_after,
      mergedEmail: row.merged_email,
      mergedAt: row.merged_at.getTime(),
      rows: {
        appointmentIds: row.appointment_ids,
        clientIds: row.client_ids,
        dataRequestIds: row.data_request_ids,
      },
    }
  );
}

/** Deletes the merges that can no longer be undone. */
export async function deleteOldClientMerges(database: Database, before: Instant): Promise<void> {
  const isOld = sql`merged_at < ${new Date(before)}`;
  await deleteInBatches(database, 'client_merges', 'merged_at', isOld);
}
