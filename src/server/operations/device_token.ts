import { randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { Context } from './context.ts';

const ALGORITHM = 'HS256';
/** The claim `aud` (audience): an access token is no device token, nor the other way round. */
const AUDIENCE = 'device';
const LIFETIME = '180d';

/** A browser in which this account has logged in before. */
export interface KnownDevice {
  readonly artistId: string;
  /** Stays the same when the browser logs in again and gets a new token. */
  readonly deviceId: string;
}

/**
 * Creates the token by which a browser is known at its next login. It gives no access to the
 * account, so it survives a logout and a new password.
 */
export function issueDeviceToken(
  { tokenSecret }: Pick<Context, 'tokenSecret'>,
  artistId: string,
  deviceId: string = randomUUID(),
): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: ALGORITHM })
    .setSubject(artistId)
    .setJti(deviceId)
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime(LIFETIME)
    .sign(tokenSecret);
}

/** Reads a device token; undefined when there is none, or it is invalid or expired. */
export async function readDeviceToken(
  { tokenSecret }: Pick<Context, 'tokenSecret'>,
  token: string | undefined,
): Promise<KnownDevice | undefined> {
  if (token === undefined) return undefined;
  try {
    const options = { algorithms: [ALGORITHM], audience: AUDIENCE };
    const { payload } = await jwtVerify(token, tokenSecret, options);
    const { sub: artistId, jti: deviceId } = payload;
    return artistId === undefined || deviceId === undefined ? undefined : { artistId, deviceId };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
