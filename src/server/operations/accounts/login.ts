import { type Selectable, sql } from 'kysely';
import type { PasswordChange } from '#contract/artist.ts';
import type { Login } from '#contract/login.ts';
import { RECOVERIES } from '#domain/accounts/security.ts';
import { refusalReasonOf, refuse } from '#domain/refusal.ts';
import { widestNetwork } from '#domain/requests/network.ts';
import { DAY_MS, type Instant } from '#domain/time/time.ts';
import { findArtistById, findCredentials, findPasswordHash } from '#server/database/artists.ts';
import type { Transaction } from '#server/database/connect.ts';
import { hasRow } from '#server/database/has_row.ts';
import { hashKey, hashMailbox } from '#server/database/hashed_keys.ts';
import { deletePasswordRecoveries } from '#server/database/password_recoveries.ts';
import { hasSecurityEvent, insertSessionEvent } from '#server/database/security_events.ts';
import type { Artists } from '#server/database/tables.ts';
import { change } from '../change.ts';
import type { Context } from '../context.ts';
import { limitFailures } from '../limits.ts';
import { notify, toAccountSnapshot } from '../mail/notify.ts';
import { signAccessToken } from './access_token.ts';
import { browserName } from './browser_name.ts';
import { issueDeviceToken, type KnownDevice, readDeviceToken } from './device_token.ts';
import {
  hashPassword,
  requireUncommonPassword,
  savePasswordAndNotify,
  verifyPassword,
} from './password.ts';
import { type Browser, insertBrowserEvent, startSession, type TokenOwner } from './sessions.ts';

/** Where a login, or the use of a recovery link, comes from. */
export interface LoginSource extends Browser {
  /** The caller's network, for limits. */
  readonly network: string;
  /** The token of an earlier login in this browser, if there is one. */
  readonly deviceToken: string | undefined;
}

export interface LoginTokens {
  readonly accessToken: string;
  /** The browser sends it at its next login (`issueDeviceToken`). */
  readonly deviceToken: string;
}

/**
 * Exchanges an email and a password for an access token, and for a device token, which lets this
 * browser log in again while others are refused. Mails the artist if the browser is new.
 * @param login its `username` is the email
 */
export async function logIn(
  context: Context,
  login: Login,
  source: LoginSource,
): Promise<LoginTokens> {
  const device = await readDeviceToken(context, source.deviceToken);
  const found = await findCredentials(context.database, login.username);
  const knownDevice = found && device?.artistId === found.id ? device : undefined;
  const attempt = { email: login.username, network: source.network, knownDevice };
  const artist = await limitWrongLogins(context, attempt, async () => {
    // Also for an unknown email: the response time must not reveal who has an account.
    const isCorrect = await verifyPassword(context.database, found ?? null, login.password);
    if (!found || !isCorrect) throw refuse('wrong_login');
    return found;
  });
  if (!artist.is_active) throw refuse('artist_inactive');
  return startLogin(context, artist, source, knownDevice);
}

interface LoginAttempt extends Pick<LoginSource, 'network'> {
  readonly email: string;
  /** The browser, if the account has logged in there before. */
  readonly knownDevice: KnownDevice | undefined;
}

/**
 * Runs the check of a login's password within the limits of wrong passwords. They count by the email
 * as typed, so that they are the same for emails without an account. The limits of strangers do not
 * hold in a browser that the account has logged in from: else a stranger could shut the owner out.
 * Logs each failure, so that an attack can be traced.
 * @param check throws unless the password is right
 * @throws RateLimited before the check, when there were too many wrong passwords
 */
async function limitWrongLogins<T>(
  context: Context,
  { email, network, knownDevice }: LoginAttempt,
  check: () => Promise<T>,
): Promise<T> {
  const stranger = { network, account: email.toLowerCase(), widestNetwork: widestNetwork(network) };
  try {
    if (knownDevice) {
      const known = { device: knownDevice.deviceId };
      return await limitFailures(context, ['wrong_logins_device'], known, check);
    }
    return await limitFailures(
      context,
      ['wrong_logins_network', 'wrong_logins_account_network', 'wrong_logins_account'],
      stranger,
      check,
    );
  } catch (error) {
    const reason = refusalReasonOf(error);
    const hashes = { account: hashMailbox(email), network: hashKey(network) };
    if (reason !== undefined)
      context.log.warn({ component: 'Login', reason, ...hashes }, 'A login failed');
    throw error;
  }
}

/** The columns of an account that begin its session and notify its artist. */
type LoginAccount = Pick<
  Selectable<Artists>,
  'id' | 'email' | 'full_name' | 'created_at' | 'token_version'
