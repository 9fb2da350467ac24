/** Merging two clients of an artist who are one person, and undoing it. */
import type { ClientMergeResult, ClientRecord } from '#contract/client.ts';
import { canUndoMerge, MERGE_UNDO_MS, mergeFields } from '#domain/client_merge.ts';
import { MAX_CLIENT_NOTES_LENGTH } from '#domain/list_limits.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import { toRfc3339 } from '#domain/time.ts';
import { withCalendarLock } from '#server/database/calendar_lock.ts';
import * as merges from '#server/database/client_merges.ts';
import { violatedConstraint } from '#server/database/connect.ts';
import { deleteDataRequestsSince } from '#server/database/data_requests.ts';
import { loadClient } from './clients.ts';
import type { Context } from './context.ts';

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
  return withCalendarLock(context.database, artistId, async (transaction, now) => {
    const remaining = requireFound(await merges.findMergeableClient(transaction, artistId, id));
    if (id === otherId) throw refuse('same_client');
    const other = requireFound(await merges.findMergeableClient(transaction, artistId, otherId));
    const after = mergeFields(remaining, other);
    if (after.notes.length > MAX_CLIENT_NOTES_LENGTH) throw refuse('notes_too_long');
    const rows = await merges.moveToClient(transaction, artistId, { from: otherId, to: id });
    // Two clients never have one email.
    if (remaining.email === null && other.email !== null)
      await merges.updateMergedFields(transaction, artistId, otherId, { email: null });
    await merges.updateMergedFields(transaction, artistId, id, after);
    const merge = { clientId: id, mergedId: otherId, before: remaining, after, rows };
    const mergeId = await merges.insertClientMerge(
      transaction,
      artistId,
      { ...merge, mergedEmail: other.email },
      now,
    );
    return {
      id: mergeId,
      client: await loadClient({ ...context, database: transaction }, artistId, id, now),
      undo_until: toRfc3339(now + MERGE_UNDO_MS),
    };
  });
}

/**
 * Undoes a merge: the remaining client is as it was, and the other one is back. Appointments that were booked
 * since stay with the remaining client. Requests about data that were made since are dropped: either may have
 * made them.
 * @returns the remaining client
 * @throws Refusal `undo_too_late` after an hour, or if the remaining client was changed or merged since, or
 *   another client has an email of theirs; `not_found` after two hours, and once a client was erased
 */
export function undoClientMerge(
  context: Context,
  artistId: string,
  mergeId: string,
): Promise<ClientRecord> {
  const undo = withCalendarLock(context.database, artistId, async (transaction, now) => {
    const merge = requireFound(await merges.takeClientMerge(transaction, artistId, mergeId));
    const { clientId, mergedId, before, mergedEmail, mergedAt, rows } = merge;
    const current = await merges.findMergeableClient(transaction, artistId, clientId);
    if (!current || !canUndoMerge(merge, current, now)) throw refuse('undo_too_late');
    await merges.updateMergedFields(transaction, artistId, clientId, before);
    await merges.updateMergedFields(transaction, artistId, mergedId, { email: mergedEmail });
    await merges.returnMergedRows(transaction, artistId, { from: clientId, to: mergedId }, rows);
    await deleteDataRequestsSince(transaction, artistId, clientId, mergedAt);
    return loadClient({ ...context, database: transaction }, artistId, clientId, now);
  });
  return undo.catch((error: unknown) => {
    throw violatedConstraint(error) === 'clients_email' ? refuse('undo_too_late') : error;
  });
}
