/** Removes responses with these tags from every cache. Resolves after one attempt at each cache. */
export type Invalidate = (tags: readonly string[]) => Promise<void>;

/** Every cache that stores responses, in the order of invalidation. */
export interface ResponseCaches {
  /** The cache of this process. */
  readonly localCache: { invalidate(tags: readonly string[]): void };
  /** Reaches the caches of the other server processes. */
  readonly channel: { publish(tags: readonly string[]): Promise<void> };
  readonly cdns: { purge(tags: readonly string[]): Promise<void> };
}

/**
 * CDNs come last: they fetch pages again from the servers, whose caches must be invalidated before.
 * The promise never rejects: `channel` and `cdns` repeat failed attempts in the background.
 */
export function createInvalidate({ localCache, channel, cdns }: ResponseCaches): Invalidate {
  return async (tags) => {
    if (tags.length === 0) return;
    localCache.invalidate(tags);
    await channel.publish(tags);
    await cdns.purge(tags);
  };
}
