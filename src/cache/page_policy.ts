import type { APIContext } from 'astro';
import { type CachePolicy, parseCachePolicy } from './policy.ts';

/** Notes the policy of one response of the API. @param policy undefined if the response must not be stored */
export type NoteCachePolicy = (status: number, policy: CachePolicy | undefined) => void;

/** Collects the cache policies of the API's responses from which a page is rendered. */
interface CachePolicyTracker {
  readonly note: NoteCachePolicy;
  /** Sends a request of the page to the API on another host, and notes the response's policy. */
  readonly fetch: typeof fetch;
  /** Gives the page the tags of all noted responses and the shortest of their times. With 0, it is not cached. */
  apply(cache: APIContext['cache']): void;
}

/** The API answers an id or a username of an invalid form with 422. */
const NOT_FOUND_STATUSES = [404, 422];

/** Create one tracker for each page that is rendered. */
export function trackCachePolicies(): CachePolicyTracker {
  const policies: (CachePolicy | undefined)[] = [];
  const note: NoteCachePolicy = (status, policy) => {
    // The page itself decides how long "not found" is cached.
    if (!NOT_FOUND_STATUSES.includes(status)) policies.push(policy);
  };
  return {
    note,
    async fetch(input, init) {
      const response = await fetch(input, init);
      note(response.status, parseCachePolicy(response.headers));
      return response;
    },
    apply(cache) {
      const { maxAge, swr = 0 } = cache.options;
      // A page that sets no `maxAge` is not cached.
      if (maxAge === undefined) return;
      const shortest = Math.min(maxAge, ...policies.map((policy) => policy?.maxAge ?? 0));
      if (shortest <= 0) {
        cache.set(false);
        return;
      }
      cache.set({
        maxAge: shortest,
        swr: Math.min(swr, ...policies.map((policy) => policy?.swr ?? 0)),
        tags: policies.flatMap((policy) => policy?.tags ?? []),
      });
    },
  };
}
