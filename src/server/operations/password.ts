import { hash, verify } from '@node-rs/argon2';
import { findArtistById, updatePassword } from '#server/database/artists.ts';
import type { Database } from '#server/database/connect.ts';
import type { Context } from './context.ts';
import { notify, toAccountSnapshot } from './notify.ts';

/** Argon2id, 19 MiB, two passes, one lane: advised by the OWASP password storage cheat sheet. */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * A login with an unknown email verifies the password against this hash. It has the parameters of
 * `ARGON2ID`, so that the login takes as long as with a known email.
 */
export const UNKNOWN_PASSWORD_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$+Ipp686Z13FFL1mzAYnheA$G9jabGII+86lvBeAk+9FdRnQ0TCL1UUx3MP8yTEBaCY';

export function hashPassword(password: string): Promise<string> {
  return hash(password, ARGON2ID);
}

export function verifyPassword(hashed: string, password: string): Promise<boolean> {
  return verify(hashed, password);
}

/**
 * Saves a new password, which revokes the artist's access tokens, and notifies them by mail.
 * @param expectedVersion if given, nothing changes when the artist's token version differs
 * @returns the version for new tokens; undefined when nothing changed
 */
export async function savePasswordAndNotify(
  context: Pick<Context, 'jobs'>,
  transaction: Database,
  artistId: string,
  passwordHash: string,
  expectedVersion?: number,
): Promise<number | undefined> {
  const version = await updatePassword(transaction, artistId, passwordHash, expectedVersion);
  const artist = version !== undefined && (await findArtistById(transaction, artistId));
  if (!artist) return undefined;
  // `occasion` makes each notice unique: equal notices would be skipped as duplicates.
  const notice = { artist: toAccountSnapshot(artist), occasion: `${version}` };
  await notify(context, transaction, artistId, [{ kind: 'password_changed', ...notice }]);
  return version;
}
