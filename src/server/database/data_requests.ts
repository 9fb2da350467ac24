/** What clients ask of their artist about their data. */
import { sql } from 'kysely';
import type { DataRequestKind } from '#domain/data_request.ts';
import type { Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';
import { loadPage, type Pagination } from './pagination.ts';

/** A request as `dataRequestsOf` reads it. */
export interface DataRequestRow {
  readonly id: string;
  readonly kind: DataRequestKind;
  readonly askedAt: Instant;
  readonly doneAt: Instant | null;
}

/**
 * Selects a client's requests as JSON, the oldest first, for a column of another statement.
 * @param clientId such as `sql.ref('clients.id')`
 */
export function dataRequestsOf(clientId: ReturnType<typeof sql.ref>) {
  // Instants are milliseconds since 1970; `epoch` is seconds.
  return sql<readonly DataRequestRow[]>`coalesce((
    SELECT json_agg(json_build_object('id', id, 'kind', kind,
      'askedAt', (extract(epoch FROM asked_at) * 1000)::bigint,
      'doneAt', (extract(epoch FROM done_at) * 1000)::bigint) ORDER BY asked_at, id)
    FROM data_requests WHERE data_requests.client_id = ${clientId}
  ), '[]')`;
}

/** Inserts an open request; undefined if the client has an open one of this kind. */
export async function insertDataRequest(
  database: Database,
  request: { readonly artistId: string; readonly clientId: string; readonly kind: DataRequestKind },
  now: Instant,
): Promise<string | undefined> {
  const { artistId, clientId, kind } = request;
  const row = await database
    .insertInto('data_requests')
    .values({ artist_id: artistId, client_id: clientId, kind, asked_at: new Date(now) })
    .onConflict((conflict) =>
      conflict.columns(['client_id', 'kind']).where('done_at', 'is', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Whether a request exists and is not done. */
export async function isDataRequestOpen(database: Database, id: string): Promise<boolean> {
  const row = await database
    .selectFrom('data_requests')
    .select('id')
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Lists what an artist's clients ask for and the artist has not done, the oldest first. */
export function listOpenDataRequests(database: Database, artistId: string, page: Pagination) {
  const oldestFirst = database
    .selectFrom('data_requests')
    .innerJoin('clients', 'clients.id', 'data_requests.client_id')
    .select(['data_requests.id', 'kind', 'asked_at', 'client_id'])
    .select(['first_name', 'last_name', 'email'])
    .where('data_requests.artist_id', '=', artistId)
    .where('done_at', 'is', null)
    // The client into whom a client was merged has asked for the same.
    .where('merged_into', 'is', null)
    .orderBy('asked_at')
    .orderBy('data_requests.id');
  return loadPage(oldestFirst, page);
}

/**
 * Marks a request of this artist's client as done; one that is done keeps its time.
 * @returns false when the artist's client has no such request
 */
export async function markDataRequestDone(
  database: Database,
  artistId: string,
  { clientId, id }: { readonly clientId: string; readonly id: string },
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('data_requests')
    .set({ done_at: sql<Date>`coalesce(done_at, now())` })
    .where('id', '=', id)
    .where('client_id', '=', clientId)
    .where('artist_id', '=', artistId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Gives the requests of a client to another one. An open request stays if the other client has asked for
 * the same.
 * @returns the ids of the requests that the other client got
 */
export async function moveDataRequests(
  transaction: Database,
  artistId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    UPDATE data_requests SET client_id = ${to}
    WHERE client_id = ${from} AND artist_id = ${artistId}
      AND (done_at IS NOT NULL OR NOT EXISTS (SELECT FROM data_requests AS others
        WHERE others.client_id = ${to} AND others.kind = data_requests.kind
          AND others.done_at IS NULL))
    RETURNING id
  `.execute(transaction);
  return rows.map(({ id }) => id);
}

/** Deletes what a client has asked for from an instant on. */
export async function deleteDataRequestsSince(
  transaction: Database,
  artistId: string,
  clientId: string,
  since: Instant,
): Promise<void> {
  await transaction
    .deleteFrom('data_requests')
    .where('client_id', '=', clientId)
    .where('artist_id', '=', artistId)
    .where('asked_at', '>=', new Date(since))
    .execute();
}
