import type { AdminAction } from '#contract/admin.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import { toRfc3339 } from '#domain/time/time.ts';
import { loadPage } from '#server/database/pagination.ts';
import type { Context } from '../context.ts';

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
