import { errors, jwtVerify, SignJWT } from 'jose';
import type { PasswordChange } from '#contract/artist.ts';
import type { Login } from '#contract/login.ts';
import { refuse } from '#domain/refusal.ts';
import type { Instant } from '#domain/time.ts';
import { findCredentials, findPasswordHash, findTokenOwner } from '#server/database/artists.ts';
import { deletePasswordRecoveries } from '#server/database/password_recoveries.ts';
import type { Context } from './context.ts';
import { issueDeviceToken, readDeviceToken } from './device_token.ts';
import {
  hashPassword,
  savePasswordAndNotify,
  UNKNOWN_PASSWORD_HASH,
  verifyPassword,
} from './password.ts';
import { limitWrongLogins, limitWrongPasswords } from './password_limits.ts';

const ALGORITHM = 'HS256';
const TOKEN_LIFETIME = '30d';
/** The claim `aud` (audience): a token with another audience is not accepted for access. */
const AUDIENCE = 'access';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The largest value of PostgreSQL's type `integer`. */
const MAX_PG_INTEGER = 2 ** 31 - 1;

/** The owner of an access token. */
export interface TokenOwner {
  readonly id: string;
  readonly isSuperuser: boolean;
  readonly isEmailProven: boolean;
  /** When the token was issued, rounded down to the second. */
  readonly loggedInAt: Instant;
}

/**
 * Exchanges an email and a password for an access token, and for a device token, which lets this
 * browser log in again while others are refused.
 * @param login its `username` is the email
 * @param from the caller's network, and the device token of an earlier login, if there is one
 * @throws Refusal `wrong_login`, `artist_inactive`
 * @throws RateLimited after too many wrong passwords
 */
export async function logIn(
  context: Context,
  login: Login,
  from: { readonly network: string; readonly deviceToken: string | undefined },
): Promise<{ accessToken: string; deviceToken: string }> {
  const { tokenSecret } = context;
  const device = await readDeviceToken(context, from.deviceToken);
  const found = await findCredentials(context.database, login.username);
  const deviceId = found && device?.artistId === found.id ? device.deviceId : undefined;
  const attempt = { email: login.username, network: from.network, deviceId };
  const artist = await limitWrongLogins(context, attempt, async () => {
    // Unknown emails get a fake hash: the response time must not reveal who has an account.
    const hash = found?.password_hash ?? UNKNOWN_PASSWORD_HASH;
    const isCorrect = await verifyPassword(hash, login.password);
    if (!found || !isCorrect) throw refuse('wrong_login');
    return found;
  });
  if (!artist.is_active) throw refuse('artist_inactive');
  return {
    accessToken: await signToken(tokenSecret, artist.id, artist.token_version),
    deviceToken: await issueDeviceToken(context, artist.id, deviceId),
  };
}

/**
 * Changes the password, which revokes all access tokens; returns a new token.
 * @throws Refusal `wrong_password`, `not_signed_in` when a concurrent request revoked all tokens
 * @throws RateLimited after too many wrong passwords
 */
export async function changePassword(
  context: Context,
  artistId: string,
  { current_password, new_password }: PasswordChange,
): Promise<string> {
  const before = await limitWrongPasswords(context, artistId, async () => {
    const found = await findPasswordHash(context.database, artistId);
    if (!found || !(await verifyPassword(found.password_hash, current_password)))
      throw refuse('wrong_password');
    return found;
  });
  const newHash = await hashPassword(new_password);
  return context.database.transaction().execute(async (transaction) => {
    const newVersion = await savePasswordAndNotify(
      context,
      transaction,
      artistId,
      newHash,
      before.token_version,
    );
    if (newVersion === undefined) throw refuse('not_signed_in');
    // A recovery link that was mailed earlier must not change the new password.
    await deletePasswordRecoveries(transaction, artistId);
    return signToken(context.tokenSecret, artistId, newVersion);
  });
}

/**
 * Finds the owner of an access token.
 * @throws Refusal `not_signed_in` when the token is invalid, expired or revoked
 */
export async function authenticate(context: Context, token: string): Promise<TokenOwner> {
  const { id, version, loggedInAt } = await verifyToken(context.tokenSecret, token);
  const found = await findTokenOwner(context.database, id, version);
  if (!found) throw refuse('not_signed_in');
  return {
    id: found.id,
    isSuperuser: found.is_superuser,
    isEmailProven: found.email_proven_at !== null,
    loggedInAt,
  };
}

/** @param version the artist's token version; a token with an older version is revoked */
export function signToken(secret: Uint8Array, artistId: string, version: number): Promise<string> {
  return new SignJWT({ version })
    .setProtectedHeader({ alg: ALGORITHM })
    .setSubject(artistId)
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime(TOKEN_LIFETIME)
    .sign(secret);
}

/** Verifies the signature, the expiry and the claims; not whether the token is revoked. */
async function verifyToken(secret: Uint8Array, token: string) {
  const { payload } = await jwtVerify(token, secret, {
    algorithms: [ALGORITHM],
    audience: AUDIENCE,
  }).catch((error: unknown) => {
    throw error instanceof errors.JOSEError ? refuse('not_signed_in') : error;
  });
  const { sub, version, iat } = payload;
  // `sub` and `version` are compared with `uuid` and `integer` columns: other values would throw.
  if (sub === undefined || !UUID.test(sub) || !isPgInteger(version) || iat === undefined)
    throw refuse('not_signed_in');
  return { id: sub, version, loggedInAt: iat * 1000 };
}

function isPgInteger(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= MAX_PG_INTEGER;
}
