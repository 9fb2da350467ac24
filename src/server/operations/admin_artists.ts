/** What superusers do for artists on the operator's page. */
import type { AdminArtist, AdminArtistQuery, RecoveryLink } from '#contract/admin.ts';
import type { ListPage } from '#contract/common.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import { type Instant, toRfc3339 } from '#domain/time.ts';
import * as accounts from '#server/database/admin_artists.ts';
import { findArtistById } from '#server/database/artists.ts';
import { updateAccount } from './accounts.ts';
import type { Context } from './context.ts';
import { issueTokenToHandOver } from './password_recovery.ts';
import type { TokenOwner } from './sessions.ts';

/** Lists the accounts of artists and superusers, the newest first. */
export async function listAdminArtists(
  { database }: Context,
  { search, skip, limit }: AdminArtistQuery,
): Promise<ListPage<AdminArtist>> {
  const { rows, count } = await accounts.listAdminArtists(database, search, { skip, limit });
  return { data: rows.map(toAdminArtist), count };
}

/**
 * Activates or deactivates an account. Deactivating hides the artist's page, and ends their logins.
 * @throws Refusal `not_found`; `not_allowed` for the superuser's own account
 */
export async function setArtistActive(
  context: Context,
  superuser: TokenOwner,
  id: string,
  isActive: boolean,
  now: Instant,
): Promise<AdminArtist> {
  await updateAccount(context, superuser, id, { is_active: isActive }, now);
  return toAdminArtist(requireFound(await accounts.findAdminArtist(context.database, id)));
}

/**
 * Creates a link with which an artist chooses a new password, for a superuser to hand over: it works once,
 * within an hour. It opens the account, so a mail tells the artist of it.
 * @throws Refusal `not_found`; `account_not_active` because the link would not work
 */
export async function createRecoveryLink(
  context: Context,
  superuser: TokenOwner,
  id: string,
): Promise<RecoveryLink> {
  return context.database.transaction().execute(async (transaction) => {
    const artist = requireFound(await findArtistById(transaction, id));
    if (!artist.is_active) throw refuse('account_not_active');
    const { token, expiresAt } = await issueTokenToHandOver(
      context,
      transaction,
      superuser.id,
      artist,
    );
    return {
      url: `${context.site.siteUrl}/reset-password?token=${encodeURIComponent(token)}`,
      expires_at: toRfc3339(expiresAt),
    };
  });
}

function toAdminArtist(row: accounts.AdminArtistRow): AdminArtist {
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
