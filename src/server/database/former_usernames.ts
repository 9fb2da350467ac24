import { sql } from 'kysely';
import type { Database, Transaction } from './connect.ts';
import { hasRow } from './has_row.ts';

/**
 * Stores that the artist leaves a username, and takes another one, which may be a former one of theirs.
 * Usernames are in lower case.
 */
export async function replaceUsername(
  transaction: Transaction,
  artistId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await transaction
    .deleteFrom('former_usernames')
    .where('username', '=', to)
    .where('artist_id', '=', artistId)
    .execute();
  await transaction
    .insertInto('former_usernames')
    .values({ username: from, artist_id: artistId })
    .execute();
}

/**
 * Whether a username was another artist's before. Call this after the username is stored: the unique
 * index has then waited for a change of that artist's username that was under way.
 */
export function isFormerUsernameOfOther(
  transaction: Transaction,
  username: string,
  artistId: string,
): Promise<boolean> {
  return hasRow(
    transaction
      .selectFrom('former_usernames')
      .select('username')
      .where('username', '=', username)
      .where('artist_id', '!=', artistId),
  );
}

/** Whether an account has this username, active or not, or had it before. */
export function isUsernameTaken(database: Database, username: string): Promise<boolean> {
  return hasRow(
    database
      .selectFrom('artists')
      .select('username')
      .where('username', '=', username)
      .unionAll((eb) =>
        eb.selectFrom('former_usernames').select('username').where('username', '=', username),
      ),
  );
}

/** The usernames that the artist had before, without the present one. */
export async function listFormerUsernames(database: Database, artistId: string): Promise<string[]> {
  const rows = await database
    .selectFrom('former_usernames')
    .select('username')
    .where('artist_id', '=', artistId)
    .execute();
  return rows.map(({ username }) => username);
}

/**
 * Lets a query by username also find an artist by a former one. This costs a second statement only if
 * the first finds nobody.
 */
export function orByFormerUsername<Row>(
  find: (database: Database, username: string) => Promise<Row | undefined>,
): (database: Database, username: string) => Promise<Row | undefined> {
  return async (database, username) => {
    const row = await find(database, username);
    if (row !== undefined) return row;
    const current = await database
      .selectFrom('former_usernames')
      .innerJoin('artists', 'artists.id', 'former_usernames.artist_id')
      .select('artists.username')
      .where('former_usernames.username', '=', sql<string>`lower(${username})`)
      .executeTakeFirst();
    return current && find(database, current.username);
  };
}
