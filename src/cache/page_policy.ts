import type { APIContext } from 'astro';
import { type CachePolicy, parseCachePolicy } from './policy.ts';

/** Collects the cache policies of the API responses that a page is rendered from. */
export interface CachePolicyTracker {
  /** Works like the `fetch` that was given. */
  readonly fetch: typeof fetch;
  /** Gives the page the tags of all those responses, and the shortest of their times. */
  apply(cache: APIContext['cache']): void;
}

const MISSING = new Set([404, 422]);

/** Tracks the cache policies of all responses that `request` answers during one page. */
export function trackCachePolicies(request: typeof fetch): CachePolicyTracker {
  const policies: (CachePolicy | undefined)[] = [];
  return {
    async fetch(input, init) {
      const response = await request(input, init);
      // The page itself decides how long "not found" is cached.
      if (!MISSING.has(response.status)) policies.push(parseCachePolicy(response.headers));
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
