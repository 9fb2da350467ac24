import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimitBudget } from './api/route.ts';
import { toNetwork } from './ip_address.ts';

/** Tries of one address a minute; generous, since a studio's clients may share one. */
const ATTEMPTS_PER_MINUTE: Record<RateLimitBudget, number> = {
  login: 20,
  recovery: 20,
  signup: 20,
  request: 120,
  contact: 20,
  upload: 120,
  mail: 20,
};

/** Mails that one artist can be made to get in an hour. */
const MAILS_PER_ARTIST_AND_HOUR = 5;

/** What visitors can do that sends mail. */
type MailingCall = 'request' | 'contact';

/**
 * How often in an hour visitors may have one mailbox written to, wherever they sit: whoever books
 * types an email that may be anyone's, and a contact message goes to the artist.
 */
const MAILS_PER_MAILBOX_AND_HOUR: Record<MailingCall, number> = { request: 10, contact: 60 };

/** Too many tries; `seconds` until the next one may be made. */
export class TooManyRequests extends Error {
  readonly retryAfterSeconds: number;

  constructor(seconds: number) {
    super('Too many tries');
    this.retryAfterSeconds = seconds;
  }
}

/** Spends of an address's budgets, within this process. */
export type ConsumeBudget = (budget: RateLimitBudget, address: string) => Promise<void>;

/** @throws TooMany by the returned function, once a budget is spent */
export function createRateLimit(): ConsumeBudget {
  const limiters = new Map(
    Object.entries(ATTEMPTS_PER_MINUTE).map(([budget, points]) => [
      budget,
      new RateLimiterMemory({ points, duration: 60 }),
    ]),
  );
  return (budget, address) => consume(limiters.get(budget), toNetwork(address));
}

/**
 * Counts what each mailbox is sent, within this process.
 * @throws TooMany by the returned function, once a mailbox had its share
 */
export function createMailboxLimit(): (call: MailingCall, email: string) => Promise<void> {
  const limiters = new Map(
    Object.entries(MAILS_PER_MAILBOX_AND_HOUR).map(([call, points]) => [
      call,
      new RateLimiterMemory({ points, duration: 3600 }),
    ]),
  );
  return (call, email) => consume(limiters.get(call), toMailbox(email));
}

/** `rosa+tattoo@…` lands where `rosa@…` does. */
function toMailbox(email: string): string {
  return email.toLowerCase().replace(/(?<=.)\+[^@]*(?=@)/, '');
}

/** @throws TooMany */
async function consume(limiter: RateLimiterMemory | undefined, key: string): Promise<void> {
  try {
    await limiter?.consume(key);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    throw new TooManyRequests(Math.ceil(refused.msBeforeNext / 1000));
  }
}

/** Counts the mails of each artist, within this process. */
export function createArtistMailLimit(): (artistId: string) => Promise<boolean> {
  const limiter = new RateLimiterMemory({ points: MAILS_PER_ARTIST_AND_HOUR, duration: 3600 });
  return async (artistId) => {
    try {
      await limiter.consume(artistId);
      return true;
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      return false;
    }
  };
}
