import type { APIContext } from 'astro';
import { type CachePolicy, parseCachePolicy } from './policy.ts';

/** Collects the cache policies of the API responses that a page is rendered from. */
export interface CachePolicyTracker {
  /** Sends the page's API requests, and notes the responses' policies. */
  readonly fetch: typeof fetch;
  /** Gives the page the tags of all those responses, and the shortest of their times. */
  apply(cache: APIContext['cache']): void;
}

/** 422: an id or username of an invalid form. */
const NOT_FOUND_STATUSES = [404, 422];

/** Create one tracker for each page that is rendered. */
export function trackCachePolicies(fetchApi: typeof fetch): CachePolicyTracker {
  /** Undefined for a response that must not be stored. */
  const policies: (CachePolicy | undefined)[] = [];
  return {
    async fetch(input, init) {
      const response = await fetchApi(input, init);
      // The page itself decides how long "not found" is cached.
      if (!NOT_FOUND_STATUSES.includes(response.status))
        policies.push(parseCachePolicy(response.headers));
      return response;
    },
    apply(cache) {
      const { maxAge, swr = 0 } = cache.options;
      // A page that sets no `maxAge` is not cached.
      if (maxAge === undefined) return;
      cache.set({
        maxAge: Math.min(maxAge, ...policies.map((policy) => policy?.maxAge ?? 0)),
        swr: Math.min(swr, ...policies.map((policy) => policy?.swr ?? 0)),
        tags: policies.flatMap((policy) => policy?.tags ?? []),
      });
    },
  };
}
