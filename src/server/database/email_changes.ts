import { sql } from 'kysely';
import type { EmailChange } from '#domain/security.ts';
import type { Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';
import { deleteInBatches } from './in_batches.ts';

export interface NewEmailChange {
  readonly artistId: string;
  readonly oldEmail: string;
  readonly newEmail: string;
  readonly canBeUndone: boolean;
}

/** Inserts a change that waits for the new email's link, in place of one that waits; returns its id. */
export async function insertEmailChange(
  transaction: Database,
  { artistId, oldEmail, newEmail, canBeUndone }: NewEmailChange,
): Promise<string> {
  await endPendingEmailChange(transaction, artistId);
  const { id } = await transaction
    .insertInto('email_changes')
    .values({
      artist_id: artistId,
      old_email: oldEmail,
      new_email: newEmail,
      can_be_undone: canBeUndone,
    })
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

/**
 * Stores that the account has the new email.
 * @param canBeUndone whether the old email is proven by now
 * @returns false when the change no longer waits
 */
export async function markEmailChangeHeld(
  transaction: Database,
  id: string,
  canBeUndone: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('email_changes')
    .set({ applied_at: sql<Date>`now()`, can_be_undone: canBeUndone })
    .where('id', '=', id)
    .where('applied_at', 'is', null)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export interface EmailChangeRow extends EmailChange {
  readonly id: string;
  readonly artistId: string;
  readonly oldEmail: string;
  readonly newEmail: string;
}

/** Finds a change, in any state. */
export async function findEmailChange(
  database: Database,
  id: string,
): Promise<EmailChangeRow | undefined> {
  const row = await database
    .selectFrom('email_changes')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      artistId: row.artist_id,
      oldEmail: row.old_email,
      newEmail: row.new_email,
      canBeUndone: row.can_be_undone,
      requestedAt: row.requested_at.getTime(),
      appliedAt: row.applied_at?.getTime() ?? null,
      undoneAt: row.undone_at?.getTime() ?? null,
    }
  );
}

/**
 * Stores that a change and all later ones of the artist are undone: who can undo one need not wait
 * for the links of the others, and these must not undo the undo.
 */
export async function markEmailChangesUndone(
  transaction: Database,
  { artistId, requestedAt }: Pick<EmailChangeRow, 'artistId' | 'requestedAt'>,
): Promise<void> {
  await transaction
    .updateTable('email_changes')
    .set({ undone_at: sql<Date>`now()`, ended_at: sql<Date>`coalesce(ended_at, now())` })
    .where('artist_id', '=', artistId)
    .where('requested_at', '>=', new Date(requestedAt))
    .where('undone_at', 'is', null)
    .execute();
}

/** Makes the links useless that undo changes of the artist's email until now. */
export async function disableEmailUndos(transaction: Database, artistId: string): Promise<void> {
  await transaction
    .updateTable('email_changes')
    .set({ can_be_undone: false })
    .where('artist_id', '=', artistId)
    .execute();
}

/**
 * Whether another account can still undo a change away from this email. Call this after the email is
 * stored: the unique index has then waited for changes that were under way.
 */
export async function isEmailReserved(
  transaction: Database,
  email: string,
  artistId: string,
  undoableSince: Instant,
): Promise<boolean> {
  const found = await transaction
    .selectFrom('email_changes')
    .select('id')
    .where(sql`lower(old_email)`, '=', email.toLowerCase())
    .where('artist_id', '!=', artistId)
    .where('can_be_undone', '=', true)
    .where('undone_at', 'is', null)
    .where('applied_at', '>', new Date(undoableSince))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Deletes the changes that were requested, and hold, since before an instant. */
export async function deleteOldEmailChanges(database: Database, before: Instant): Promise<void> {
  const isOld = sql`coalesce(applied_at, requested_at) < ${new Date(before)}`;
  await deleteInBatches(database, 'email_changes', 'requested_at', isOld);
}
