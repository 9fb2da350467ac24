import { widestNetwork } from '#domain/network.ts';
import { refusalReasonOf } from '#domain/refusal.ts';
import { hashKey, hashMailbox } from '#server/database/hashed_keys.ts';
import type { Context } from './context.ts';
import { limitFailures } from './limits.ts';

/** A login's email, where it comes from, and the browser, if the account has logged in there before. */
export interface LoginAttempt {
  readonly email: string;
  readonly network: string;
  readonly deviceId: string | undefined;
}

/**
 * Runs the check of a login's password within the limits of wrong passwords. They count by the email
 * as typed, so that they are the same for emails without an account. The limits of strangers do not
 * hold in a browser that the account has logged in from: else a stranger could shut the owner out.
 * Logs each failure, so that an attack can be traced.
 * @param check throws unless the password is right
 * @throws RateLimited before the check, when there were too many wrong passwords
 */
export async function limitWrongLogins<T>(
  context: Context,
  { email, network, deviceId }: LoginAttempt,
  check: () => Promise<T>,
): Promise<T> {
  const account = email.toLowerCase();
  const stranger = { network, account, widestNetwork: widestNetwork(network) };
  try {
    if (deviceId !== undefined)
      return await limitFailures(context, ['wrong_logins_device'], { device: deviceId }, check);
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
