import { type Insertable, sql } from 'kysely';
import { EMAIL_UNDO_MS } from '#domain/security.ts';
import type { Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';
import { hasRow } from './has_row.ts';
import { deleteInBatches } from './in_batches.ts';
import type { EmailChanges } from './tables.ts';

const UNDOABLE_SINCE = sql<Date>`now() - ${EMAIL_UNDO_MS} * interval '1 millisecond'`;

/** Inserts a change that waits for the new email's link, in place of one that waits; returns its id. */
export async function insertEmailChange(
  transaction: Database,
  change: Insertable<EmailChanges>,
): Promise<string> {
  await endPendingEmailChange(transaction, change.artist_id);
  const { id } = await transaction
    .insertInto('email_changes')
    .values(change)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Ends the artist's change that waits for the new email's link, if there is one. */
export async function endPendingEmailChange(
  transaction: Database,
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

/** Finds the artist's change that waits for the new email's link. */
export function findPendingEmailChange(database: Database, artistId: string) {
  return database
    .selectFrom('email_changes')
    .select(['id', 'old_email', 'new_email', 'can_be_undone'])
    .where('artist_id', '=', artistId)
    .where('applied_at', 'is', null)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
}

/** Finds a change that the link mailed to the old email can still undo, whether it holds already or not. */
export function findUndoableEmailChange(database: Database, id: string) {
  return database
    .selectFrom('email_changes')
    .select(['id', 'artist_id', 'old_email', 'requested_at'])
    .where('id', '=', id)
    .where('can_be_undone', '=', true)
    .where('undone_at', 'is', null)
    .where(sql`coalesce(applied_at, requested_at)`, '>', UNDOABLE_SINCE)
    .executeTakeFirst();
}

/**
 * Stores that a change and all later ones of the artist are undone: who can undo one need not wait
 * for the links of the others, and these must not undo the undo.
 */
export async function markEmailChangesUndone(
  transaction: Database,
  artistId: string,
  requestedSince: Date,
): Promise<void> {
  await transaction
    .updateTable('email_changes')
    .set({ undone_at: sql<Date>`now()`, ended_at: sql<Date>`coalesce(ended_at, now())` })
    .where('artist_id', '=', artistId)
    .where('requested_at', '>=', requestedSince)
    .where('undone_at', 'is', null)
    .execute();
}

/**
 * Whether another account can still undo a change away from this email. Call this after the email is
 * stored: the unique index has then waited for changes that were under way.
 */
export function isEmailReserved(
  transaction: Database,
  email: string,
  artistId: string,
): Promise<boolean> {
  const changes = transaction
    .selectFrom('email_changes')
    .where(sql`lower(old_email)`, '=', email.toLowerCase())
    .where('artist_id', '!=', artistId)
    .where('can_be_undone', '=', true)
    .where('undone_at', 'is', null)
    .where('applied_at', '>', UNDOABLE_SINCE);
  return hasRow(changes.select('id').limit(1));
}

/** Deletes the changes that were requested, and hold, since before an instant. */
export async function deleteOldEmailChanges(database: Database, before: Instant): Promise<void> {
  const isOld = sql`coalesce(applied_at, requested_at) < ${new Date(before)}`;
  await deleteInBatches(database, 'email_changes', 'requested_at', isOld);
}
