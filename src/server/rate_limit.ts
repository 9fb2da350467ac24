/** Limits of the calls from one network, and of the mails that visitors cause to one mailbox. */
import { RateLimited } from '#domain/refusal.ts';
import { isDatabaseUnavailable } from './database/connect.ts';
import type { CountEvent, Limit } from './database/rate_limits.ts';
import type { Context, RateLimit } from './operations/context.ts';

/**
 * HTTP requests per client network and minute; generous, because a studio's visitors may share one
 * network. `request` limits booking requests; `mail` limits the repeated sending of a mail.
 */
const REQUESTS_PER_MINUTE: Record<RateLimit, number> = {
  login: 20,
  recovery: 20,
  signup: 20,
  request: 300,
  contact: 20,
  upload: 120,
  mail: 20,
};

/** Calls that cause no mail: they are allowed while the counts cannot be reached. */
const ALLOWED_WITHOUT_COUNTS: ReadonlySet<RateLimit> = new Set(['login', 'upload']);

/**
 * Mails that visitors may cause to one mailbox, from all IP addresses together. A booking request
 * sends a mail to the address that the visitor types, which may be anyone's.
 */
const MAILS_PER_MAILBOX_AND_HOUR = { request: 10 };

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;

/** Creates the functions that count calls and mails; without limits they allow all. */
export function createRateLimits(
  isLimited: boolean,
  countInDatabase: CountEvent,
): Pick<Context, 'countEvent' | 'hasLimitsPerTime' | 'consumeRateLimit' | 'consumeMailboxQuota'> {
  const countEvent: CountEvent = isLimited ? countInDatabase : async () => ({ isAllowed: true });
  return {
    countEvent,
    hasLimitsPerTime: isLimited,
    async consumeRateLimit(limit, network) {
      const points = REQUESTS_PER_MINUTE[limit];
      try {
        await consume(
          countEvent,
          { name: `calls_${limit}`, points, seconds: MINUTE_SECONDS },
          network,
        );
      } catch (error) {
        if (!isDatabaseUnavailable(error) || !ALLOWED_WITHOUT_COUNTS.has(limit)) throw error;
      }
    },
    consumeMailboxQuota: (form, email) => {
      const points = MAILS_PER_MAILBOX_AND_HOUR[form];
      const limit = { name: `mails_${form}`, points, seconds: HOUR_SECONDS };
      return consume(countEvent, limit, toMailbox(email));
    },
  };
}

/** Removes the tag of an address: mails to `rosa+tattoo@…` arrive in the mailbox `rosa@…`. */
function toMailbox(email: string): string {
  return email.toLowerCase().replace(/(?<=.)\+[^@]*(?=@)/, '');
}

/** @throws RateLimited when the limit is reached */
async function consume(countEvent: CountEvent, limit: Limit, key: string): Promise<void> {
  const result = await countEvent(limit, key);
  if (!result.isAllowed) throw new RateLimited(result.retryAfterSeconds);
}
