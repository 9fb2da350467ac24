/** Limits of the calls from one network. The limits of mails are in `domain/mail_budget.ts`. */
import { RateLimited } from '#domain/refusal.ts';
import { isDatabaseUnavailable } from './database/connect.ts';
import { type CountEvent, countOfNetwork, type Limit } from './database/rate_limits.ts';
import type { Context, RateLimit } from './operations/context.ts';

/**
 * HTTP requests per client network and minute; generous, because a studio's visitors may share one
 * network. `signup_check` limits questions of the sign-up form, one for each pause while typing;
 * `request` limits booking requests; `mail` limits the repeated sending of a mail.
 */
const REQUESTS_PER_MINUTE: Record<RateLimit, number> = {
  login: 20,
  recovery: 20,
  signup: 20,
  signup_check: 120,
  request: 300,
  contact: 20,
  upload: 120,
  mail: 20,
};

/** Calls that cause no mail: they are allowed while the counts cannot be reached. */
const ALLOWED_WITHOUT_COUNTS: ReadonlySet<RateLimit> = new Set(['login', 'signup_check', 'upload']);

const MINUTE_SECONDS = 60;

/** Creates the functions that count calls and mails; without limits they allow all. */
export function createRateLimits(
  isLimited: boolean,
  countInDatabase: CountEvent,
): Pick<Context, 'countEvent' | 'hasLimitsPerTime' | 'consumeRateLimit'> {
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
  };
}

/** @throws RateLimited when the limit is reached */
async function consume(countEvent: CountEvent, limit: Limit, network: string): Promise<void> {
  const result = await countOfNetwork(countEvent, limit, network);
  if (!result.isAllowed) throw new RateLimited(result.retryAfterSeconds);
}
