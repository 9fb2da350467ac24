import { expect, test } from 'vitest';
import { createHttpTransport } from '#client/http.ts';
import type { ArtistListItem } from '#contract/artist.ts';
import {
  ARTISTS_PER_SITEMAP,
  countSitemaps,
  loadSitemapEntries,
  MAX_ENTRIES,
  MAX_PAGES_PER_ARTIST,
  renderSitemap,
  renderSitemapIndex,
} from '../../src/pages/_sitemap.ts';

const SITE = 'https://book.example.com';
/** As many as the API lists of an artist. */
const DESIGN_IDS = Array.from({ length: 50 }, (_, index) => `design-${index}`);

/** An API that lists so many artists, each with the maximum number of pages. */
function createApi(artists: number) {
  const fetchRequest: typeof fetch = async (input) => {
    const { searchParams } = new URL(input instanceof Request ? input.url : String(input));
    const [skip, limit] = [Number(searchParams.get('skip')), Number(searchParams.get('limit'))];
    if (limit > 200) return Response.json({ detail: [] }, { status: 422 });
    const length = Math.max(0, Math.min(limit, artists - skip));
    const data = Array.from(
      { length },
      (_, index): ArtistListItem => ({
        username: `artist-${skip + index}`,
        scheduling_type: 'service',
        avatar_url: null,
        design_urls: DESIGN_IDS.map((id) => `/media/${id}/800.webp`),
        design_ids: DESIGN_IDS,
        portfolio_urls: [],
      }),
    );
    return Response.json({ data, count: artists });
  };
  return createHttpTransport('http://api.test', { fetchRequest });
}

async function loadPaths(artists: number, part: number): Promise<string[]> {
  return (await loadSitemapEntries(createApi(artists), part)).entries.map(({ path }) => path);
}

test.each([0, 1, ARTISTS_PER_SITEMAP - 1, ARTISTS_PER_SITEMAP])(
  'with %i artists one sitemap lists every page once',
  async (artists) => {
    const paths = await loadPaths(artists, 1);
    expect(countSitemaps(artists)).toBe(1);
    expect(paths).toHaveLength(3 + MAX_PAGES_PER_ARTIST * artists);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.length).toBeLessThanOrEqual(MAX_ENTRIES);
  },
);

test('with more artists each sitemap lists at most 10,000 URLs, and together they list every page once', async () => {
  const artists = 2 * ARTISTS_PER_SITEMAP + 1;
  expect(countSitemaps(artists)).toBe(3);
  const parts = await Promise.all([1, 2, 3].map((part) => loadPaths(artists, part)));
  for (const paths of parts) expect(paths.length).toBeLessThanOrEqual(10_000);
  const all = parts.flat();
  expect(all).toHaveLength(3 + MAX_PAGES_PER_ARTIST * artists);
  expect(new Set(all).size).toBe(all.length);
  expect(await loadPaths(artists, 4)).toEqual([]);
});

test('an index lists the absolute URL of each sitemap', () => {
  expect(renderSitemapIndex(2, SITE)).toBe(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
      '<sitemap><loc>https://book.example.com/sitemaps/1.xml</loc></sitemap>',
      '<sitemap><loc>https://book.example.com/sitemaps/2.xml</loc></sitemap>',
      '</sitemapindex>\n',
    ].join('\n'),
  );
});

test('URLs are escaped for XML, and external picture URLs stay absolute', () => {
  const images = ["https://images.example.com/a.webp?b='1'&c=<2>"];
  expect(renderSitemap([{ path: '/ana/', images }], SITE)).toContain(
    '<url><loc>https://book.example.com/ana/</loc><image:image><image:loc>https://images.example.com/a.webp?b=%271%27&amp;c=%3C2%3E</image:loc></image:image></url>',
  );
});
