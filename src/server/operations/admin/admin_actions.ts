/** Records and lists the actions of superusers on accounts and mails of others. */
import type { Insertable } from 'kysely';
import type { AdminAction } from '#contract/admin.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import { toRfc3339 } from '#domain/time.ts';
import type { Transaction } from '#server/database/connect.ts';
import { loadPage } from '#server/database/pagination.ts';
import type { AdminActions } from '#server/database/tables.ts';
import type { Context } from '../context.ts';

/**
 * Records an action of a superuser, in the transaction of the action.
 * @param action without an artist for a deleted account; `detail` is the kind of a mail, or the names of
 *   the changed fields of an account
 */
export async function insertAdminAction(
  transaction: Transaction,
  action: Insertable<AdminActions>,
): Promise<void> {
  await transaction.insertInto('admin_actions').values(action).execute();
}

/** Lists the actions of all superusers, the newest first, with current usernames. */
export async function listAdminActions(
  { database }: Context,
  page: PageQuery,
): Promise<ListPage<AdminAction>> {
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
  const { rows, count } = await loadPage(actions, page);
  const data = rows.map((row) => ({
    id: row.id,
    happened_at: toRfc3339(row.happened_at.getTime()),
    superuser: row.superuser,
    kind: row.kind,
    artist: row.artist,
    detail: row.detail,
  }));
  return { data, count };
}
