import { expect, test } from 'vitest';
import { createHttpTransport } from '#client/http.ts';
import type { ArtistListItem } from '#contract/artist.ts';
import {
  ARTISTS_PER_SITEMAP,
  countSitemaps,
  loadSitemapEntries,
  MAX_ENTRIES,
  renderSitemap,
  renderSitemapIndex,
} from '../../src/pages/_sitemap.ts';

const SITE = 'https://book.example.com';

/** An API that lists so many artists, all with as many pages as there can be. */
function apiOf(artists: number) {
  return createHttpTransport('http://api.test', async (input) => {
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
        design_urls: [],
        portfolio_urls: [],
      }),
    );
    return Response.json({ data, count: artists });
  });
}

async function pathsOf(artists: number, part: number): Promise<string[]> {
  return (await loadSitemapEntries(apiOf(artists), part)).entries.map(({ path }) => path);
}

test.each([0, 1, 199, 200, 201, ARTISTS_PER_SITEMAP])(
  'of %i artists, one sitemap names every page once',
  async (artists) => {
    const paths = await pathsOf(artists, 1);
    expect(countSitemaps(artists)).toBe(1);
    expect(paths).toHaveLength(2 + 5 * artists);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.length).toBeLessThanOrEqual(MAX_ENTRIES);
  },
);

test('of more, each sitemap holds at most 10,000 addresses, and together they name all once', async () => {
  const artists = 2 * ARTISTS_PER_SITEMAP + 1;
  expect(countSitemaps(artists)).toBe(3);
  const parts = await Promise.all([1, 2, 3].map((part) => pathsOf(artists, part)));
  for (const paths of parts) expect(paths.length).toBeLessThanOrEqual(10_000);
  const all = parts.flat();
  expect(all).toHaveLength(2 + 5 * artists);
  expect(new Set(all).size).toBe(all.length);
  expect(await pathsOf(artists, 4)).toEqual([]);
});

test('an index names each sitemap, in full', () => {
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

test('addresses are escaped, and those of pictures elsewhere stay as they are', () => {
  const images = ["https://images.example.com/a.webp?b='1'&c=<2>"];
  expect(renderSitemap([{ path: '/ana/', images }], SITE)).toContain(
    '<url><loc>https://book.example.com/ana/</loc><image:image><image:loc>https://images.example.com/a.webp?b=%271%27&amp;c=%3C2%3E</image:loc></image:image></url>',
  );
});
