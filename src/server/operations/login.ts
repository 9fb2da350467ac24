import { errors, jwtVerify, SignJWT } from 'jose';
import type { Login } from '#contract/login.ts';
import { refuse } from '#domain/refusal.ts';
import { findBearer, findCredentials } from '#server/database/artists.ts';
import type { Parts } from './parts.ts';
import { hashPassword, verifyPassword } from './password.ts';

const ALGORITHM = 'HS256';
const TOKEN_LIFE = '30d';
/** So that a token signed for anything else never logs in. */
const AUDIENCE = 'access';

/** Whom a call speaks for. */
export interface Bearer {
  readonly id: string;
}

/**
 * An access token for an artist's email and password.
 * @throws Refusal `wrong_login`, in the same time whether or not the email is known;
 *   `artist_inactive`
 */
export async function logIn(parts: Parts, { username, password }: Login): Promise<string> {
  const found = await findCredentials(parts.database, username);
  const matches = await verifyPassword(found?.password_hash ?? (await unknownHash()), password);
  if (!found || !matches) throw refuse('wrong_login');
  if (!found.is_active) throw refuse('artist_inactive');
  return signToken(parts.secret, found.id, found.token_version);
}

/**
 * Whom a token speaks for.
 * @throws Refusal `not_signed_in` when it is not ours, has run out, or the password has changed
 */
export async function authenticate(parts: Parts, token: string): Promise<Bearer> {
  const { id, version } = await readToken(parts.secret, token);
  const found = await findBearer(parts.database, id, version);
  if (!found) throw refuse('not_signed_in');
  return found;
}

function signToken(secret: Uint8Array, artistId: string, version: number): Promise<string> {
  return new SignJWT({ version })
    .setProtectedHeader({ alg: ALGORITHM })
    .setSubject(artistId)
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime(TOKEN_LIFE)
    .sign(secret);
}

async function readToken(secret: Uint8Array, token: string) {
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: [ALGORITHM],
      audience: AUDIENCE,
    });
    const { sub, version } = payload;
    if (sub !== undefined && typeof version === 'number') return { id: sub, version };
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
  }
  throw refuse('not_signed_in');
}

let hashOfNoPassword: Promise<string> | undefined;
// Verified for an unknown email, so that the time of the answer does not tell who has an account.
function unknownHash(): Promise<string> {
  hashOfNoPassword ??= hashPassword(crypto.randomUUID());
  return hashOfNoPassword;
}
