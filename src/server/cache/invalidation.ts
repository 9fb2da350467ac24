/** Invalidates tags in every cache; resolved when no cache serves what was stored under them. */
export type Invalidate = (tags: readonly string[]) => Promise<void>;

/** The caches that must be told of an invalidation. */
export interface InvalidationListeners {
  /** The cache of this process; undefined in a program that serves no pages. */
  readonly localCache: { invalidate(tags: readonly string[]): void } | undefined;
  /** The caches of the other server processes. */
  readonly channel: { publish(tags: readonly string[]): Promise<void> };
  /** The CDNs in front of all servers. */
  readonly cdns: { purge(tags: readonly string[]): Promise<void> };
}

/**
 * The one way to invalidate. A listener that cannot be reached fails no invalidation: it tries
 * again on its own. CDNs come last, because they fetch again from the servers.
 */
export function createInvalidate({ localCache, channel, cdns }: InvalidationListeners): Invalidate {
  return async (tags) => {
    if (tags.length === 0) return;
    localCache?.invalidate(tags);
    await channel.publish(tags);
    await cdns.purge(tags);
  };
}
