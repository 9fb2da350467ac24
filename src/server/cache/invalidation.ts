/** Invalidates tags in every cache. The promise resolves after the first attempt at each cache. */
export type Invalidate = (tags: readonly string[]) => Promise<void>;

/** Every cache that stores responses, from the nearest to the farthest from the database. */
export interface ResponseCaches {
  /** The cache of this process. */
  readonly localCache: { invalidate(tags: readonly string[]): void };
  /** Reaches the caches of the other server processes. */
  readonly channel: { publish(tags: readonly string[]): Promise<void> };
  /** The CDNs in front of all servers. */
  readonly cdns: { purge(tags: readonly string[]): Promise<void> };
}

/**
 * The only way to invalidate in every cache. The promise never rejects: `channel` and `cdns` repeat
 * failed attempts in the background. CDNs come last, because they fetch pages again from the caches of the servers.
 */
export function createInvalidate({ localCache, channel, cdns }: ResponseCaches): Invalidate {
  return async (tags) => {
    if (tags.length === 0) return;
    localCache.invalidate(tags);
    await channel.publish(tags);
    await cdns.purge(tags);
  };
}
