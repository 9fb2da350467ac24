import { sql } from 'kysely';
import type { Database } from './connect.ts';
import { loadPage, type Pagination } from './pagination.ts';
import { matchesArtist } from './search.ts';

/** Selects accounts with what an operator needs to help their owners. */
function selectAdminArtists(database: Database) {
  return database
    .selectFrom('artists')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('security_events')
          .select('happened_at')
          .whereRef('security_events.artist_id', '=', 'artists.id')
          .where('kind', 'in', ['login', 'new_browser_login'])
          .orderBy('id', 'desc')
          .limit(1)
          .as('login'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('admin_actions')
          .select('happened_at')
          .whereRef('admin_actions.artist_id', '=', 'artists.id')
          .where('kind', '=', 'account_deactivated')
          .orderBy('id', 'desc')
          .limit(1)
          .as('deactivation'),
      (join) => join.on('artists.is_active', '=', false),
    )
    .select([
      'artists.id',
      'artists.username',
      'artists.full_name',
      'artists.email',
      'artists.email_proven_at',
      'artists.is_active',
      'artists.is_superuser',
      'artists.created_at',
      'login.happened_at as last_login_at',
      'deactivation.happened_at as inactive_since',
    ]);
}

export type AdminArtistRow = NonNullable<Awaited<ReturnType<typeof findAdminArtist>>>;

/**
 * Lists the accounts of artists and superusers, last created first.
 * @param search part of a username, an email or a full name, or an id; empty or undefined finds all
 */
export function listAdminArtists(database: Database, search: string | undefined, page: Pagination) {
  const artists = selectAdminArtists(database)
    .where((eb) =>
      eb.or([
        matchesArtist(search ?? ''),
        sql<boolean>`artists.id::text = ${search?.toLowerCase()}`,
      ]),
    )
    .orderBy('artists.created_at', 'desc')
    .orderBy('artists.id');
  return loadPage(artists, page);
}

export function findAdminArtist(database: Database, id: string) {
  return selectAdminArtists(database).where('artists.id', '=', id).executeTakeFirst();
}
