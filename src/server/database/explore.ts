/**
 * The artists on the Explore page. Triggers keep a row in `explore_listings` for each artist who may
 * be listed (migration 0012). Each query is a scan of an index, and reads no more rows than it lists.
 */
import { type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import {
  EXPLORE_CITIES,
  EXPLORE_CITIES_FROM,
  EXPLORE_PICTURES,
  type ListPosition,
} from '#domain/explore.ts';
import type { Instant } from '#domain/time.ts';
import { selectPublicArtists } from './artists.ts';
import type { Database } from './connect.ts';
import { selectOrderedDesigns } from './designs.ts';
import { selectOrderedPortfolio } from './images.ts';

/** The first id in order: no artist has it. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export interface ListingFilter {
  /** In any case of letters; undefined: everywhere. */
  readonly city: string | undefined;
  /** The last artist before the list; undefined: from the newest on. */
  readonly after: ListPosition | undefined;
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

/** The filter from the first artist on whose trial is over. */
function withoutTrials(filter: ListingFilter, { trialsAfter }: BillingLimits): ListingFilter {
  if (filter.after && filter.after.createdAt <= trialsAfter) return filter;
  return { ...filter, after: { createdAt: trialsAfter + 1, artistId: FIRST_ID } };
}

interface ListingRange extends Pick<ListingFilter, 'city' | 'after'> {
  readonly signedUpAfter?: Instant;
}

function selectListings(database: Database, filter: ListingRange & ListingFilter) {
  return selectRange(database, filter)
    .$if(filter.city !== undefined, (query) => query.orderBy('city', 'desc'))
    .orderBy('created_at', 'desc')
    .orderBy('artist_id', 'desc')
    .limit(filter.limit);
}

/**
 * In a city: one lower and one upper bound of `city`, and not `=`, so that the order by city counts,
 * which only the indexes of cities have. Otherwise PostgreSQL may scan the list of all artists for
 * those of a city that has few.
 */
function selectRange(database: Database, { city, after, signedUpAfter }: ListingRange) {
  const oldest = new Date(signedUpAfter ?? 0);
  const [newest, id] = [new Date(after?.createdAt ?? 0), after?.artistId ?? null];
  const bounds: RawBuilder<boolean>[] = [];
  if (city === undefined) {
    if (signedUpAfter !== undefined) bounds.push(sql<boolean>`created_at > ${oldest}`);
    if (after) bounds.push(sql<boolean>`(created_at, artist_id) < (${newest}, ${id}::uuid)`);
  } else {
    bounds.push(
      signedUpAfter === undefined
        ? sql<boolean>`city >= lower(${city})`
        : sql<boolean>`(city, created_at) > (lower(${city}), ${oldest})`,
      after
        ? sql<boolean>`(city, created_at, artist_id) < (lower(${city}), ${newest}, ${id}::uuid)`
        : sql<boolean>`city <= lower(${city})`,
    );
  }
  return database
    .selectFrom('explore_listings')
    .select(['artist_id', 'created_at'])
    .where(({ and }) => and(bounds));
}

/**
 * The oldest sign-up of the artists in their trial, in this city; and the oldest failed payment of
 * those in their grace period, anywhere. Null without one.
 */
export async function findNextClosings(
  database: Database,
  city: string | undefined,
  { trialsAfter, paidAfter }: BillingLimits,
): Promise<{ readonly signup: Instant | null; readonly failure: Instant | null }> {
  const [trial, grace] = await Promise.all([
    selectRange(database, { city, after: undefined, signedUpAfter: trialsAfter })
      .$if(city !== undefined, (query) => query.orderBy('city'))
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst(),
    database
      .selectFrom('explore_listings')
      .select((eb) => eb.ref('paid_until').$notNull().as('paid_until'))
      .where('paid_until', '>', new Date(paidAfter))
      .where('paid_until', '<', sql<Date>`'infinity'`)
      .orderBy('paid_until')
      .limit(1)
      .executeTakeFirst(),
  ]);
  return {
    signup: trial?.created_at.getTime() ?? null,
    failure: grace?.paid_until.getTime() ?? null,
  };
}

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
    .limit(EXPLORE_CITIES)
    .execute();
  return rows.map(({ city }) => city);
}

const NEWEST: ListingFilter = { city: undefined, after: undefined, limit: EXPLORE_CITIES_FROM };

/** Whether a listed artist has this position: anywhere, or in a city, in the artist's spelling. */
export async function isPositionListed(
  database: Database,
  { createdAt, artistId }: ListPosition,
  city: string | undefined,
): Promise<boolean> {
  const row = await database
    .selectFrom('explore_listings as listing')
    .innerJoin('artists', 'artists.id', 'listing.artist_id')
    .innerJoin('studios', 'studios.id', 'artists.studio_id')
    .select('listing.artist_id')
    .where('listing.artist_id', '=', artistId)
    .where('listing.created_at', '=', new Date(createdAt))
    .$if(city !== undefined, (query) => query.where('studios.city', '=', city ?? ''))
    .executeTakeFirst();
  return row !== undefined;
}

/** When billing was first on; null while it never was. */
export async function loadBillingStart(database: Database): Promise<Instant | null> {
  const row = await database.selectFrom('billing').select('since').executeTakeFirst();
  return row?.since.getTime() ?? null;
}

export type CardRow = Awaited<ReturnType<typeof listCards>>[number];

/** Lists what the cards of these artists show, in any order. */
export function listCards(database: Database, artistIds: readonly string[]) {
  const artistId = sql.ref<string>('artists.id');
  const designs = selectOrderedDesigns(database, artistId, 'bookable');
  const portfolio = selectOrderedPortfolio(database, artistId);
  return selectPublicArtists(database)
    .clearSelect()
    .select([
      'artists.id',
      'artists.username',
      'artists.full_name',
      'artists.scheduling_type',
      'artists.avatar_id',
      'artists.books',
      'schedules.booking_range',
      'images.widths as avatar_widths',
      'images.formats as avatar_formats',
      'studios.name as studio_name',
      'studios.city',
      'studios.state',
      'studios.time_zone',
    ])
    .select((eb) => [
      jsonArrayFrom(designs.limit(EXPLORE_PICTURES)).as('designs'),
      jsonArrayFrom(portfolio.limit(EXPLORE_PICTURES)).as('portfolio'),
      eb
        .selectFrom('services')
        .whereRef('services.artist_id', '=', 'artists.id')
        .where('services.is_available', '=', true)
        .where('services.deleted_at', 'is', null)
        .select((service) => service.fn.min('duration_minutes').as('minutes'))
        .as('shortest_service_minutes'),
      eb
        .exists(
          eb
            .selectFrom('designs')
            .select('designs.id')
            .whereRef('designs.artist_id', '=', 'artists.id')
            .where('designs.editions', 'is not', null)
            .where('designs.deleted_at', 'is', null),
        )
        .as('has_limited_designs'),
    ])
    .where(sql<boolean>`artists.id = any(${[...artistIds]}::uuid[])`)
    .execute();
}

async function listPositions(listings: ReturnType<typeof selectListings>): Promise<ListPosition[]> {
  const rows = await listings.execute();
  return rows.map((row) => ({ createdAt: row.created_at.getTime(), artistId: row.artist_id }));
}
