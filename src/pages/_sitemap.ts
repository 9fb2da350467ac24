import { listFindableArtists } from '#client/artists.ts';
import type { Http } from '#client/http.ts';
import type { ListedArtist } from '#contract/artist.ts';

// The sitemap protocol (https://www.sitemaps.org/protocol.html), with Google's extension for images.

/** An address that search engines should know of, with the pictures that are seen there. */
export interface Entry {
  readonly path: string;
  readonly images: readonly string[];
}

/** Pages of no artist that search engines should know of. */
const SITE_ENTRIES: readonly Entry[] = [
  { path: '/', images: [] },
  { path: '/explore/', images: [] },
];

/** A sitemap holds at most this many addresses; the protocol allows 50,000, or 50 MB. */
export const MOST_ENTRIES = 10_000;
const MOST_PAGES_OF_AN_ARTIST = 5;
/** So many artists fit into one sitemap, whatever pages they have. */
export const ARTISTS_A_PART = Math.floor(
  (MOST_ENTRIES - SITE_ENTRIES.length) / MOST_PAGES_OF_AN_ARTIST,
);

/** As many as the API lists at once. */
const MOST_AT_ONCE = 200;

/** How long a sitemap may be kept, in seconds: who signed up since is found a little later. */
export const SITEMAP_AGE = { maxAge: 3600, swr: 3600 };

/** What is told when the API cannot be asked: come back later. */
export const SITEMAP_UNAVAILABLE = {
  status: 503,
  headers: { 'Cache-Control': 'no-store', 'Retry-After': '600' },
};

export const XML_HEADERS = { 'Content-Type': 'application/xml; charset=utf-8' };

/** How many sitemaps it takes to name so many artists; at least one. */
export function countParts(artists: number): number {
  return Math.max(1, Math.ceil(artists / ARTISTS_A_PART));
}

/** The entries of one part, numbered from 1; and of how many artists there are in all. */
export async function readPart(
  http: Http,
  part: number,
): Promise<{ entries: Entry[]; artists: number }> {
  const entries = part === 1 ? [...SITE_ENTRIES] : [];
  const end = part * ARTISTS_A_PART;
  let artists = end;
  for (let skip = end - ARTISTS_A_PART; skip < Math.min(end, artists); skip += MOST_AT_ONCE) {
    const limit = Math.min(MOST_AT_ONCE, end - skip);
    const { data, count } = await listFindableArtists(http, { skip, limit });
    entries.push(...data.flatMap(entriesOf));
    artists = count;
  }
  return { entries, artists };
}

/** The pages of an artist. */
export function entriesOf(artist: ListedArtist): Entry[] {
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
export function writeSitemap(entries: readonly Entry[], siteUrl: string): string {
  const urls = entries.map(({ path, images }) => {
    const pictures = images
      .map((url) => `<image:image><image:loc>${address(url, siteUrl)}</image:loc></image:image>`)
      .join('');
    return `<url><loc>${address(path, siteUrl)}</loc>${pictures}</url>`;
  });
  return [
    XML,
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">',
    ...urls,
    '</urlset>\n',
  ].join('\n');
}

/** The index of so many sitemaps. */
export function writeSitemapIndex(parts: number, siteUrl: string): string {
  const sitemaps = Array.from(
    { length: parts },
    (_, index) => `<sitemap><loc>${address(`/sitemaps/${index + 1}.xml`, siteUrl)}</loc></sitemap>`,
  );
  return [
    XML,
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...sitemaps,
    '</sitemapindex>\n',
  ].join('\n');
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function address(path: string, siteUrl: string): string {
  return new URL(path, siteUrl).href.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);
}
