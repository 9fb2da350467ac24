import type { Insertable } from 'kysely';
import type { Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';
import { hasRow } from './has_row.ts';
import type { Passkeys } from './tables.ts';

const LISTED_COLUMNS = ['id', 'browser', 'created_at', 'last_used_at'] as const;

/** Inserts a passkey of an artist; undefined when an account has one with this credential already. */
export function insertPasskey(database: Database, passkey: Insertable<Passkeys>) {
  return database
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(LISTED_COLUMNS)
    .executeTakeFirst();
}

/** Lists the artist's passkeys, the oldest first. */
export function selectPasskeys(database: Database, artistId: string) {
  return database
    .selectFrom('passkeys')
    .select([...LISTED_COLUMNS, 'credential_id'])
    .where('artist_id', '=', artistId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Finds a passkey by the id that its authenticator gave it, with its artist. */
export function findPasskey(database: Database, credentialId: string) {
  return database
    .selectFrom('passkeys')
    .innerJoin('artists', 'artists.id', 'passkeys.artist_id')
    .select([
      'passkeys.id as passkey_id',
      'passkeys.public_key',
      'passkeys.counter',
      'artists.id',
      'artists.email',
      'artists.full_name',
      'artists.created_at',
      'artists.token_version',
      'artists.is_active',
    ])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
}

/** @returns false when the artist has no such passkey */
export function deletePasskey(database: Database, artistId: string, id: string): Promise<boolean> {
  const passkey = database.deleteFrom('passkeys').where('artist_id', '=', artistId);
  return hasRow(passkey.where('id', '=', id).returning('id'));
}

/** Deletes all passkeys of the artist. */
export async function deletePasskeys(database: Database, artistId: string): Promise<void> {
  await database.deleteFrom('passkeys').where('artist_id', '=', artistId).execute();
}

/** @param artistId who adds a passkey; null for a login */
export async function insertPasskeyChallenge(
  database: Database,
  challenge: string,
  artistId: string | null,
  expiresAt: Instant,
): Promise<void> {
  await database
    .insertInto('passkey_challenges')
    .values({ challenge, artist_id: artistId, expires_at: new Date(expiresAt) })
    .execute();
}

/**
 * Deletes a challenge, so that it is answered once.
 * @returns false for one that is unknown, used, expired, or of someone else
 */
export function consumePasskeyChallenge(
  database: Database,
  challenge: string,
  artistId: string | null,
  now: Instant,
): Promise<boolean> {
  const challenges = database
    .deleteFrom('passkey_challenges')
    .where('challenge', '=', challenge)
    .where('artist_id', 'is not distinct from', artistId)
    .where('expires_at', '>', new Date(now));
  return hasRow(challenges.returning('challenge'));
}
