/** Actions of superusers for artists on the operator's page. */
import { type InferResult, sql } from 'kysely';
import type { AdminArtist, RecoveryLink } from '#contract/admin.ts';
import type { AccountQuery } from '#contract/artist.ts';
import type { ListPage } from '#contract/common.ts';
import { requireFound } from '#domain/refusal.ts';
import { toRfc3339 } from '#domain/time/time.ts';
import type { Database } from '#server/database/connect.ts';
import { loadPage } from '#server/database/pagination.ts';
import { matchesArtist } from '#server/database/search.ts';
import { issueTokenToHandOver } from '../accounts/password_recovery.ts';
import type { TokenOwner } from '../accounts/sessions.ts';
import type { Context } from '../context.ts';
import { updateAccount } from '../studio/accounts.ts';

/**
 * Lists the accounts of artists and superusers, the newest first.
 * @param query `search`: a part of a username, an email or a full name, or an id; all without it
 */
export async function listAdminArtists(
  { database }: Pick<Context, 'database'>,
  { search, skip, limit }: AccountQuery,
): Promise<ListPage<AdminArtist>> {
  const artists = selectAdminArtists(database)
    .where(({ or }) =>
      or([matchesArtist(search ?? ''), sql<boolean>`artists.id::text = ${search?.toLowerCase()}`]),
    )
    .orderBy('artists.created_at', 'desc')
    .orderBy('artists.id');
  const { rows, count } = await loadPage(artists, { skip, limit });
  return { data: rows.map(toAdminArtist), count };
}

/** Activates or deactivates an account. Deactivating hides the artist's page, and ends their logins. */
export async function setArtistActive(
  context: Context,
  superuser: TokenOwner,
  id: string,
  isActive: boolean,
): Promise<AdminArtist> {
  await updateAccount(context, superuser, id, { is_active: isActive });
  const account = selectAdminArtists(context.database).where('artists.id', '=', id);
  return toAdminArtist(requireFound(await account.executeTakeFirst()));
}

/**
 * Creates a link with which an artist chooses a new password, for a superuser to hand over: it works once,
 * within an hour. It opens the account, so a mail informs the artist.
 */
export async function createRecoveryLink(
  context: Context,
  superuser: TokenOwner,
  id: string,
): Promise<RecoveryLink> {
  const { token, expiresAt } = await issueTokenToHandOver(context, superuser, id);
  return {
    url: `${context.site.siteUrl}/reset-password?token=${encodeURIComponent(token)}`,
    expires_at: toRfc3339(expiresAt),
  };
}

/** Selects accounts with the columns that an operator needs to help their owners. */
function selectAdminArtists(database: Database) {
  return database
    .selectFrom('artists')
    .select([
      'artists.id',
      'artists.username',
      'artists.full_name',
      'artists.email',
      'artists.email_proven_at',
      'artists.is_active',
      'artists.is_superuser',
      'artists.created_at',
    ])
    .select(({ selectFrom }) => [
      selectFrom('security_events')
        .select('happened_at')
        .whereRef('security_events.artist_id', '=', 'artists.id')
        .where('kind', 'in', ['login', 'new_browser_login'])
        .orderBy('id', 'desc')
        .limit(sql.lit(1))
        .as('last_login_at'),
      selectFrom('admin_actions')
        .select('happened_at')
        .whereRef('admin_actions.artist_id', '=', 'artists.id')
        .where('artists.is_active', '=', false)
        .where('kind', '=', 'account_deactivated')
        .orderBy('id', 'desc')
        .limit(sql.lit(1))
        .as('inactive_since'),
    ]);
}

type AdminArtistRow = InferResult<ReturnType<typeof selectAdminArtists>>[number];

function toAdminArtist(row: AdminArtistRow): AdminArtist {
  return {
    id: row.id,
    username: row.username,
    full_name: row.full_name,
    email: row.email,
    email_proven: row.email_proven_at !== null,
    is_active: row.is_active,
    is_superuser: row.is_superuser,
    inactive_since: row.inactive_since && toRfc3339(row.inactive_since.getTime()),
    last_login_at: row.last_login_at && toRfc3339(row.last_login_at.getTime()),
    created_at: toRfc3339(row.created_at.getTime()),
  };
}
