import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Instant } from '#domain/time/time.ts';
import type { Context } from '../context.ts';
import { TOKEN_ALGORITHM, verifyToken } from './access_token.ts';

/** The claim `aud` (audience): an access token is not a device token, nor the other way round. */
const AUDIENCE = 'device';
const LIFETIME = '180d';

/** A browser that an account knows. */
export interface KnownDevice {
  readonly artistId: string;
  /** Stays the same when the browser logs in again and gets a new token. */
  readonly deviceId: string;
  /** False if it has only used a recovery link: its first login still counts as one from a new browser. */
  readonly hasLoggedIn: boolean;
  /** When it last logged in or used a recovery link, rounded up to the second. */
  readonly seenAt: Instant;
}

/**
 * Creates the token by which a browser is known at its next login. It gives no access to the
 * account, so it survives a logout and a new password.
 */
export function issueDeviceToken(
  { tokenKeys }: Pick<Context, 'tokenKeys'>,
  artistId: string,
  device: Pick<KnownDevice, 'hasLoggedIn'> & { readonly deviceId?: string | undefined },
): Promise<string> {
  const { deviceId = randomUUID(), hasLoggedIn } = device;
  return new SignJWT({ has_logged_in: hasLoggedIn })
    .setProtectedHeader({ alg: TOKEN_ALGORITHM })
    .setSubject(artistId)
    .setJti(deviceId)
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime(LIFETIME)
    .sign(tokenKeys.signing);
}

/** Reads a device token; undefined when there is none, or it is invalid or expired. */
export async function readDeviceToken(
  { tokenKeys }: Pick<Context, 'tokenKeys'>,
  token: string | undefined,
): Promise<KnownDevice | undefined> {
  if (token === undefined) return undefined;
  const claims = (await verifyToken(tokenKeys, token, AUDIENCE)) ?? {};
  const { sub: artistId, jti: deviceId, has_logged_in, iat } = claims;
  if (artistId === undefined || deviceId === undefined || iat === undefined) return undefined;
  // Rounded up, so that an event just before it, in the same second, does not count as later.
  return { artistId, deviceId, hasLoggedIn: has_logged_in === true, seenAt: (iat + 1) * 1000 };
}
