import { errors, jwtVerify, SignJWT } from 'jose';
import type { PasswordChange } from '#contract/artist.ts';
import type { Login } from '#contract/login.ts';
import { refuse } from '#domain/refusal.ts';
import type { Instant } from '#domain/time.ts';
import { findCredentials, findPasswordHash, findTokenOwner } from '#server/database/artists.ts';
import { deletePasswordRecovery } from '#server/database/password_recoveries.ts';
import type { Context } from './context.ts';
import { hashPassword, savePasswordAndNotify, verifyPassword } from './password.ts';

const ALGORITHM = 'HS256';
const TOKEN_LIFETIME = '30d';
/** So that a token signed for anything else never logs in. */
const AUDIENCE = 'access';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The largest of PostgreSQL's type `integer`. */
const MAX_PG_INTEGER = 2 ** 31 - 1;

/** Whom a call speaks for. */
export interface TokenOwner {
  readonly id: string;
  readonly isSuperuser: boolean;
  /** When the password was given for the token, to the second. */
  readonly loggedInAt: Instant;
}

/**
 * An access token for an artist's email and password.
 * @throws Refusal `wrong_login`, in the same time whether or not the email is known;
 *   `artist_inactive`
 */
export async function logIn(context: Context, { username, password }: Login): Promise<string> {
  const found = await findCredentials(context.database, username);
  const matches = await verifyPassword(
    found?.password_hash ?? (await dummyPasswordHash()),
    password,
  );
  if (!found || !matches) throw refuse('wrong_login');
  if (!found.is_active) throw refuse('artist_inactive');
  return signToken(context.tokenSecret, found.id, found.token_version);
}

/**
 * Sets a new password; every token that was out ends, and the answer is a new one.
 * @throws Refusal `wrong_password`
 */
export async function changePassword(
  context: Context,
  artistId: string,
  { current_password, new_password }: PasswordChange,
): Promise<string> {
  const known = await findPasswordHash(context.database, artistId);
  if (!known || !(await verifyPassword(known.password_hash, current_password)))
    throw refuse('wrong_password');
  const hashed = await hashPassword(new_password);
  return context.database.transaction().execute(async (transaction) => {
    const { token_version } = known;
    const version = await savePasswordAndNotify(
      context,
      transaction,
      artistId,
      hashed,
      token_version,
    );
    // Someone else was faster, and this one's own token has ended with it.
    if (version === undefined) throw refuse('not_signed_in');
    await deletePasswordRecovery(transaction, artistId);
    return signToken(context.tokenSecret, artistId, version);
  });
}

/**
 * Whom a token speaks for.
 * @throws Refusal `not_signed_in` when it is not ours, has run out, or the password has changed
 */
export async function authenticate(context: Context, token: string): Promise<TokenOwner> {
  const { id, version, loggedInAt } = await verifyToken(context.tokenSecret, token);
  const found = await findTokenOwner(context.database, id, version);
  if (!found) throw refuse('not_signed_in');
  return { id: found.id, isSuperuser: found.is_superuser, loggedInAt };
}

/** An access token of the artist; it ends when their password changes (`version`). */
export function signToken(secret: Uint8Array, artistId: string, version: number): Promise<string> {
  return new SignJWT({ version })
    .setProtectedHeader({ alg: ALGORITHM })
    .setSubject(artistId)
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime(TOKEN_LIFETIME)
    .sign(secret);
}

async function verifyToken(secret: Uint8Array, token: string) {
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: [ALGORITHM],
      audience: AUDIENCE,
    });
    const { sub, version, iat } = payload;
    // The database would refuse to compare anything else with its columns.
    if (sub !== undefined && UUID.test(sub) && isTokenVersion(version) && iat !== undefined)
      return { id: sub, version, loggedInAt: iat * 1000 };
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
  }
  throw refuse('not_signed_in');
}

function isTokenVersion(version: unknown): version is number {
  return (
    typeof version === 'number' && Number.isInteger(version) && Math.abs(version) <= MAX_PG_INTEGER
  );
}

let dummyHash: Promise<string> | undefined;
// Verified for an unknown email, so that the time of the answer does not tell who has an account.
function dummyPasswordHash(): Promise<string> {
  dummyHash ??= hashPassword(crypto.randomUUID());
  return dummyHash;
}
