import type { APIRoute } from 'astro';
import { countSitemaps, loadSitemapEntries, renderSitemap, sendSitemap } from '../_sitemap.ts';

/** One of the sitemaps in the index `/sitemap.xml`. */
export const GET: APIRoute = (context) =>
  sendSitemap(context, async () => {
    const { part = '' } = context.params;
    if (!/^[1-9]\d{0,4}$/.test(part)) return null;
    const { entries, artists } = await loadSitemapEntries(context.locals.api, Number(part));
    if (Number(part) > countSitemaps(artists)) return null;
    return renderSitemap(entries, context.locals.settings.siteUrl);
  });
