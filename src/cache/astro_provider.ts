import type { CacheOptions, CacheProvider } from 'astro';
import { toCacheHeaders } from './policy.ts';

/** Astro's route caching: writes a page's policy as headers for the HTTP caches in front of it. */
export default function cacheHeaderProvider(): CacheProvider {
  return {
    name: 'headers',
    setHeaders: ({ maxAge = 0, swr = 0, tags = [] }: CacheOptions) =>
      new Headers(toCacheHeaders({ maxAge, swr, tags })),
    // The site stores no pages itself.
    async invalidate() {},
  };
}
