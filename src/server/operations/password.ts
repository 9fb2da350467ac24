import { hash, verify } from '@node-rs/argon2';
import { findArtistById, updatePassword } from '#server/database/artists.ts';
import type { Database } from '#server/database/connect.ts';
import type { Context } from './context.ts';
import { notify, toAccountFacts } from './notify.ts';

/** argon2id as OWASP's password storage cheat sheet recommends it: 19 MiB, two passes, one lane. */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export function hashPassword(password: string): Promise<string> {
  return hash(password, ARGON2ID);
}

export function verifyPassword(hashed: string, password: string): Promise<boolean> {
  return verify(hashed, password);
}

/**
 * Sets a password and has the artist told, so that tokens of before end.
 * @param ifVersion undefined is answered, and nothing changed, when it is another one by now
 * @returns the version that new tokens are signed for
 */
export async function savePasswordAndNotify(
  context: Pick<Context, 'jobs'>,
  transaction: Database,
  artistId: string,
  hashed: string,
  ifVersion?: number,
): Promise<number | undefined> {
  const version = await updatePassword(transaction, artistId, hashed, ifVersion);
  const artist = version !== undefined && (await findArtistById(transaction, artistId));
  if (!artist) return undefined;
  const told = { artist: toAccountFacts(artist), occasion: `${version}` };
  await notify(context, transaction, artistId, [{ kind: 'password_changed', ...told }]);
  return version;
}
