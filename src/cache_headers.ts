import type { CacheOptions, CacheProvider } from 'astro';
import { writeKeeping } from '#domain/keeping.ts';

/** Writes what a page says of its caching as headers, for whoever stands in front. */
export default function cacheHeaders(): CacheProvider {
  return {
    name: 'headers',
    setHeaders: ({ maxAge = 0, swr = 0, tags = [] }: CacheOptions) =>
      new Headers(writeKeeping({ maxAge, swr, tags })),
    // Whoever stands in front holds the pages; the site itself keeps none.
    async invalidate() {},
  };
}
