/** Rate limits. Each server process counts for itself. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Api, RateLimitName } from './api/route.ts';
import { toNetwork } from './ip_address.ts';

/**
 * HTTP requests per client network and minute; generous, because a studio's visitors may share one
 * network. `request` limits booking requests; `mail` limits the repeated sending of a mail.
 */
const REQUESTS_PER_MINUTE: Record<RateLimitName, number> = {
  login: 20,
  recovery: 20,
  signup: 20,
  request: 120,
  contact: 20,
  upload: 120,
  mail: 20,
};

/** Mails with a link to reset a password. */
const RECOVERY_MAILS_PER_ARTIST_AND_HOUR = 5;

/**
 * Mails that visitors may cause to one mailbox, from all IP addresses together. A booking request
 * sends a mail to the address that the visitor types, which may be anyone's; a contact message
 * sends one to the artist.
 */
const MAILS_PER_MAILBOX_AND_HOUR = { request: 10, contact: 60 };
type MailCause = keyof typeof MAILS_PER_MAILBOX_AND_HOUR;

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

/**
 * @returns a function that throws `TooManyRequests` when the client's network has made too many
 *   calls; several routes may share one limit
 */
export function createRateLimit(): Api['consumeRateLimit'] {
  const limiters = createLimiters(REQUESTS_PER_MINUTE, MINUTE_SECONDS);
  return (rateLimit, clientIp) => consume(limiters.get(rateLimit), toNetwork(clientIp));
}

/**
 * @returns a function that counts one mail, and throws `TooManyRequests` when the mailbox has had
 *   too many of them in this hour
 */
export function createMailboxLimit(): (cause: MailCause, email: string) => Promise<void> {
  const limiters = createLimiters(MAILS_PER_MAILBOX_AND_HOUR, HOUR_SECONDS);
  return (cause, email) => consume(limiters.get(cause), toMailbox(email));
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

/**
 * @returns a function that counts one mail to reset a password, and returns false when the artist
 *   has had too many of them in this hour
 */
export function createRecoveryMailLimit(): (artistId: string) => Promise<boolean> {
  const limiter = new RateLimiterMemory({
    points: RECOVERY_MAILS_PER_ARTIST_AND_HOUR,
    duration: HOUR_SECONDS,
  });
  return async (artistId) => {
    try {
      await consume(limiter, artistId);
      return true;
    } catch (error) {
      if (!(error instanceof TooManyRequests)) throw error;
      return false;
    }
  };
}
