import type { Benchmark } from './benchmark.ts';
import type { ChildServer } from './child_server.ts';
import { queryRows, runSqlFile } from './database.ts';
import { getRaw } from './raw_http.ts';
import { compareLatencies, timeAlternately, timeCalls } from './rounds.ts';
import { openSandbox, type Sandbox } from './sandbox.ts';

/** From a month ago to eleven days ahead. */
const APPOINTMENTS_PER_ARTIST = 70;
const FEW = 100;
/** The payment provider is never asked. */
const BILLING = {
  STRIPE_SECRET_KEY: 'sk_test_none',
  STRIPE_WEBHOOK_SECRET: 'whsec_none',
  STRIPE_PRICE_ID: 'price_none',
  STRIPE_API_BASE: 'http://127.0.0.1:9',
};

export const explore: Benchmark = {
  name: 'explore',
  title: 'a page of Explore with 100,000 artists, not cached',
  baseline: 'with 100 artists',
  target: { atMost: 1.5 },
  method:
    'Median latency of one client who asks one thing after the other, of both sides by turns: the first page, one from the middle of the list, and the first page of a city with half of the artists; then the same with billing on, where 90 % of the artists have no subscription. Each page lists 24 artists who take bookings and, with billing, 24 who do not: of the 100 artists, half have a subscription, so that they fill both lists. The pages are not cached because of an unknown query parameter. The ratio is the worst of the pages’.',
  async measure(scale) {
    const artists = scale === 'full' ? 100_000 : 2_000;
    await using manyPlace = await openSandbox();
    await using fewPlace = await openSandbox();
    await using many = await manyPlace.serve();
    await using few = await fewPlace.serve();
    const manyPosition = await fillExplore(manyPlace, artists, 20);
    const fewPosition = await fillExplore(fewPlace, FEW, 4);
    await using billedMany = await serveBilled(manyPlace);
    await using billedFew = await serveBilled(fewPlace);
    const pagesOfMany = listPages(many, billedMany, manyPosition);
    const pagesOfFew = listPages(few, billedFew, fewPosition);
    return compareLatencies(
      await timeAlternately(
        { rounds: scale === 'full' ? 200 : 40, warmUp: 20 },
        () => timePages(pagesOfMany),
        () => timePages(pagesOfFew),
      ),
    );
  },
};

/**
 * Fills the database and lists all artists on Explore.
 * @param every of so many artists in a row, two have a subscription
 * @returns the position in the middle of the list
 */
async function fillExplore(place: Sandbox, artists: number, every: number): Promise<string> {
  const databaseUrl = await place.databaseUrl();
  const each = APPOINTMENTS_PER_ARTIST;
  await runSqlFile(databaseUrl, 'many_artists.sql', { artists, each });
  await runSqlFile(databaseUrl, 'explore.sql', { every });
  const [middle] = await queryRows<{ position: string }>(
    databaseUrl,
    `SELECT (extract(epoch FROM created_at) * 1000)::bigint || '.' || artist_id AS position
     FROM explore_listings ORDER BY created_at DESC, artist_id DESC OFFSET $1 LIMIT 1`,
    // With 100 artists, two full lists are left.
    [artists / 2 - 3],
  );
  if (!middle) throw new Error('No artist is listed');
  return middle.position;
}

/** A second server on the same database. */
async function serveBilled(place: Sandbox): Promise<ChildServer> {
  const settings = { DATABASE_URL: await place.databaseUrl(), SECRET_KEY: 'secret of a benchmark' };
  return place.serve({ ...settings, ...BILLING });
}

interface Page {
  readonly name: string;
  readonly url: string;
  /** How many artists it lists, those with open books and those without. */
  readonly artists: number;
}

function listPages(unbilled: ChildServer, billed: ChildServer, position: string): Page[] {
  const queries = [
    ['first page', 'uncached=1'],
    ['middle of the list', `after=${position}&uncached=1`],
    ['city', 'city=Portland&uncached=1'],
  ] as const;
  const closed = `${billed.url}/explore/?closed_after=${position}&uncached=1`;
  return [
    ...queries.flatMap(([name, query]) => [
      { name, url: `${unbilled.url}/explore/?${query}`, artists: 24 },
      { name: `${name}, billing on`, url: `${billed.url}/explore/?${query}`, artists: 48 },
    ]),
    { name: 'middle of the closed artists, billing on', url: closed, artists: 24 },
  ];
}

function timePages(pages: readonly Page[]) {
  return timeCalls(pages.map((page) => [page.name, () => expectArtists(page)] as const));
}

async function expectArtists({ url, artists }: Page): Promise<void> {
  const { status, body } = await getRaw(url, {});
  const listed = body.toString().split('<li class="min-w-0"').length - 1;
  if (status !== 200 || listed !== artists)
    throw new Error(`${url}: ${status} with ${listed} artists`);
}
