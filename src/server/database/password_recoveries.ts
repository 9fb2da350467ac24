import { sql } from 'kysely';
import type { Database, Transaction } from './connect.ts';

/**
 * Deletes the recovery tokens of the artist of one token. So each works once, and of concurrent calls
 * only one succeeds. The caller must roll back when it gets undefined.
 * @returns the artist's id and the token's email; undefined for an unknown, used or expired token, or an
 *   inactive artist
 */
export async function consumePasswordRecovery(
  transaction: Transaction,
  tokenHash: Buffer,
): Promise<{ readonly artistId: string; readonly email: string | null } | undefined> {
  // All transactions lock the artist's row before the tokens' rows, because different orders could
  // deadlock. A concurrent call waits here, and then does not find the token that it deletes below.
  const owner = await transaction
    .selectFrom('artists')
    .innerJoin('password_recoveries', 'artist_id', 'artists.id')
    .select('artists.id')
    .where('is_active', '=', true)
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .forUpdate('artists')
    .executeTakeFirst();
  if (!owner) return undefined;
  const deleted = await transaction
    .deleteFrom('password_recoveries')
    .where('artist_id', '=', owner.id)
    .returning(['token_hash', 'email'])
    .execute();
  const used = deleted.find(({ token_hash }) => token_hash.equals(tokenHash));
  return used && { artistId: owner.id, email: used.email };
}

export async function deletePasswordRecoveries(
  database: Database,
  artistId: string,
): Promise<void> {
  await database.deleteFrom('password_recoveries').where('artist_id', '=', artistId).execute();
}

/**
 * Deletes the links that superusers have made for others. Their makers are not stored: when one of them is
 * no superuser any more, the others can make theirs again.
 */
export async function deleteRecoveryLinksOfSuperusers(database: Database): Promise<void> {
  await database.deleteFrom('password_recoveries').where('email', 'is', null).execute();
}
