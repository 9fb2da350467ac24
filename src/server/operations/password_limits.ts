/** Limits of wrong passwords: of logins, and of calls that ask for the current password. */

import { createHash } from 'node:crypto';
import { widestNetwork } from '#domain/network.ts';
import { RateLimited, type RefusalReason, refusalReasonOf } from '#domain/refusal.ts';
import { HOUR_SECONDS } from '#domain/time.ts';
import { hashKey, hashMailbox } from '#server/database/hashed_keys.ts';
import { type Limit, limitsOfNetwork, uncountEvent } from '#server/database/rate_limits.ts';
import type { Context } from './context.ts';

/** Tries that all count, unless the password was right. */
interface CountedLimit {
  readonly limit: Limit;
  readonly key: string;
  /** Beyond the limit. */
  readonly reason: RefusalReason;
}

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
 * @param check throws unless the password is right
 * Logs each failure, so that an attack can be traced.
 * @throws RateLimited before the check, when there were too many wrong passwords
 */
export async function limitWrongLogins<T>(
  context: Context,
  attempt: LoginAttempt,
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await limitFailures(context, limitsOfLogin(attempt), check);
  } catch (error) {
    const reason = refusalReasonOf(error);
    const [account, network] = [hashMailbox(attempt.email), hashKey(attempt.network)];
    if (reason !== undefined)
      context.log.warn({ component: 'Login', reason, account, network }, 'A login failed');
    throw error;
  }
}

function limitsOfLogin({ email, network, deviceId }: LoginAttempt): readonly CountedLimit[] {
  if (deviceId !== undefined)
    return [
      {
        limit: hourly('wrong_logins_device', 30),
        key: deviceId,
        reason: 'too_many_wrong_logins',
      },
    ];
  const account = emailKey(email);
  return [
    // Passwords that are tried on many accounts.
    ...limitsOfNetwork(hourly('wrong_logins_network', 100), network).map((counted) => ({
      ...counted,
      reason: 'too_many_wrong_logins_of_network' as const,
    })),
    // Lower than the account's limit, so that one stranger alone does not use that one up.
    {
      limit: hourly('wrong_logins_account_network', 5),
      key: `${account} ${widestNetwork(network)}`,
      reason: 'too_many_wrong_logins',
    },
    {
      limit: hourly('wrong_logins_account', 10),
      key: account,
      reason: 'too_many_wrong_logins',
    },
  ];
}

/**
 * Runs the check of an artist's current password: a stolen access token must not help to guess it.
 * @param check throws unless the password is right
 * @throws RateLimited before the check, when there were too many wrong passwords
 */
export function limitWrongPasswords<T>(
  context: Context,
  sessionId: string,
  check: () => Promise<T>,
): Promise<T> {
  const limit = hourly('wrong_passwords', 10);
  const reason = 'too_many_wrong_passwords';
  return limitFailures(context, [{ limit, key: sessionId, reason }], check);
}

/** The key by which limits count an account's email; limits store no addresses. */
export function emailKey(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('base64url');
}

/** Counts each try before its check, because tries at the same time must not exceed the limit. */
async function limitFailures<T>(
  context: Context,
  limits: readonly CountedLimit[],
  check: () => Promise<T>,
): Promise<T> {
  const counted: CountedLimit[] = [];
  const uncount = async () => {
    for (const { limit, key } of counted) await uncountEvent(context.database, limit, key);
  };
  for (const entry of limits) {
    counted.push(entry);
    const result = await context.countEvent(entry.limit, entry.key);
    if (result.isAllowed) continue;
    // A refused try is not a wrong password.
    await uncount();
    throw new RateLimited(result.retryAfterSeconds, entry.reason);
  }
  const value = await check();
  await uncount();
  return value;
}

function hourly(name: string, points: number): Limit {
  return { name, points, seconds: HOUR_SECONDS, canUncount: true };
}
