/** Explore, the public list of artists: those who take bookings, then the others. */
import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { type Cacheable, NOT_CACHED, tag } from '#cache/policy.ts';
import type { ClosedArtist, ExplorePage, ExploreQuery, OpenArtist } from '#contract/explore.ts';
import { GRACE_MS, TRIAL_MS } from '#domain/accounts/subscription.ts';
import { findFirstFreeDay, slotsValidUntil } from '#domain/booking/availability.ts';
import { booksAt } from '#domain/booking/books.ts';
import {
  EXPLORE_PAGE_SIZE,
  EXPLORE_PICTURES,
  formatPosition,
  type ListPosition,
  parsePageStart,
} from '#domain/studio/explore.ts';
import { findStyle, toStyles } from '#domain/studio/style.ts';
import {
  addDays,
  addYearMonths,
  midnightUtc,
  monthBounds,
  parseYearMonth,
  toYearMonth,
} from '#domain/time/calendar_date.ts';
import { localDateAt } from '#domain/time/format_time.ts';
import { earliest, type Instant, toRfc3339 } from '#domain/time/time.ts';
import { selectPublicArtists } from '#server/database/artists.ts';
import { type ArtistCalendar, listCalendars } from '#server/database/calendar.ts';
import type { Database } from '#server/database/connect.ts';
import * as explore from '#server/database/explore.ts';
import { toCalendarQuery } from '../booking/availability.ts';
import { toBooksStatus } from '../booking/booking_eligibility.ts';
import { selectDesigns, toDesign } from '../catalogue/designs.ts';
import { toImage } from '../catalogue/to_image.ts';
import type { Context } from '../context.ts';
import { toAvatar } from './artist_views.ts';
import { selectPortfolio } from './images.ts';

/** How many months after the current one are searched for the next opening. */
const MONTHS_AHEAD = 2;

/**
 * Loads a page of the listed artists, newest sign-up first: those who take bookings, and those who do
 * not. The pages after the last one with open artists list the rest of the closed ones.
 */
export async function loadExplorePage(
  context: Context,
  query: ExploreQuery,
  now: Instant,
): Promise<Cacheable<ExplorePage>> {
  const { database } = context;
  const style = toComparable(query.style);
  const choice: explore.ListingChoice = {
    city: toComparable(query.city),
    style: style && (findStyle(style) ?? style),
  };
  const { after, closedAfter } = parsePageStart(query);
  const position = after ?? closedAfter;
  const billing = await loadBillingState(context, choice, now);
  // One more than a page shows: then `toNext` knows whether there is a next page.
  const limit = EXPLORE_PAGE_SIZE + 1;
  const [cities, styles, open, closed, isPositionKnown] = await Promise.all([
    explore.listCities(database),
    explore.listStyles(database),
    closedAfter
      ? []
      : explore.listOpenArtists(database, { ...choice, after, limit }, billing.limits),
    billing.limits
      ? explore.listClosedArtists(
          database,
          { ...choice, after: closedAfter, limit },
          billing.limits,
        )
      : [],
    position ? explore.isPositionListed(database, position, choice) : true,
  ]);
  const shownOpen = open.slice(0, EXPLORE_PAGE_SIZE);
  const shownClosed = closed.slice(0, EXPLORE_PAGE_SIZE);
  const ids = [...shownOpen, ...shownClosed].map(({ artistId }) => artistId);
  const rows = new Map((await listCards(database, ids)).map((row) => [row.id, row]));
  const openCards = await toOpenArtists(context, toRows(shownOpen, rows), now);
  const closedRows = toRows(shownClosed, rows);
  // Each artist has at most these pages: their spelling of the city, their styles, and both positions with
  // and without them. Strangers can make up other addresses without end, which would fill the cache.
  const positionTexts = [query.after, query.closed_after].filter((text) => text !== undefined);
  const areAllPositionsUsed = positionTexts.length === (position ? 1 : 0);
  const isCacheable =
    (query.city === undefined || [...rows.values()].some((row) => row.city === query.city)) &&
    (query.style === undefined || (query.style === choice.style && rows.size > 0)) &&
    areAllPositionsUsed &&
    isPositionKnown;
  return {
    value: {
      cities,
      styles: styles.filter(findStyle),
      open_artists: openCards.value,
      closed_artists: closedRows.map((row) => toClosedArtist(context, row)),
      next: toNext(open, closed),
    },
    tags: [tag.explore(), ...openCards.tags, ...closedRows.map(({ id }) => tag.artist(id))],
    until: isCacheable ? earliest(openCards.until, billing.until) : NOT_CACHED,
  };
}

/** A typed city or style in the form that is compared. PostgreSQL cannot store NUL in text. */
function toComparable(typed: string | undefined): string | undefined {
  return typed?.replaceAll('\u0000', '').normalize().trim() || undefined;
}

/** Where the next page begins; null after the last one. A list that goes on has one artist more than a page. */
function toNext(
  open: readonly ListPosition[],
  closed: readonly ListPosition[],
): ExplorePage['next'] {
  const findLastShown = (found: readonly ListPosition[]) =>
    found.length > EXPLORE_PAGE_SIZE ? found[EXPLORE_PAGE_SIZE - 1] : undefined;
  const lastOpen = findLastShown(open);
  if (lastOpen) return { after: formatPosition(lastOpen) };
  const lastClosed = findLastShown(closed);
  return lastClosed ? { closed_after: formatPosition(lastClosed) } : null;
}

/**
 * Loads the limits that decide who takes bookings.
 * @returns `limits`: null while all artists do; `until`: when one of the list stops without a write; null
 *   while none will
 */
