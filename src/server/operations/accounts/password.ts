import { hash, verify } from '@node-rs/argon2';
import { ACCOUNT_NAME_PASSWORD_TEXT, COMMON_PASSWORD_TEXT } from '#contract/account_form.ts';
import { isAccountName } from '#domain/accounts/password.ts';
import { InvalidInput, requireFound } from '#domain/refusal.ts';
import { findArtistById, revokeTokens } from '#server/database/artists.ts';
import type { Database } from '#server/database/connect.ts';
import { endPendingEmailChange } from '#server/database/email_changes.ts';
import type { Context, InChange } from '../context.ts';
import { notify, toAccountSnapshot } from '../mail/notify.ts';
import { isCommonPassword } from './common_passwords.ts';
import { endSessionsAndExports } from './sessions.ts';

/** Argon2id, 19 MiB, two passes, one lane: advised by the OWASP password storage cheat sheet. */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * A login with an unknown email verifies the password against this hash. It has the parameters of
 * `ARGON2ID`, so that the login takes as long as with a known email.
 */
export const UNKNOWN_PASSWORD_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$+Ipp686Z13FFL1mzAYnheA$G9jabGII+86lvBeAk+9FdRnQ0TCL1UUx3MP8yTEBaCY';

/** Hashes a password in one form of Unicode (NFC): keyboards differ in how they compose a letter. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize(), ARGON2ID);
}

/**
 * Compares a typed password with the stored hash. Earlier versions hashed passwords as they were typed, not
 * in NFC: after such a match the hash of the NFC form is stored, which any keyboard can type.
 * @param account null for an unknown email: the answer is false, and takes as long
 */
export async function verifyPassword(
  database: Database,
  account: { readonly id: string; readonly password_hash: string } | null,
  typed: string,
): Promise<boolean> {
  const hashed = account?.password_hash ?? UNKNOWN_PASSWORD_HASH;
  // Both, also if the first matches: the time depends on the typed text alone.
  const forms = [...new Set([typed.normalize(), typed])];
  const matches = await Promise.all(forms.map((form) => verify(hashed, form)));
  if (account === null || !matches.includes(true)) return false;
  if (!matches[0])
    await database
      .updateTable('artists')
      .set({ password_hash: await hashPassword(typed) })
      .where('id', '=', account.id)
      // Unless the password has changed meanwhile.
      .where('password_hash', '=', account.password_hash)
      .execute();
  return true;
}

/**
 * Refuses a password that is among the first that someone tries.
 * @param field of the call's body, for the error
 * @throws InvalidInput for a common password, or one that is the account's email or username
 */
export async function requireUncommonPassword(
  field: string,
  password: string,
  account: { readonly email: string; readonly username: string },
): Promise<void> {
  if (isAccountName(password, account))
    throw new InvalidInput(['body', field], ACCOUNT_NAME_PASSWORD_TEXT, 'password_too_common');
  if (await isCommonPassword(password))
    throw new InvalidInput(['body', field], COMMON_PASSWORD_TEXT, 'password_too_common');
}

/**
 * Saves a new password, and notifies the artist by mail. Revokes their access tokens, deletes
 * their exports, and ends the change of the email that waits for its link.
 * @param keptSessionId the session that gets a new token, if there is one; all others end
 * @returns the version for new tokens
 */
export async function savePasswordAndNotify(
  context: InChange<Pick<Context, 'jobs'>>,
  artistId: string,
  passwordHash: string,
  keptSessionId?: string,
): Promise<number> {
  const { database } = context;
  const version = await revokeTokens(database, artistId, passwordHash);
  const artist = requireFound(await findArtistById(database, artistId));
  await endSessionsAndExports(database, artistId, keptSessionId);
  // Somebody who knew the old password may have asked for another email.
  await endPendingEmailChange(database, artistId);
  // `occasion` makes each notice unique: equal notices would be skipped as duplicates.
  const notice = { artist: toAccountSnapshot(artist), occasion: `${version}` };
  await notify(context, { notices: [{ kind: 'password_changed', ...notice }] });
  return version;
}
