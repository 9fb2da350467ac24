import type { APIRoute } from 'astro';
import {
  countSitemaps,
  loadSitemapEntries,
  renderSitemap,
  SITEMAP_CACHE_POLICY,
  SITEMAP_UNAVAILABLE,
  XML_HEADERS,
} from '../_sitemap.ts';

/** One of the sitemaps that `/sitemap.xml` names when there are many. */
export const GET: APIRoute = async ({ locals: { api, settings }, cache, params }) => {
  const part = params['part'] ?? '';
  if (!/^[1-9]\d{0,4}$/.test(part)) return new Response(null, { status: 404 });
  try {
    const { entries, artists } = await loadSitemapEntries(api, Number(part));
    if (Number(part) > countSitemaps(artists)) return new Response(null, { status: 404 });
    cache.set(SITEMAP_CACHE_POLICY);
    return new Response(renderSitemap(entries, settings.siteUrl), { headers: XML_HEADERS });
  } catch {
    return new Response(null, SITEMAP_UNAVAILABLE);
  }
};
