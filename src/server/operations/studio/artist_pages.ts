/** The public pages of an artist's designs, services and portfolio, each with all its data. */
import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { type Cacheable, NOT_CACHED, tag } from '#cache/policy.ts';
import type {
  DesignPage,
  DesignsPage,
  DesignsPageQuery,
  PortfolioPage,
  ServicesPage,
} from '#contract/artist_pages.ts';
import type { Design } from '#contract/design.ts';
import { BODY_LOCATIONS, TATTOO_SIZES } from '#domain/appointments/appointment_choices.ts';
import { refuse } from '#domain/refusal.ts';
import { MAX_PAGE_SIZE } from '#domain/requests/list_limits.ts';
import {
  type DesignFilter,
  isBookable,
  MAX_UNFILTERED_DESIGNS,
  matchesFilter,
  sizeOfDesign,
} from '#domain/studio/design.ts';
import { earliest, type Instant } from '#domain/time/time.ts';
import { selectPublicArtist } from '#server/database/artists.ts';
import { builtOnce } from '#server/database/built_once.ts';
import type { Database } from '#server/database/connect.ts';
import { orByFormerUsername } from '#server/database/former_usernames.ts';
import {
  editionLimits,
  findArtistDesign,
  selectDesigns,
  toDesign,
  VISIBLE_STATUSES,
} from '../catalogue/designs.ts';
import { selectAvailableServices, toService } from '../catalogue/services.ts';
import { toImage } from '../catalogue/to_image.ts';
import type { Context } from '../context.ts';
import { requireArtist } from '../public_artist.ts';
import { toCacheableArtist } from './artist_views.ts';
import { selectPortfolio } from './images.ts';

/** In the query of a list: the id in the row of the artist. */
const ARTIST_ID = sql.ref<string>('artists.id');

function availableServices(database: Database) {
  return selectAvailableServices(database, ARTIST_ID).limit(sql.lit(MAX_PAGE_SIZE));
}

// Each of the next three functions finds an artist together with the lists of a page in one statement; by a former
// username, in three.

/** With the services too, because the page of an artist without bookable designs shows them. */
const findArtistWithDesigns = orByFormerUsername(
  builtOnce((database, username) => {
    const designs = selectDesigns(database, ARTIST_ID, 'listed').limit(sql.lit(MAX_PAGE_SIZE));
    return selectPublicArtist(database, username).select([
      jsonArrayFrom(designs).as('designs'),
      jsonArrayFrom(availableServices(database)).as('services'),
    ]);
  }),
);

export const findArtistWithServices = orByFormerUsername(
  builtOnce((database, username) =>
    selectPublicArtist(database, username).select(
      jsonArrayFrom(availableServices(database)).as('services'),
    ),
  ),
);

const findArtistWithPortfolio = orByFormerUsername(
  builtOnce((database, username) => {
    const portfolio = selectPortfolio(database, ARTIST_ID).limit(sql.lit(MAX_PAGE_SIZE));
    return selectPublicArtist(database, username).select(jsonArrayFrom(portfolio).as('portfolio'));
  }),
);

/** The designs that match the filter: first those that clients can book, then those that are taken. */
export async function loadDesignsPage(
  context: Context,
  username: string,
  query: DesignsPageQuery,
  now: Instant,
): Promise<Cacheable<DesignsPage>> {
  const row = requireArtist(context, await findArtistWithDesigns(context.database, username));
  const loaded = await toCacheableArtist(context, row, now);
  const artist = loaded.value;
  const all = row.designs.map((design) => toDesign(context.images, design));
  const { filters, filter, isKnown } = toFilters(all, query);
  const designs = all
    .filter((design) => matchesFilter(design, filter))
    .toSorted((one, other) => Number(isBookable(other)) - Number(isBookable(one)));
  const hasBookable = all.some(isBookable);
  const showsServices = artist.scheduling_type === 'service' && !hasBookable;
  const limits = editionLimits(artist.id, row.designs);
  return {
    value: {
      artist,
      designs,
      filters,
      services: showsServices ? row.services.map(toService) : [],
    },
    tags: [
      ...loaded.tags,
      tag.designs(artist.id),
      ...(hasBookable ? [] : [tag.services(artist.id)]),
      ...limits.tags,
    ],
    // A response to unknown values is never cached: anyone could fill the cache with them.
    until: isKnown ? earliest(loaded.until, limits.until) : NOT_CACHED,
  };
}

