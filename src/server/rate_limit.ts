/** Rate limits. Each server process counts for itself, except recovery mails: they are stored. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { toNetwork } from './ip_address.ts';
import type { Context, RateLimit } from './operations/context.ts';

/**
 * HTTP requests per client network and minute; generous, because a studio's visitors may share one
 * network. `request` limits booking requests; `mail` limits the repeated sending of a mail.
 */
const REQUESTS_PER_MINUTE: Record<RateLimit, number> = {
  login: 20,
  recovery: 20,
  signup: 20,
  request: 120,
  contact: 20,
  upload: 120,
  mail: 20,
};

/** Mails to an artist with a link to reset the password. */
const MAX_RECOVERY_MAILS_PER_HOUR = 5;

/**
 * Mails that visitors may cause to one mailbox, from all IP addresses together. A booking request
 * sends a mail to the address that the visitor types, which may be anyone's; a contact message
 * sends one to the artist.
 */
const MAILS_PER_MAILBOX_AND_HOUR = { request: 10, contact: 60 };

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;

/** A limit is reached, of HTTP requests or of mails. */
export class TooManyRequests extends Error {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('Too many tries');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Creates the functions that count calls and mails; without limits they allow all. */
export function createRateLimits(
  isLimited: boolean,
): Pick<Context, 'consumeRateLimit' | 'consumeMailboxQuota' | 'maxRecoveryMailsPerHour'> {
  const calls = createLimiters(isLimited ? REQUESTS_PER_MINUTE : {}, MINUTE_SECONDS);
  const mails = createLimiters(isLimited ? MAILS_PER_MAILBOX_AND_HOUR : {}, HOUR_SECONDS);
  return {
    consumeRateLimit: (limit, clientIp) => consume(calls.get(limit), toNetwork(clientIp)),
    consumeMailboxQuota: (form, email) => consume(mails.get(form), toMailbox(email)),
    maxRecoveryMailsPerHour: isLimited ? MAX_RECOVERY_MAILS_PER_HOUR : Number.POSITIVE_INFINITY,
  };
}

/** Creates a limiter for each name; the name's number is its limit in `durationSeconds`. */
function createLimiters(limitsByName: Readonly<Record<string, number>>, durationSeconds: number) {
  return new Map(
    Object.entries(limitsByName).map(([name, limit]) => [
      name,
      new RateLimiterMemory({ points: limit, duration: durationSeconds }),
    ]),
  );
}

/** Removes the tag of an address: mails to `rosa+tattoo@…` arrive in the mailbox `rosa@…`. */
function toMailbox(email: string): string {
  return email.toLowerCase().replace(/(?<=.)\+[^@]*(?=@)/, '');
}

async function consume(limiter: RateLimiterMemory | undefined, key: string): Promise<void> {
  try {
    await limiter?.consume(key);
  } catch (refusal) {
    // The limiter throws this class, which is no Error, when the limit is reached.
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw new TooManyRequests(Math.ceil(refusal.msBeforeNext / 1000));
  }
}
