/** Counts events in the database, so that all processes share their limits. */
import { CompiledQuery, sql } from 'kysely';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { widerNetwork } from '#domain/network.ts';
import type { Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';
import { hashKey } from './hashed_keys.ts';
import { deleteInBatches } from './in_batches.ts';

/** A /48 may cause this many times the events of one network. */
const WIDER_LIMIT_FACTOR = 4;

/** At most `points` events of one key in `seconds`, counted from the first of them. */
export interface Limit {
  /** Unique among all limits. */
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
  /** Set for `uncountEvent`: then no process remembers a refused key. */
  readonly canUncount?: true;
}

/** @property retryAfterSeconds until the count of this key begins again */
type LimitResult =
  | { readonly isAllowed: true }
  | { readonly isAllowed: false; readonly retryAfterSeconds: number };

/**
 * Counts an event of `key`, such as an email address or a network, of which only a hash is stored.
 * @throws the database's error when the database is away
 */
export type CountEvent = (limit: Limit, key: string) => Promise<LimitResult>;

/**
 * The limit of a network, and that of the /48 of IPv6 around it, which one person can have for nothing: it
 * may cause `WIDER_LIMIT_FACTOR` times the events. A limit that protects another one, which it must not use
 * up, takes `widestNetwork` for its key instead.
 */
export function limitsOfNetwork(
  limit: Limit,
  network: string,
): { readonly limit: Limit; readonly key: string }[] {
  const own = { limit, key: network };
  const wider = widerNetwork(network);
  if (wider === null) return [own];
  const ofWider = { name: `${limit.name}_of_48`, points: WIDER_LIMIT_FACTOR * limit.points };
  return [own, { limit: { ...limit, ...ofWider }, key: wider }];
}

/** Counts an event of a network, and of the /48 around it. */
export async function countOfNetwork(
  countEvent: CountEvent,
  limit: Limit,
  network: string,
): Promise<LimitResult> {
  for (const counted of limitsOfNetwork(limit, network)) {
    const result = await countEvent(counted.limit, counted.key);
    if (!result.isAllowed) return result;
  }
  return { isAllowed: true };
}

/** rate-limiter-flexible creates no table then, and starts no timer. */
const MIGRATED_TABLE = {
  tableName: 'rate_limits',
  tableCreated: true,
  clearExpiredByTimeout: false,
} as const;

export function createEventCounter(database: Database): CountEvent {
  const storeClient = {
    query: ({ text, values }: { readonly text: string; readonly values: readonly unknown[] }) =>
      database.executeQuery(CompiledQuery.raw(text, [...values])),
  };
  const limiters = new Map<string, RateLimiterPostgres>();
  const limiterOf = ({ name, points, seconds, canUncount }: Limit): RateLimiterPostgres => {
    const known = limiters.get(name);
    if (known) return known;
    const limiter = new RateLimiterPostgres({
      ...MIGRATED_TABLE,
      storeClient,
      storeType: 'client',
      keyPrefix: name,
      points,
      duration: seconds,
      // A refused key is remembered in memory, so that a flood does not reach the database.
      ...(!canUncount && { inMemoryBlockOnConsumed: points + 1 }),
    });
    limiters.set(name, limiter);
    return limiter;
  };
  return async (limit, key) => {
    try {
      await limiterOf(limit).consume(hashKey(key));
      return { isAllowed: true };
    } catch (refusal) {
      // The limiter throws this class, which is no Error, when the limit is reached.
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return { isAllowed: false, retryAfterSeconds: Math.ceil(refusal.msBeforeNext / 1000) };
    }
  };
}

/** Takes back one counted event of `key`, such as a try that succeeded. */
export async function uncountEvent(
  database: Database,
  { name }: Limit,
  key: string,
): Promise<void> {
  await database
    .updateTable('rate_limits')
    .set({ points: sql<number>`points - 1` })
    // As the limiter names the row.
    .where('key', '=', `${name}:${hashKey(key)}`)
    .where('points', '>', 0)
    .execute();
}

/** Deletes the counts whose time is over. */
export async function deleteExpiredCounts(database: Database, now: Instant): Promise<void> {
  await deleteInBatches(database, 'rate_limits', 'expire', sql`expire < ${String(now)}`);
}
