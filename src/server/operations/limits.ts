/**
 * Counts events for the limits of `domain/requests/limits.ts`. Call these functions outside of transactions: they
 * take a connection of their own. Without limits (`RATE_LIMIT=off`) they allow all.
 */

import { RateLimited } from '#domain/refusal.ts';
import {
  type Causer,
  type CountedEvent,
  countedEvents,
  type EventName,
  firstExceeded,
} from '#domain/requests/limits.ts';
import { isDatabaseUnavailable } from '#server/database/connect.ts';
import { hashKey } from '#server/database/hashed_keys.ts';
import { addToCounts, takeFromCounts } from '#server/database/rate_limits.ts';
import type { Context } from './context.ts';

type LimitContext = Pick<Context, 'database' | 'hasLimitsPerTime' | 'refusedEvents'>;

/**
 * Counts an event for several limits. @param causer by whom each limit counts, such as `{ network }`
 * @throws RateLimited beyond a limit: then it counts for none
 */
export async function limitEvent<Name extends EventName>(
  context: LimitContext,
  names: readonly Name[],
  causer: Causer<Name>,
): Promise<void> {
  const events = countedEvents(names, causer);
  const refused = await countEvents(context, events);
  if (refused) throw new RateLimited(Math.ceil(refused.msLeft / 1000), refused.event.reason);
}

/** As `limitEvent`. @returns false beyond a limit: then it counts for none */
export async function isWithinLimits<Name extends EventName>(
  context: LimitContext,
  names: readonly Name[],
  causer: Causer<Name>,
): Promise<boolean> {
  return (await countEvents(context, countedEvents(names, causer))) === undefined;
}

/**
 * Runs a check, such as that of a password, which may fail only so often. Each try counts before its check,
 * because tries at the same time must not exceed the limit.
 * @param check throws unless the password is right
 * @throws RateLimited before the check, when there were too many
 */
export async function limitFailures<T, Name extends EventName>(
  context: LimitContext,
  names: readonly Name[],
  causer: Causer<Name>,
  check: () => Promise<T>,
): Promise<T> {
  await limitEvent(context, names, causer);
  const value = await check();
  if (context.hasLimitsPerTime)
    await takeFromCounts(context.database, countedEvents(names, causer));
  return value;
}

/** How many `refusedEvents` a process remembers. */
const MAX_REFUSED = 10_000;

/** @returns the exceeded limit, and for how long it stays exceeded; undefined if the event was counted */
async function countEvents(
  { database, hasLimitsPerTime, refusedEvents }: LimitContext,
  events: readonly CountedEvent[],
): Promise<{ event: CountedEvent; msLeft: number } | undefined> {
  if (!hasLimitsPerTime) return undefined;
  const keyOf = ({ counted, causer }: CountedEvent) => `${counted} ${hashKey(causer)}`;
  for (const event of events) {
    const msLeft = (refusedEvents.get(keyOf(event)) ?? 0) - performance.now();
    if (msLeft > 0) return { event, msLeft };
  }
  try {
    const counts = await addToCounts(database, events);
    const countOf = Object.fromEntries(counts.map(({ counted, count }) => [counted, count]));
    const event = firstExceeded(events, countOf);
    if (!event) return undefined;
    const { msLeft = 0, isCounted } = counts.find(({ counted }) => counted === event.counted) ?? {};
    if (isCounted) await takeFromCounts(database, events);
    // Not where an event can be uncounted: then concurrent events exceed a limit only for a moment.
    else if (!event.canUncount) {
      if (refusedEvents.size >= MAX_REFUSED) refusedEvents.clear();
      refusedEvents.set(keyOf(event), performance.now() + msLeft);
    }
    return { event, msLeft };
  } catch (error) {
    if (isDatabaseUnavailable(error) && events.every((event) => event.isAllowedUncounted)) return;
    throw error;
  }
}
