import { sql } from 'kysely';
import type { Database } from './connect.ts';

/** Finds the active account (an artist's or superuser's) with this email, in any letter case. */
export function findRecoverableArtist(database: Database, email: string) {
  return database
    .selectFrom('artists')
    .select(['id', 'email', 'full_name'])
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('is_active', '=', true)
    .executeTakeFirst();
}

/** Stores the hash of a recovery token, valid for an hour. Replaces the artist's earlier token. */
export async function upsertPasswordRecovery(
  database: Database,
  artistId: string,
  tokenHash: Buffer,
): Promise<void> {
  const values = { token_hash: tokenHash, expires_at: sql<Date>`now() + interval '1 hour'` };
  await database
    .insertInto('password_recoveries')
    .values({ artist_id: artistId, ...values })
    .onConflict((conflict) => conflict.column('artist_id').doUpdateSet(values))
    .execute();
}

/**
 * Deletes a recovery token, so that only one of two concurrent calls can use it.
 * @returns the artist's id; undefined for an unknown, used or expired token, or an inactive artist
 */
export async function consumePasswordRecovery(database: Database, tokenHash: Buffer) {
  // All transactions lock the artist's row before the token's row, because different orders could
  // deadlock.
  const { rows } = await sql<{ artist_id: string }>`
    WITH owner AS (
      SELECT artists.id FROM artists JOIN password_recoveries ON artist_id = artists.id
      WHERE is_active AND token_hash = ${tokenHash}
      FOR UPDATE OF artists
    )
    DELETE FROM password_recoveries USING owner
    WHERE artist_id = owner.id AND token_hash = ${tokenHash} AND expires_at > now()
    RETURNING artist_id
  `.execute(database);
  return rows[0]?.artist_id;
}

export async function deletePasswordRecovery(database: Database, artistId: string): Promise<void> {
  await database.deleteFrom('password_recoveries').where('artist_id', '=', artistId).execute();
}
