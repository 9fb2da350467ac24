/** Merging two clients of an artist who are one person, and undoing it. */
import { type RawBuilder, sql } from 'kysely';
import type { ClientMergeResult, ClientRecord } from '#contract/client.ts';
import {
  canUndoMerge,
  MERGE_UNDO_MS,
  MERGED_FIELDS,
  type MergedFields,
  mergeFields,
} from '#domain/clients/client_merge.ts';
import { Refusal, refuse, requireFound } from '#domain/refusal.ts';
import { MAX_CLIENT_NOTES_LENGTH } from '#domain/requests/list_limits.ts';
import { toRfc3339 } from '#domain/time/time.ts';
import { selectCurrentClient } from '#server/database/clients.ts';
import type { Transaction } from '#server/database/connect.ts';
import { calendarScope, change } from '../change.ts';
import type { Context } from '../context.ts';
import { loadClient } from './clients.ts';

/**
 * Merges a client into another one of the same artist: the other one gets the appointments, and the
 * details that it lacks. Who books later with the email of either is the remaining client. Nobody is mailed.
 * @param id of the client who remains
 * @throws Refusal `not_found` for either; `same_client`, `notes_too_long`
 */
export function mergeClients(
  context: Context,
  artistId: string,
  id: string,
  otherId: string,
): Promise<ClientMergeResult> {
  // The lock, because a booking could find the other client meanwhile.
  return change(context, calendarScope(artistId, []), async (context, now) => {
    const { database } = context;
    const remaining = requireFound(await findFields(database, artistId, id));
    if (id === otherId) throw refuse('same_client');
    const other = requireFound(await findFields(database, artistId, otherId));
    const after = mergeFields(remaining, other);
    if (after.notes.length > MAX_CLIENT_NOTES_LENGTH) throw refuse('notes_too_long');
    const movedRows = await moveToClient(database, artistId, { from: otherId, to: id });
    // The email moves in two steps: two clients never have the same one.
    if (remaining.email === null && other.email !== null)
      await saveFields(database, artistId, otherId, { email: null });
    await saveFields(database, artistId, id, after);
    const merge = await database
      .insertInto('client_merges')
      .values({
        artist_id: artistId,
        client_id: id,
        merged_id: otherId,
        merged_email: other.email,
        merged_at: new Date(now),
        client_before: JSON.stringify(remaining),
        client_after: JSON.stringify(after),
        ...movedRows,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return {
      id: merge.id,
      client: await loadClient(context, artistId, id, now),
      undo_until: toRfc3339(now + MERGE_UNDO_MS),
    };
  });
}

/**
 * Undoes a merge: the remaining client is as it was, and the other one is back. Appointments that were booked since
 * stay with the remaining client. Requests about data that were made since are dropped: either may have made them.
 * @returns the remaining client
 * @throws Refusal `undo_too_late` after an hour, or if the remaining client was changed or merged since, or another
 *   client has an email of theirs; `not_found` after two hours, and once a client was erased
 */
export function undoClientMerge(
  context: Context,
  artistId: string,
  mergeId: string,
): Promise<ClientRecord> {
  const undo = change(context, calendarScope(artistId, []), async (context, now) => {
    const { database } = context;
    const deleted = await database
      .deleteFrom('client_merges')
      .where('id', '=', mergeId)
      .where('artist_id', '=', artistId)
      .returningAll()
      .executeTakeFirst();
    const merge = requireFound(deleted);
    const { client_id: id, merged_id: mergedId, client_after: after, merged_at } = merge;
    const current = await findFields(database, artistId, id);
    if (!current || !canUndoMerge({ mergedAt: merged_at.getTime(), after }, current, now))
      throw refuse('undo_too_late');
    await saveFields(database, artistId, id, merge.client_before);
    await saveFields(database, artistId, mergedId, { email: merge.merged_email });
    await returnRows(database, artistId, { from: id, to: mergedId }, merge);
    await database
      .deleteFrom('data_requests')
      .where('client_id', '=', id)
      .where('artist_id', '=', artistId)
      .where('asked_at', '>=', merged_at)
      .execute();
    return loadClient(context, artistId, id, now);
  });
  return undo.catch((error: unknown) => {
    // Since the merge, another client has got the email of one of the two.
    const isTaken = error instanceof Refusal && error.reason === 'client_email_taken';
    throw isTaken ? refuse('undo_too_late') : error;
  });
}

function findFields(
  transaction: Transaction,
  artistId: string,
  id: string,
): Promise<MergedFields | undefined> {
  return selectCurrentClient(transaction, artistId, id).select(MERGED_FIELDS).executeTakeFirst();
}

async function saveFields(
  transaction: Transaction,
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

/** The ids of the rows that a merge has moved from one client to another. */
interface MergedRows {
  readonly appointment_ids: string[];
  /** Clients who were merged into the first one earlier. */
  readonly client_ids: string[];
  readonly data_request_ids: string[];
}

/**
 * Hides a client, and gives its rows to another one of the same artist. Open requests about
 * data stay hidden with it if the other client has asked for the same.
 */
async function moveToClient(
  transaction: Transaction,
  artistId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<MergedRows> {
  const move = async (statement: RawBuilder<{ id: string }>) =>
    (await statement.execute(transaction)).rows.map(({ id }) => id);
  const appointment_ids = await move(sql`
    UPDATE appointments SET client_id = ${to}
    WHERE client_id = ${from} AND artist_id = ${artistId} RETURNING id`);
  const client_ids = await move(sql`
    UPDATE clients SET merged_into = ${to}
    WHERE merged_into = ${from} AND artist_id = ${artistId} RETURNING id`);
  const data_request_ids = await move(sql`
    UPDATE data_requests SET client_id = ${to}
    WHERE client_id = ${from} AND artist_id = ${artistId}
      AND (done_at IS NOT NULL OR NOT EXISTS (SELECT FROM data_requests AS others
        WHERE others.client_id = ${to} AND others.kind = data_requests.kind
          AND others.done_at IS NULL))
    RETURNING id`);
  await move(sql`
    UPDATE clients SET merged_into = ${to} WHERE id = ${from} AND artist_id = ${artistId}`);
  return { appointment_ids, client_ids, data_request_ids };
}

/** Shows a merged client (`to`) again, and gives it back its former rows that still belong to the other one. */
async function returnRows(
  transaction: Transaction,
  artistId: string,
  { from, to }: { readonly from: string; readonly to: string },
  { appointment_ids, client_ids, data_request_ids }: MergedRows,
): Promise<void> {
  const isOfFrom = sql`client_id = ${from} AND artist_id = ${artistId}`;
  for (const statement of [
    sql`UPDATE appointments SET client_id = ${to}
      WHERE id = any(${appointment_ids}::uuid[]) AND ${isOfFrom}`,
    sql`UPDATE clients SET merged_into = CASE WHEN id = ${to} THEN NULL ELSE ${to}::uuid END
      WHERE id = any(${[...client_ids, to]}::uuid[]) AND merged_into = ${from}
        AND artist_id = ${artistId}`,
    sql`UPDATE data_requests SET client_id = ${to}
      WHERE id = any(${data_request_ids}::uuid[]) AND ${isOfFrom}`,
  ])
    await statement.execute(transaction);
}
