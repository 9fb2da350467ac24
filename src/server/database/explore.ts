/**
 * The artists on the Explore page. Triggers keep a row in `explore_listings` for each artist who may be listed, and one
 * in `explore_styles` for each of their styles. Each query is a scan of an index, and reads no more rows than it lists.
 */
import { type RawBuilder, sql } from 'kysely';
import {
  EXPLORE_CHOICES,
  EXPLORE_CHOICES_FROM,
  type ListPosition,
} from '#domain/studio/explore.ts';
import type { Instant } from '#domain/time/time.ts';
import type { Database } from './connect.ts';
import { hasRow } from './has_row.ts';
import type { ExploreStyles } from './tables.ts';

/** The lowest id: no artist has it. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export interface ListingChoice {
  /** In any case of letters; undefined: everywhere. */
  readonly city?: string | undefined;
  /** As it is stored; undefined: any. */
  readonly style?: string | undefined;
}

interface ListingFilter extends ListingChoice {
  /** The last artist before the list; undefined: from the newest on. */
  readonly after?: ListPosition | undefined;
  readonly limit: number;
}

/** Which artists take bookings while billing is on. */
export interface BillingLimits {
  /** Artists who signed up after it are in their trial. */
  readonly trialsAfter: Instant;
  /** Artists whose subscription was paid after it take bookings. */
  readonly paidAfter: Instant;
}

/** Lists the artists who take bookings, newest first. Without `billing`, all do. */
export async function listOpenArtists(
  database: Database,
  filter: ListingFilter,
  billing: BillingLimits | null,
): Promise<ListPosition[]> {
  if (!billing) return listPositions(selectListings(database, filter));
  const trials = selectListings(database, { ...filter, signedUpAfter: billing.trialsAfter });
  const subscribed = selectListings(database, withoutTrials(filter, billing)).where(
    'paid_until',
    '>',
    new Date(billing.paidAfter),
  );
  // Each has an index of its own. All trials come before all others.
  const lists = await Promise.all([listPositions(trials), listPositions(subscribed)]);
  return lists.flat().slice(0, filter.limit);
}

/** Lists the artists who take no bookings, newest first. */
export function listClosedArtists(
  database: Database,
  filter: ListingFilter,
  billing: BillingLimits,
): Promise<ListPosition[]> {
  return listPositions(
    selectListings(database, withoutTrials(filter, billing))
      // As in the condition of the index.
      .where(sql<boolean>`(paid_until IS NULL OR paid_until < 'infinity')`)
      .where(sql<boolean>`(paid_until IS NULL OR paid_until <= ${new Date(billing.paidAfter)})`),
  );
}

/** The filter, without the artists who are in their trial: they are the newest. */
function withoutTrials(filter: ListingFilter, { trialsAfter }: BillingLimits): ListingFilter {
  if (filter.after && filter.after.createdAt <= trialsAfter) return filter;
  return { ...filter, after: { createdAt: trialsAfter + 1, artistId: FIRST_ID } };
}

interface ListingRange extends ListingChoice {
  readonly after?: ListPosition | undefined;
  /** Only artists who signed up later. */
  readonly signedUpAfter?: Instant;
}

/** Selects the first artists of a range, newest first, in the order of one index. */
function selectListings(database: Database, filter: ListingRange & { readonly limit: number }) {
  return selectRange(database, filter)
    .$if(filter.style !== undefined, (query) => query.orderBy('style', 'desc'))
    .$if(filter.city !== undefined, (query) => query.orderBy('city', 'desc'))
    .orderBy('created_at', 'desc')
    .orderBy('artist_id', 'desc')
    .limit(sql.lit(filter.limit));
}

/** A column of an index, and the value at one end of a range. */
type Bound = readonly [column: string, value: RawBuilder<unknown>];

/**
 * Selects the artists of a range. A style and a city are part of a lower and an upper bound, not conditions with
 * `=`: then only an index that begins with these columns has the order. With `=`, PostgreSQL may scan the list of
 * all artists for those of a city that has few.
 */
function selectRange(database: Database, { city, style, after, signedUpAfter }: ListingRange) {
  const chosen: Bound[] = [];
  if (style !== undefined) chosen.push(['style', sql`${style}`]);
  if (city !== undefined) chosen.push(['city', sql`lower(${city})`]);
  const createdAt = (time: Instant): Bound => ['created_at', sql`${new Date(time)}`];
  const lower = signedUpAfter === undefined ? [] : [createdAt(signedUpAfter)];
  const upper: Bound[] = after ? [createdAt(after.createdAt)] : [];
  if (after) upper.push(['artist_id', sql`${after.artistId}::uuid`]);
  const table = sql.table(style === undefined ? 'explore_listings' : 'explore_styles');
  return database
    .selectFrom(sql<ExploreStyles>`${table}`.as('listing'))
    .select(['artist_id', 'created_at'])
    .where(compare([...chosen, ...lower], lower.length > 0 ? sql`>` : sql`>=`))
    .where(compare([...chosen, ...upper], upper.length > 0 ? sql`<` : sql`<=`));
}

