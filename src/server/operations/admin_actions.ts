import type { AdminAction } from '#contract/admin.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import { toRfc3339 } from '#domain/time.ts';
import * as actions from '#server/database/admin_actions.ts';
import type { Context } from './context.ts';

/** Lists what superusers did to accounts and mails of others, the newest first. */
export async function listAdminActions(
  { database }: Context,
  page: PageQuery,
): Promise<ListPage<AdminAction>> {
  const { rows, count } = await actions.listAdminActions(database, page);
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
