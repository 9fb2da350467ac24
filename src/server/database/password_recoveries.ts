import { sql } from 'kysely';
import type { Database } from './connect.ts';

/** Whom a recovery mail would go to: an active artist by email, in any case of letters. */
export function findRecoverableArtist(database: Database, email: string) {
  return database
    .selectFrom('artists')
    .select(['id', 'email', 'full_name'])
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('is_active', '=', true)
    .executeTakeFirst();
}

/** The artist's one way back in, for an hour; the one before it ends. */
export async function upsertPasswordRecovery(
  database: Database,
  artistId: string,
  tokenHash: Buffer,
): Promise<void> {
  const fresh = { token_hash: tokenHash, expires_at: sql<Date>`now() + interval '1 hour'` };
  await database
    .insertInto('password_recoveries')
    .values({ artist_id: artistId, ...fresh })
    .onConflict((conflict) => conflict.column('artist_id').doUpdateSet(fresh))
    .execute();
}

/**
 * Whose way back in this was; it is gone then, so that of two who use it at once one finds it.
 * Undefined when it is unknown, used or run out, or of an artist who is no longer active.
 */
export async function consumePasswordRecovery(
  database: Database,
  tokenHash: Buffer,
): Promise<string | undefined> {
  const taken = await database
    // The artist is locked before the way in is, as wherever else both change.
    .with('owner', (cte) =>
      cte
        .selectFrom('artists')
        .innerJoin('password_recoveries', 'password_recoveries.artist_id', 'artists.id')
        .select('artists.id')
        .where('artists.is_active', '=', true)
        .where('token_hash', '=', tokenHash)
        .forUpdate('artists'),
    )
    .deleteFrom('password_recoveries')
    .using('owner')
    .whereRef('owner.id', '=', 'password_recoveries.artist_id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('password_recoveries.artist_id')
    .executeTakeFirst();
  return taken?.artist_id;
}

/** The artist has no way back in any more. */
export async function deletePasswordRecovery(database: Database, artistId: string): Promise<void> {
  await database.deleteFrom('password_recoveries').where('artist_id', '=', artistId).execute();
}
