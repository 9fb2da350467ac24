import { listPublicArtists } from '#client/artists.ts';
import type { Transport } from '#client/http.ts';
import type { ArtistListItem } from '#contract/artist.ts';

// The sitemap protocol (https://www.sitemaps.org/protocol.html), with Google's extension for images.

/** An address that search engines should know of, with the pictures that are seen there. */
export interface SitemapEntry {
  readonly path: string;
  readonly images: readonly string[];
}

/** Pages of no artist that search engines should know of. */
const SITE_ENTRIES: readonly SitemapEntry[] = [
  { path: '/', images: [] },
  { path: '/explore/', images: [] },
];

/** A sitemap holds at most this many addresses; the protocol allows 50,000, or 50 MB. */
export const MAX_ENTRIES = 10_000;
const MAX_PAGES_PER_ARTIST = 5;
/** So many artists fit into one sitemap, whatever pages they have. */
export const ARTISTS_PER_SITEMAP = Math.floor(
  (MAX_ENTRIES - SITE_ENTRIES.length) / MAX_PAGES_PER_ARTIST,
);

/** As many as the API lists at once. */
const API_PAGE_SIZE = 200;

/** How long a sitemap may be kept, in seconds: who signed up since is found a little later. */
export const SITEMAP_CACHE_POLICY = { maxAge: 3600, swr: 3600 };

/** What is told when the API cannot be asked: come back later. */
export const SITEMAP_UNAVAILABLE = {
  status: 503,
  headers: { 'Cache-Control': 'no-store', 'Retry-After': '600' },
};

export const XML_HEADERS = { 'Content-Type': 'application/xml; charset=utf-8' };

/** How many sitemaps it takes to name so many artists; at least one. */
export function countSitemaps(artists: number): number {
  return Math.max(1, Math.ceil(artists / ARTISTS_PER_SITEMAP));
}

/** The entries of one part, numbered from 1; and of how many artists there are in all. */
export async function loadSitemapEntries(
  http: Transport,
  part: number,
): Promise<{ entries: SitemapEntry[]; artists: number }> {
  const entries = part === 1 ? [...SITE_ENTRIES] : [];
  const end = part * ARTISTS_PER_SITEMAP;
  let artists = end;
  for (let skip = end - ARTISTS_PER_SITEMAP; skip < Math.min(end, artists); skip += API_PAGE_SIZE) {
    const limit = Math.min(API_PAGE_SIZE, end - skip);
    const { data, count } = await listPublicArtists(http, { skip, limit });
    entries.push(...data.flatMap(toSitemapEntries));
    artists = count;
  }
  return { entries, artists };
}

/** The pages of an artist. */
export function toSitemapEntries(artist: ArtistListItem): SitemapEntry[] {
  const home = `/${artist.username}/`;
  const avatar = artist.avatar_url === null ? [] : [artist.avatar_url];
  return [
    { path: home, images: [...avatar, ...artist.design_urls] },
    { path: `${home}about`, images: artist.portfolio_urls },
    ...(artist.scheduling_type === 'service' ? [{ path: `${home}services`, images: [] }] : []),
    { path: `${home}scheduling`, images: [] },
    { path: `${home}contact`, images: [] },
  ];
}

/** A sitemap of these entries. */
export function renderSitemap(entries: readonly SitemapEntry[], siteUrl: string): string {
  const urls = entries.map(({ path, images }) => {
    const pictures = images
      .map(
        (url) => `<image:image><image:loc>${toEscapedUrl(url, siteUrl)}</image:loc></image:image>`,
      )
      .join('');
    return `<url><loc>${toEscapedUrl(path, siteUrl)}</loc>${pictures}</url>`;
  });
  return [
    XML_DECLARATION,
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">',
    ...urls,
    '</urlset>\n',
  ].join('\n');
}

/** The index of so many sitemaps. */
export function renderSitemapIndex(parts: number, siteUrl: string): string {
  const sitemaps = Array.from(
    { length: parts },
    (_, index) =>
      `<sitemap><loc>${toEscapedUrl(`/sitemaps/${index + 1}.xml`, siteUrl)}</loc></sitemap>`,
  );
  return [
    XML_DECLARATION,
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...sitemaps,
    '</sitemapindex>\n',
  ].join('\n');
}

const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function toEscapedUrl(path: string, siteUrl: string): string {
  return new URL(path, siteUrl).href.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);
}