async function loadBillingState(
  { database, payments }: Context,
  choice: explore.ListingChoice,
  now: Instant,
): Promise<{ limits: explore.BillingLimits | null; until: Instant | null }> {
  if (!payments) return { limits: null, until: null };
  const trialsAfter = now - TRIAL_MS;
  const billedSince = await explore.loadBillingStart(database);
  // The trial of artists who signed up before billing begins with billing.
  if (billedSince !== null && billedSince > trialsAfter)
    return { limits: null, until: billedSince + TRIAL_MS };
  const limits = { trialsAfter, paidAfter: now - GRACE_MS };
  const { signup, failure } = await explore.findNextClosings(database, choice, limits);
  const trialEnds = signup === null ? null : signup + TRIAL_MS;
  const graceEnds = failure === null ? null : failure + GRACE_MS;
  return { limits, until: earliest(trialEnds, graceEnds) };
}

type CardRow = Awaited<ReturnType<typeof listCards>>[number];

/** Lists the content of the cards of these artists, in any order. */
function listCards(database: Database, artistIds: readonly string[]) {
  const artistId = sql.ref<string>('artists.id');
  const designs = selectDesigns(database, artistId, 'bookable');
  const portfolio = selectPortfolio(database, artistId);
  return (
    selectPublicArtists(database)
      .clearSelect()
      .select([
        'artists.id',
        'artists.username',
        'artists.full_name',
        'artists.avatar_id',
        'artists.styles',
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
        eb.ref('artists.scheduling_type').$notNull().as('scheduling_type'),
        jsonArrayFrom(designs.limit(sql.lit(EXPLORE_PICTURES))).as('designs'),
        jsonArrayFrom(portfolio.limit(sql.lit(EXPLORE_PICTURES))).as('portfolio'),
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
      // An artist may have gone back to an incomplete sign-up since the positions were read.
      .where('artists.scheduling_type', 'is not', null)
      .execute()
  );
}

/** The rows in the order of the positions, without artists who left the list between the two queries. */
function toRows(positions: readonly ListPosition[], rows: ReadonlyMap<string, CardRow>): CardRow[] {
  return positions.flatMap(({ artistId }) => rows.get(artistId) ?? []);
}

async function toOpenArtists(
  context: Context,
  rows: readonly CardRow[],
  now: Instant,
): Promise<Cacheable<OpenArtist[]>> {
  const dates = searchedDates(now);
  const bookable = rows.filter(
    (row) =>
      row.scheduling_type === 'service' &&
      row.shortest_service_minutes !== null &&
      booksAt(row, now).isOpen,
  );
  const calendars = await listCalendars(
    context.database,
    bookable.map(({ id }) => id),
    toCalendarQuery(dates, now),
  );
  const cards = rows.map((row) => {
    const opening = findNextOpening(row, calendars.get(row.id), dates, now);
    return {
      artist: toOpenArtist(context, row, opening.start, now),
      until: earliest(opening.until, booksAt(row, now).until),
    };
  });
  return {
    value: cards.map(({ artist }) => artist),
    tags: rows.flatMap(openArtistTags),
    until: earliest(...cards.map(({ until }) => until)),
  };
}

/** From the earliest date that is today anywhere, to the end of the last searched month. */
function searchedDates(now: Instant) {
  const today = localDateAt('UTC', now);
  const { year, number } = parseYearMonth(addYearMonths(toYearMonth(today), MONTHS_AHEAD));
  return {
    first: addDays(today, -1),
    last: monthBounds(year, number).last,
    until: midnightUtc(addDays(today, 1)),
  };
}

/** The first free time of the artist's shortest service, and when it changes without a write. */
function findNextOpening(
  { shortest_service_minutes: minutes }: CardRow,
  calendar: ArtistCalendar | undefined,
  dates: ReturnType<typeof searchedDates>,
  now: Instant,
): { readonly start: Instant | null; readonly until: Instant | null } {
  if (!calendar || minutes === null) return { start: null, until: null };
  // Longer services have no start that this one does not have.
  const day = findFirstFreeDay(calendar, minutes, dates, now);
  const holdsExpireAt = calendar.blocked.flatMap(({ expiresAt }) => expiresAt ?? []);
  return {
    start: day?.times[0]?.start ?? null,
    until: slotsValidUntil(calendar, day ? [day] : [], [dates.until, ...holdsExpireAt], now),
  };
}

function openArtistTags({ id, designs, has_limited_designs, ...row }: CardRow): string[] {
  const picksTimes = row.scheduling_type === 'service';
  return [
    tag.artist(id),
    tag.designs(id),
    ...(designs.length < EXPLORE_PICTURES ? [tag.portfolio(id)] : []),
    ...(picksTimes ? [tag.services(id)] : []),
    // Appointments decide the free times, and which designs with a limit can be booked.
    ...(picksTimes || has_limited_designs ? [tag.availability(id)] : []),
  ];
}

function toOpenArtist(
  context: Context,
  row: CardRow,
  nextOpening: Instant | null,
  now: Instant,
): OpenArtist {
  const designs = row.designs.map((design) => toDesign(context.images, design).image);
  const portfolio = row.portfolio.map((image) => toImage(context.images, image));
  return {
    ...toClosedArtist(context, row),
    state: row.state,
    studio_name: row.studio_name,
    styles: toStyles(row.styles),
    scheduling_type: row.scheduling_type,
    pictures: [...designs, ...portfolio].slice(0, EXPLORE_PICTURES),
    books: toBooksStatus(booksAt(row, now)),
    next_opening: nextOpening === null ? null : toRfc3339(nextOpening),
    time_zone: row.time_zone,
  };
}

function toClosedArtist({ images }: Context, row: CardRow): ClosedArtist {
  const { id, username, full_name, city } = row;
  return { id, username, full_name, ...toAvatar(images, row), city };
}
