/** Access tokens: a login gets one, and later calls send it. */
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod/mini';
import { refuse } from '#domain/refusal.ts';
import type { TokenKeys } from '../token_keys.ts';

/** The algorithm of the signatures of access tokens and device tokens. */
export const TOKEN_ALGORITHM = 'HS256';
/** The claim `aud` (audience): a token with another audience is not accepted for access. */
const AUDIENCE = 'access';
/** Other values would make PostgreSQL throw: these are compared with columns of the types `uuid` and `integer`. */
const Claims = z.object({ sub: z.guid(), version: z.int32(), jti: z.guid() });

export interface AccessClaims {
  readonly artistId: string;
  /** The artist's token version at the login; a token with an older version is revoked. */
  readonly version: number;
  readonly sessionId: string;
}

/** Signs a token without an expiry: its session ends when it is not used. */
export function signAccessToken(
  keys: TokenKeys,
  { artistId, version, sessionId }: AccessClaims,
): Promise<string> {
  return new SignJWT({ version })
    .setProtectedHeader({ alg: TOKEN_ALGORITHM })
    .setSubject(artistId)
    .setJti(sessionId)
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .sign(keys.signing);
}

/**
 * Verifies the signature, an expiry and the claims; not whether the token is revoked.
 * @throws Refusal `not_signed_in`
 */
export async function readAccessToken(keys: TokenKeys, token: string): Promise<AccessClaims> {
  const { data: claims } = z.safeParse(Claims, await verifyToken(keys, token, AUDIENCE));
  if (!claims) throw refuse('not_signed_in');
  return { artistId: claims.sub, version: claims.version, sessionId: claims.jti };
}

/**
 * Verifies a token's signature with one of the keys, its audience and its expiry, if it has one.
 * @returns its claims; undefined if it is not valid
 */
export async function verifyToken(
  { verifying }: TokenKeys,
  token: string,
  audience: string,
): Promise<JWTPayload | undefined> {
  for (const key of verifying) {
    try {
      const { payload } = await jwtVerify(token, key, { algorithms: [TOKEN_ALGORITHM], audience });
      return payload;
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed) continue;
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
  return undefined;
}
