import { sql } from 'kysely';
import type { AdminActionKind } from '#domain/admin_action.ts';
import type { Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';
import { deleteInBatches } from './in_batches.ts';
import { loadPage, type Pagination } from './pagination.ts';

export interface NewAdminAction {
  readonly superuserId: string;
  readonly kind: AdminActionKind;
  /** The artist it is about; null for an account that is deleted. */
  readonly artistId: string | null;
  /** Of a mail its kind, of a changed account the names of the changed fields. */
  readonly detail?: string;
}

/** Records an action of a superuser, in the transaction of the action. */
export async function insertAdminAction(
  transaction: Database,
  { superuserId, kind, artistId, detail }: NewAdminAction,
): Promise<void> {
  await transaction
    .insertInto('admin_actions')
    .values({ superuser_id: superuserId, kind, artist_id: artistId, detail: detail ?? null })
    .execute();
}

/** Lists the actions of all superusers, the newest first, with the usernames of now. */
export function listAdminActions(database: Database, page: Pagination) {
  const actions = database
    .selectFrom('admin_actions')
    .leftJoin('artists as superusers', 'superusers.id', 'admin_actions.superuser_id')
    .leftJoin('artists as subjects', 'subjects.id', 'admin_actions.artist_id')
    .select([
      'admin_actions.id',
      'admin_actions.happened_at',
      'admin_actions.kind',
      'admin_actions.detail',
      'superusers.username as superuser',
      'subjects.username as artist',
    ])
    .orderBy('admin_actions.id', 'desc');
  return loadPage(actions, page);
}

/** Deletes the actions before an instant. */
export async function deleteOldAdminActions(database: Database, before: Instant): Promise<void> {
  const isOld = sql`happened_at < ${new Date(before)}`;
  await deleteInBatches(database, 'admin_actions', 'happened_at', isOld);
}