/** The SQL condition `(column, column) operator (value, value)`; true without bounds. */
function compare(bounds: readonly Bound[], operator: RawBuilder<unknown>): RawBuilder<boolean> {
  if (bounds.length === 0) return sql`true`;
  const columns = sql.join(bounds.map(([column]) => sql.ref(column)));
  const values = sql.join(bounds.map(([, value]) => value));
  return sql`(${columns}) ${operator} (${values})`;
}

/**
 * The oldest sign-up of the chosen artists in their trial; and the oldest failed payment of
 * those in their grace period, anywhere. Null without one.
 */
export async function findNextClosings(
  database: Database,
  choice: ListingChoice,
  { trialsAfter, paidAfter }: BillingLimits,
): Promise<{ readonly signup: Instant | null; readonly failure: Instant | null }> {
  const [trial, grace] = await Promise.all([
    selectRange(database, { ...choice, signedUpAfter: trialsAfter })
      .$if(choice.style !== undefined, (query) => query.orderBy('style'))
      .$if(choice.city !== undefined, (query) => query.orderBy('city'))
      .orderBy('created_at')
      .limit(sql.lit(1))
      .executeTakeFirst(),
    database
      .selectFrom('explore_listings')
      .select((eb) => eb.ref('paid_until').$notNull().as('paid_until'))
      .where('paid_until', '>', new Date(paidAfter))
      .where('paid_until', '<', sql<Date>`'infinity'`)
      .orderBy('paid_until')
      .limit(sql.lit(1))
      .executeTakeFirst(),
  ]);
  return {
    signup: trial?.created_at.getTime() ?? null,
    failure: grace?.paid_until.getTime() ?? null,
  };
}

/** The artists from whose cities and styles visitors choose. */
const NEWEST = { limit: EXPLORE_CHOICES_FROM };

/** The cities of most of the newest artists, the one with the most first, as its newest artist spells it. */
export async function listCities(database: Database): Promise<string[]> {
  const cities = database
    .selectFrom(selectListings(database, NEWEST).select('city').as('newest'))
    .select(sql<string>`(array_agg(artist_id ORDER BY created_at DESC))[1]`.as('artist_id'))
    .select(({ fn }) => fn.countAll().as('count'))
    .groupBy('city');
  const rows = await database
    .selectFrom(cities.as('cities'))
    .innerJoin('artists', 'artists.id', 'cities.artist_id')
    .innerJoin('studios', 'studios.id', 'artists.studio_id')
    .select('studios.city')
    .orderBy('cities.count', 'desc')
    .orderBy('studios.city')
    .limit(sql.lit(EXPLORE_CHOICES))
    .execute();
  return rows.map(({ city }) => city);
}

/** The styles of most of the newest artists, the one with the most first. */
export async function listStyles(database: Database): Promise<string[]> {
  const rows = await database
    .selectFrom(selectListings(database, NEWEST).as('newest'))
    .innerJoin('artists', 'artists.id', 'newest.artist_id')
    .select(sql<string>`unnest(artists.styles)`.as('style'))
    .groupBy('style')
    .orderBy(({ fn }) => fn.countAll(), 'desc')
    .orderBy('style')
    .limit(sql.lit(EXPLORE_CHOICES))
    .execute();
  return rows.map(({ style }) => style);
}

/** Whether a listed artist of the choice has this position. The city is in the artist's spelling. */
export function isPositionListed(
  database: Database,
  { createdAt, artistId }: ListPosition,
  { city, style }: ListingChoice,
): Promise<boolean> {
  const listing = database
    .selectFrom('explore_listings as listing')
    .innerJoin('artists', 'artists.id', 'listing.artist_id')
    .innerJoin('studios', 'studios.id', 'artists.studio_id')
    .where('listing.artist_id', '=', artistId)
    .where('listing.created_at', '=', new Date(createdAt))
    .$if(city !== undefined, (query) => query.where('studios.city', '=', city ?? ''))
    .$if(style !== undefined, (query) => query.where(sql<boolean>`${style} = any(artists.styles)`));
  return hasRow(listing.select('listing.artist_id'));
}

/** When billing was first on; null while it never was. */
export async function loadBillingStart(database: Database): Promise<Instant | null> {
  const row = await database.selectFrom('billing').select('since').executeTakeFirst();
  return row?.since.getTime() ?? null;
}

async function listPositions(listings: ReturnType<typeof selectListings>): Promise<ListPosition[]> {
  const rows = await listings.execute();
  return rows.map((row) => ({ createdAt: row.created_at.getTime(), artistId: row.artist_id }));
}
