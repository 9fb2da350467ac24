import type { APIRoute } from 'astro';
import { call } from '#client/call.ts';
import { listPublicArtists } from '#contract/endpoints.ts';
import {
  countSitemaps,
  loadSitemapEntries,
  renderSitemap,
  renderSitemapIndex,
  sendSitemap,
} from './_sitemap.ts';

/** The sitemap of the whole site, or an index of `/sitemaps/1.xml` and more if it is too long. */
export const GET: APIRoute = (context) =>
  sendSitemap(context, async () => {
    const { api, settings } = context.locals;
    const { count } = await call(api, listPublicArtists, { query: { limit: 1 } });
    const parts = countSitemaps(count);
    if (parts > 1) return renderSitemapIndex(parts, settings.siteUrl);
    return renderSitemap((await loadSitemapEntries(api, 1)).entries, settings.siteUrl);
  });