>;

/**
 * Starts the session of a login that was checked, and mails the artist if the browser is new.
 * @param knownDevice the browser, if the account knows it
 */
export async function startLogin(
  context: Context,
  artist: LoginAccount,
  source: LoginSource,
  knownDevice: KnownDevice | undefined,
): Promise<LoginTokens> {
  const accessToken = await change(context, { invalidates: [] }, async (context, now) => {
    const { database } = context;
    const isNew = !(await isTrusted(database, artist.id, knownDevice));
    if (isNew && !(await isFirstLogin(database, artist, now))) {
      const notice = {
        kind: 'new_browser_login',
        artist: toAccountSnapshot(artist),
        browser: browserName(source.userAgent),
        zone: source.timeZone ?? null,
        at: now,
      } as const;
      await notify(context, { notices: [notice] });
    }
    const kind = isNew ? 'new_browser_login' : 'login';
    await insertBrowserEvent(database, artist.id, kind, source);
    return startSession(context, artist, source);
  });
  const deviceToken = await issueDeviceToken(context, artist.id, {
    deviceId: knownDevice?.deviceId,
    hasLoggedIn: true,
  });
  return { accessToken, deviceToken };
}

/**
 * Whether the artist has logged in from a browser since a mail last gave them the account back. Before that,
 * somebody else may have had the account, and logged in.
 */
async function isTrusted(
  transaction: Transaction,
  artistId: string,
  device: KnownDevice | undefined,
): Promise<boolean> {
  if (device?.hasLoggedIn !== true) return false;
  return !(await hasSecurityEvent(transaction, artistId, RECOVERIES, device.seenAt));
}

/** Whether this is the first login, within a day of the sign-up, about which the artist gets a mail anyway. */
async function isFirstLogin(
  transaction: Transaction,
  artist: { readonly id: string; readonly created_at: Date },
  now: Instant,
): Promise<boolean> {
  const isRecent = artist.created_at.getTime() > now - DAY_MS;
  const sessions = transaction.selectFrom('sessions').where('artist_id', '=', artist.id);
  return isRecent && !(await hasRow(sessions.select('id').limit(sql.lit(1))));
}

/**
 * Changes the password, which ends all other sessions; returns a new token for this one.
 * @throws InvalidInput for a common password
 */
export async function changePassword(
  context: Context,
  owner: Pick<TokenOwner, 'id' | 'sessionId'>,
  { current_password, new_password }: PasswordChange,
): Promise<string> {
  const { id: artistId, sessionId } = owner;
  const checked = await requireCurrentPassword(context, owner, current_password);
  const artist = await findArtistById(context.database, artistId);
  if (!artist) throw refuse('not_signed_in');
  await requireUncommonPassword('new_password', new_password, artist);
  const newHash = await hashPassword(new_password);
  return change(context, { lock: 'artist', artistId, invalidates: [] }, async (context) => {
    const { database } = context;
    await requireSameTokenVersion(database, artistId, checked);
    const version = await savePasswordAndNotify(context, artistId, newHash, sessionId);
    await insertSessionEvent(database, owner, 'password_changed');
    // A recovery link that was mailed earlier must not change the new password.
    await deletePasswordRecoveries(database, artistId);
    return signAccessToken(context.tokenKeys, { artistId, version, sessionId });
  });
}

/**
 * Checks the artist's current password, which a stolen token does not know. Wrong ones count by the session,
 * so that the thief of one session's token cannot keep the owner from ending it.
 * @returns the token version at the check: it differs once the password has changed
 * @throws Refusal `wrong_password`
 * @throws RateLimited after too many wrong passwords
 */
export function requireCurrentPassword(
  context: Context,
  { id, sessionId }: Pick<TokenOwner, 'id' | 'sessionId'>,
  password: string,
): Promise<{ readonly token_version: number }> {
  return limitFailures(context, ['wrong_passwords'], { session: sessionId }, async () => {
    const found = await findPasswordHash(context.database, id);
    if (!found || !(await verifyPassword(context.database, { id, ...found }, password)))
      throw refuse('wrong_password');
    return found;
  });
}

/**
 * Call this in a change that locks the artist. Since the check of their password, a concurrent call may have
 * set another password, or undone a change of the email: then the caller's token is revoked.
 * @throws Refusal `not_signed_in`
 */
export async function requireSameTokenVersion(
  transaction: Transaction,
  artistId: string,
  checked: { readonly token_version: number },
): Promise<void> {
  const current = await findPasswordHash(transaction, artistId);
  if (current?.token_version !== checked.token_version) throw refuse('not_signed_in');
}
