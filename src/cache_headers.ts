import type { CacheOptions, CacheProvider } from 'astro';

/**
 * Writes what a page says of its caching as headers, for whoever stands in front. Browsers, and
 * CDNs that were not set up for our tags, must ask again each time (design, decision 5).
 */
export default function cacheHeaders(): CacheProvider {
  return {
    name: 'headers',
    setHeaders({ maxAge = 0, swr, tags = [] }: CacheOptions) {
      const headers = new Headers({ 'Cache-Control': 'public, max-age=0, must-revalidate' });
      const stale = swr === undefined ? '' : `, stale-while-revalidate=${swr}`;
      headers.set('Surrogate-Control', `max-age=${maxAge}${stale}`);
      if (tags.length > 0) headers.set('Cache-Tag', tags.join(','));
      return headers;
    },
    // Whoever stands in front holds the pages; the site itself keeps none.
    async invalidate() {},
  };
}