/**
 * Chooses the links that filter the designs, and applies the query to them.
 * @returns `isKnown`: false if the query asks for something that no link asks for
 */
function toFilters(
  designs: readonly Design[],
  { placement, size, free }: DesignsPageQuery,
): { filters: DesignsPage['filters']; filter: DesignFilter; isKnown: boolean } {
  const placements = BODY_LOCATIONS.filter((one) =>
    designs.some((design) => design.placements.includes(one)),
  );
  const sizes = TATTOO_SIZES.filter((size) => designs.some((one) => sizeOfDesign(one) === size));
  const hasBoth = designs.some(isBookable) && !designs.every(isBookable);
  const hasFilters =
    designs.length > MAX_UNFILTERED_DESIGNS &&
    (placements.length > 0 || sizes.length > 0 || hasBoth);
  if (!hasFilters) {
    const isKnown = [placement, size, free].every((value) => value === undefined);
    return { filters: null, filter: { free: false }, isKnown };
  }
  const filter = {
    placement: placements.find((one) => one === placement),
    size: sizes.find((one) => one === size),
    free: hasBoth && free === '1',
  };
  // A value that no design has is unknown, and so is `free` with any value but 1.
  const isKnown =
    filter.placement === placement && filter.size === size && (filter.free || free === undefined);
  const chosen = { placement: filter.placement ?? null, size: filter.size ?? null };
  const count = designs.length;
  const filters = { placements, sizes, ...chosen, free: hasBoth ? filter.free : null, count };
  return { filters, filter, isKnown };
}

/**
 * The page of one design, which clients can book or a client has taken.
 * @throws Refusal `not_found`, also for a design that is hidden, deleted or another artist's
 */
export async function loadDesignPage(
  context: Context,
  username: string,
  designId: string,
  now: Instant,
): Promise<Cacheable<DesignPage>> {
  const row = requireArtist(context, await findArtistWithDesigns(context.database, username));
  const { value: artist, tags, until } = await toCacheableArtist(context, row, now);
  const found =
    row.designs.find(({ id }) => id === designId) ??
    (await findArtistDesign(context.database, artist.id, designId));
  if (!found || !VISIBLE_STATUSES.includes(found.status)) throw refuse('not_found');
  const design = toDesign(context.images, found);
  const bookable = row.designs.map((one) => toDesign(context.images, one)).filter(isBookable);
  const index = bookable.findIndex(({ id }) => id === designId);
  const limits = editionLimits(artist.id, [...row.designs, found]);
  return {
    value: {
      artist,
      design,
      previous: index < 0 ? null : toNeighbor(bookable[index - 1]),
      next: index < 0 ? null : toNeighbor(bookable[index + 1]),
    },
    tags: [...tags, tag.designs(artist.id), ...limits.tags],
    until: earliest(until, limits.until),
  };
}

/** The link to the design before or after another; null at the ends. */
function toNeighbor(design: { readonly id: string; readonly name: string } | undefined) {
  return design ? { id: design.id, name: design.name } : null;
}

/** The page of an artist's services. */
export async function loadServicesPage(
  context: Context,
  username: string,
  now: Instant,
): Promise<Cacheable<ServicesPage>> {
  const row = requireArtist(context, await findArtistWithServices(context.database, username));
  const { value: artist, tags, until } = await toCacheableArtist(context, row, now);
  const services = row.services.map(toService);
  return { value: { artist, services }, tags: [...tags, tag.services(artist.id)], until };
}

/** The page of an artist's finished tattoos. */
export async function loadPortfolioPage(
  context: Context,
  username: string,
  now: Instant,
): Promise<Cacheable<PortfolioPage>> {
  const row = requireArtist(context, await findArtistWithPortfolio(context.database, username));
  const { value: artist, tags, until } = await toCacheableArtist(context, row, now);
  const images = row.portfolio.map((image) => toImage(context.images, image));
  return { value: { artist, images }, tags: [...tags, tag.portfolio(artist.id)], until };
}
