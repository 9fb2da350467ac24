import type { APIRoute } from 'astro';
import { listPublicArtists } from '#client/artists.ts';
import {
  countSitemaps,
  loadSitemapEntries,
  renderSitemap,
  renderSitemapIndex,
  SITEMAP_CACHE_POLICY,
  SITEMAP_UNAVAILABLE,
  XML_HEADERS,
} from './_sitemap.ts';

/** Every address that search engines should know of; where these are many, the sitemaps of them. */
export const GET: APIRoute = async ({ locals: { api, settings }, cache }) => {
  try {
    const { count } = await listPublicArtists(api, { limit: 1 });
    const parts = countSitemaps(count);
    const text =
      parts > 1
        ? renderSitemapIndex(parts, settings.siteUrl)
        : renderSitemap((await loadSitemapEntries(api, 1)).entries, settings.siteUrl);
    cache.set(SITEMAP_CACHE_POLICY);
    return new Response(text, { headers: XML_HEADERS });
  } catch {
    return new Response(null, SITEMAP_UNAVAILABLE);
  }
};
