import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Instant } from '#domain/time/time.ts';
import type { Database, Transaction } from './connect.ts';

/** 192 bits cannot be guessed, and the link still fits on one line of a mail. */
const TOKEN_BYTES = 24;

/**
 * Creates a one-time token to reset a password, valid for an hour. Earlier tokens stay valid.
 * @param email to which the token is mailed: its use proves this email; null if it is not mailed
 */
export async function issueRecoveryToken(
  database: Database,
  artistId: string,
  email: string | null,
): Promise<{ readonly token: string; readonly expiresAt: Instant }> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const { expires_at } = await database
    .insertInto('password_recoveries')
    .values({
      artist_id: artistId,
      token_hash: hashToken(token),
      email,
      expires_at: sql<Date>`now() + interval '1 hour'`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return { token, expiresAt: expires_at.getTime() };
}

/**
 * Uses a token: deletes all recovery tokens of its artist. So each works once, and of concurrent calls only
 * one succeeds. The caller must roll back when it gets undefined.
 * @returns the artist's id and the token's email; undefined for an unknown, used or expired token, or an
 *   inactive artist
 */
export async function consumePasswordRecovery(
  transaction: Transaction,
  token: string,
): Promise<{ readonly artistId: string; readonly email: string | null } | undefined> {
  const tokenHash = hashToken(token);
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
 * Deletes the links that all superusers have made for others. Call it when somebody ceases to be a superuser: it
 * is not stored who has made a link, and the others can make theirs again.
 */
export async function deleteRecoveryLinksOfSuperusers(database: Database): Promise<void> {
  await database.deleteFrom('password_recoveries').where('email', 'is', null).execute();
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
