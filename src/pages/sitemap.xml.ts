import type { APIRoute } from 'astro';
import { listFindableArtists } from '#client/artists.ts';
import {
  countParts,
  readPart,
  SITEMAP_AGE,
  SITEMAP_UNAVAILABLE,
  writeSitemap,
  writeSitemapIndex,
  XML_HEADERS,
} from './_sitemap.ts';

/** Every address that search engines should know of; where these are many, the sitemaps of them. */
export const GET: APIRoute = async ({ locals: { api, settings }, cache }) => {
  try {
    const { count } = await listFindableArtists(api, { limit: 1 });
    const parts = countParts(count);
    const text =
      parts > 1
        ? writeSitemapIndex(parts, settings.siteUrl)
        : writeSitemap((await readPart(api, 1)).entries, settings.siteUrl);
    cache.set(SITEMAP_AGE);
    return new Response(text, { headers: XML_HEADERS });
  } catch {
    return new Response(null, SITEMAP_UNAVAILABLE);
  }
};
