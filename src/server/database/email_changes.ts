import { sql } from 'kysely';
import type { Instant } from '#domain/time/time.ts';
import type { Database, Transaction } from './connect.ts';
import { deleteInBatches } from './in_batches.ts';

/** Ends the artist's change that waits for the new email's link, if there is one. */
export async function endPendingEmailChange(
  transaction: Transaction,
  artistId: string,
): Promise<void> {
  await transaction
    .updateTable('email_changes')
    .set({ ended_at: sql<Date>`now()` })
    .where('artist_id', '=', artistId)
    .where('applied_at', 'is', null)
    .where('ended_at', 'is', null)
    .execute();
}

/** Deletes the changes that were applied before an instant, or requested before it and never applied. */
export async function deleteOldEmailChanges(database: Database, before: Instant): Promise<void> {
  const isOld = sql`coalesce(applied_at, requested_at) < ${new Date(before)}`;
  await deleteInBatches(database, 'email_changes', 'requested_at', isOld);
}
