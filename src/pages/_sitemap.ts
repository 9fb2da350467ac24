import type { APIContext } from 'astro';
import { call } from '#client/call.ts';
import type { ArtistListItem } from '#contract/artist.ts';
import type { Transport } from '#contract/endpoint.ts';
import { listPublicArtists } from '#contract/endpoints.ts';
import { MAX_LISTED_IMAGES, MAX_PAGE_SIZE } from '#domain/requests/list_limits.ts';

// The sitemap protocol (https://www.sitemaps.org/protocol.html), with Google's extension for images.

/** A page that search engines should index, with the URLs of its pictures. */
interface SitemapEntry {
  readonly path: string;
  readonly images: readonly string[];
}

/** Pages that belong to no artist. */
const SITE_ENTRIES: readonly SitemapEntry[] = [
  { path: '/', images: [] },
  { path: '/explore/', images: [] },
  { path: '/privacy/', images: [] },
];

/** A sitemap holds at most this many addresses; the protocol allows 50,000, or 50 MB. */
export const MAX_ENTRIES = 10_000;
/** The five pages of every artist, and one for each listed design. */
export const MAX_PAGES_PER_ARTIST = 5 + MAX_LISTED_IMAGES;
export const ARTISTS_PER_SITEMAP = Math.floor(
  (MAX_ENTRIES - SITE_ENTRIES.length) / MAX_PAGES_PER_ARTIST,
);

/** Sends a sitemap: 404 if `render` returns null, 503 if it throws because the API failed. */
export async function sendSitemap(
  { cache }: APIContext,
  render: () => Promise<string | null>,
): Promise<Response> {
  try {
    const xml = await render();
    if (xml === null) return new Response(null, { status: 404 });
    // In seconds: a new artist is missing for an hour, or two if the refresh is late.
    cache.set({ maxAge: 3600, swr: 3600 });
    return new Response(xml, { headers: { 'Content-Type': 'application/xml; charset=utf-8' } });
  } catch {
    const headers = { 'Cache-Control': 'no-store', 'Retry-After': '600' };
    return new Response(null, { status: 503, headers });
  }
}

/** The number of sitemaps for this number of artists, at least one. */
export function countSitemaps(artists: number): number {
  return Math.max(1, Math.ceil(artists / ARTISTS_PER_SITEMAP));
}

/** The entries of one sitemap, and the number of all artists. @param part the number of the sitemap, from 1 */
export async function loadSitemapEntries(
  api: Transport,
  part: number,
): Promise<{ entries: SitemapEntry[]; artists: number }> {
  const entries = part === 1 ? [...SITE_ENTRIES] : [];
  const end = part * ARTISTS_PER_SITEMAP;
  // Unknown until the first response.
  let artists = end;
  for (let skip = end - ARTISTS_PER_SITEMAP; skip < Math.min(end, artists); skip += MAX_PAGE_SIZE) {
    const limit = Math.min(MAX_PAGE_SIZE, end - skip);
    const { data, count } = await call(api, listPublicArtists, { query: { skip, limit } });
    entries.push(...data.flatMap(toSitemapEntries));
    artists = count;
  }
  return { entries, artists };
}

function toSitemapEntries(artist: ArtistListItem): SitemapEntry[] {
  const home = `/${artist.username}/`;
  const avatar = artist.avatar_url === null ? [] : [artist.avatar_url];
  return [
    { path: home, images: [...avatar, ...artist.design_urls] },
    { path: `${home}about`, images: artist.portfolio_urls },
    ...(artist.scheduling_type === 'service' ? [{ path: `${home}services`, images: [] }] : []),
    { path: `${home}scheduling`, images: [] },
    { path: `${home}contact`, images: [] },
    ...artist.design_ids.map((id, index) => ({
      path: `${home}designs/${id}`,
      images: artist.design_urls.slice(index, index + 1),
    })),
  ];
}

/** The XML of one sitemap. */
export function renderSitemap(entries: readonly SitemapEntry[], siteUrl: string): string {
  const location = (path: string) => toEscapedUrl(path, siteUrl);
  const urls = entries.map(({ path, images }) => {
    const pictures = images.map(
      (url) => `<image:image><image:loc>${location(url)}</image:loc></image:image>`,
    );
    return `<url><loc>${location(path)}</loc>${pictures.join('')}</url>`;
  });
  const imageNamespace = ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"';
  return renderXml('urlset', urls, imageNamespace);
}

/** The XML of the list of all sitemaps, `/sitemaps/1.xml` and so on. */
export function renderSitemapIndex(parts: number, siteUrl: string): string {
  const sitemaps = Array.from({ length: parts }, (_, index) => {
    const location = toEscapedUrl(`/sitemaps/${index + 1}.xml`, siteUrl);
    return `<sitemap><loc>${location}</loc></sitemap>`;
  });
  return renderXml('sitemapindex', sitemaps);
}

function renderXml(root: string, elements: readonly string[], attributes = ''): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"${attributes}>`,
    ...elements,
    `</${root}>\n`,
  ].join('\n');
}

/** The absolute URL of a path, escaped for XML: a URL has neither quotes nor angle brackets. */
function toEscapedUrl(path: string, siteUrl: string): string {
  return new URL(path, siteUrl).href.replaceAll('&', '&amp;').replaceAll("'", '&apos;');
}
