import { type Cacheable, tag } from '#cache/policy.ts';
import type { ConfirmationPage } from '#contract/appointment.ts';
import type { Artist } from '#contract/artist.ts';
import type {
  DesignPage,
  DesignsPage,
  PortfolioPage,
  SchedulingPage,
  SchedulingPageQuery,
  ServicesPage,
} from '#contract/artist_pages.ts';
import { Id } from '#contract/common.ts';
import type { Design } from '#contract/design.ts';
import {
  addDays,
  addYearMonths,
  parseYearMonth,
  toYearMonth,
  type YearMonth,
} from '#domain/calendar_date.ts';
import { localDateAt } from '#domain/format_time.ts';
import { refuse } from '#domain/refusal.ts';
import type { Instant } from '#domain/time.ts';
import { resolveWallTime } from '#domain/wall_clock.ts';
import {
  findArtistWithDesigns,
  findArtistWithPortfolio,
  findArtistWithServices,
} from '#server/database/artist_pages.ts';
import { findArtistById } from '#server/database/artists.ts';
import { isDesignOfArtist } from '#server/database/designs.ts';
import { loadArtist, toCacheableArtist } from './artists.ts';
import { loadServiceAvailability } from './availability.ts';
import { requireArtist } from './concerned_artist.ts';
import { loadConfirmation } from './confirmation.ts';
import type { Context } from './context.ts';
import { findAvailableDesign, findVisibleDesign } from './designs.ts';
import { toService } from './services.ts';
import { toDesign, toImage } from './to_image.ts';

/** How many months after the present one are searched for free times. */
const MAX_MONTHS_SEARCHED = 3;

/** In the past, so that no clock allows a cache to store the value. */
const NEVER = Number.NEGATIVE_INFINITY;

/** Loads a page of the artist with this username, and how long it may be cached. */
type LoadPage<Page> = (
  context: Context,
  username: string,
  now: Instant,
) => Promise<Cacheable<Page>>;

/** @throws Refusal `not_found` */
export const loadDesignsPage: LoadPage<DesignsPage> = async (context, username, now) => {
  const row = requireArtist(context, await findArtistWithDesigns(context.database, username));
  const { value: artist, tags, until } = await toCacheableArtist(context, row, now);
  const designs = row.designs.map((design) => toDesign(context.images, design));
  if (designs.length > 0)
    return {
      value: { artist, designs, services: [] },
      tags: [...tags, tag.designs(artist.id)],
      until,
    };
  const services = artist.scheduling_type === 'service' ? row.services.map(toService) : [];
  return {
    value: { artist, designs, services },
    tags: [...tags, tag.designs(artist.id), tag.services(artist.id)],
    until,
  };
};

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
  const index = row.designs.findIndex(({ id }) => id === designId);
  const listed = row.designs[index];
  const design = listed
    ? toDesign(context.images, listed)
    : await findVisibleDesign(context, artist.id, designId);
  if (design === null) throw refuse('not_found');
  return {
    value: {
      artist,
      design,
      previous: listed ? toNeighbor(row.designs[index - 1]) : null,
      next: listed ? toNeighbor(row.designs[index + 1]) : null,
    },
    tags: [...tags, tag.designs(artist.id)],
    until,
  };
}

function toNeighbor(design: { readonly id: string; readonly name: string } | undefined) {
  return design ? { id: design.id, name: design.name } : null;
}

/** @throws Refusal `not_found` */
export const loadServicesPage: LoadPage<ServicesPage> = async (context, username, now) => {
  const row = requireArtist(context, await findArtistWithServices(context.database, username));
  const { value: artist, tags, until } = await toCacheableArtist(context, row, now);
  const services = row.services.map(toService);
  return { value: { artist, services }, tags: [...tags, tag.services(artist.id)], until };
};

/** @throws Refusal `not_found` */
export const loadPortfolioPage: LoadPage<PortfolioPage> = async (context, username, now) => {
  const row = requireArtist(context, await findArtistWithPortfolio(context.database, username));
  const { value: artist, tags, until } = await toCacheableArtist(context, row, now);
  const images = row.portfolio.map((image) => toImage(context.images, image));
  return { value: { artist, images }, tags: [...tags, tag.portfolio(artist.id)], until };
};

/**
 * The page where a client books, with the first month of the chosen service. Changes at the
 * studio's midnight, because its calendar outlines today.
 * @throws Refusal `not_found`
 */
export async function loadSchedulingPage(
  context: Context,
  username: string,
  { design: designId, service: serviceId }: SchedulingPageQuery,
  now: Instant,
): Promise<Cacheable<SchedulingPage>> {
  const row = requireArtist(context, await findArtistWithServices(context.database, username));
  const loaded = await toCacheableArtist(context, row, now);
  const artist = loaded.value;
  const services = artist.scheduling_type === 'service' ? row.services.map(toService) : [];
  const { design, isGone } = await findDesign(context, artist, designId);
  const service = services.find(({ id }) => id === serviceId) ?? null;
  const zone = artist.studio.time_zone;
  const today = localDateAt(zone, now);
  const times =
    service && artist.taking_bookings
      ? await loadFirstOpenMonth(context, service.id, toYearMonth(today), now).catch(
          (error: unknown) => {
            // The page loads the times itself then.
            context.log.error(
              { err: error, component: 'Scheduling page' },
              'Loading the first month failed (the page loads it)',
            );
            return null;
          },
        )
      : null;
  const midnight = resolveWallTime(zone, addDays(today, 1), 0).instant;
  // A response about unknown ids is never cached: anyone could fill the cache with them.
  const isCached =
    (designId === undefined || design !== null || isGone) &&
    (serviceId === undefined || service !== null) &&
    (times !== null || service === null || !artist.taking_bookings);
  const expiries = [loaded.until, times?.until ?? null].filter((until) => until !== null);
  return {
    value: {
      artist,
      services,
      service,
      design,
      is_design_gone: isGone,
      first_month: times?.value ?? null,
    },
    tags: [
      ...new Set([
        ...loaded.tags,
        tag.services(artist.id),
        ...(design || isGone ? [tag.designs(artist.id)] : []),
        ...(times?.tags ?? []),
      ]),
    ],
    until: isCached ? Math.min(midnight, ...expiries) : NEVER,
  };
}

/**
 * The first month in which a service has free times. Without any, it is the present month: the
 * calendar on the page can search on.
 */
async function loadFirstOpenMonth(
  context: Context,
  serviceId: string,
  first: YearMonth,
  now: Instant,
): Promise<Cacheable<NonNullable<SchedulingPage['first_month']>>> {
  const tags = new Set<string>();
  let until = Number.POSITIVE_INFINITY;
  for (let ahead = 0; ; ahead += 1) {
    const month = addYearMonths(first, ahead);
    const { year, number } = parseYearMonth(month);
    const times = await loadServiceAvailability(context, serviceId, { year, month: number }, now);
    for (const tag of times.tags) tags.add(tag);
    until = Math.min(until, times.until ?? until);
    const days = times.value.data;
    if (days.length === 0 && ahead < MAX_MONTHS_SEARCHED) continue;
    // Without any free time, the page begins with this month.
    const shown = days.length === 0 ? first : month;
    return { value: { month: shown, days }, tags: [...tags], until };
  }
}

/** @throws Refusal `not_found`, also when the artist has no public page any more */
export async function loadConfirmationPage(
  context: Context,
  appointmentId: string,
  now: Instant,
): Promise<ConfirmationPage> {
  const confirmation = await loadConfirmation(context, appointmentId, now);
  const { value: artist } = await loadArtist(context, confirmation.user.username, now);
  const account = await findArtistById(context.database, artist.id);
  return {
    artist,
    confirmation,
    calendar_organizer: account?.email_proven_at
      ? { name: artist.full_name, email: account.public_email ?? context.site.senderEmail }
      : null,
  };
}

/**
 * The design that clients can book; or `isGone`: this artist had it, but it is claimed, hidden or
 * deleted. An artist who has not finished signing up shows no design to book.
 */
async function findDesign(
  context: Context,
  artist: Artist,
  designId: string | undefined,
): Promise<{ readonly design: Design | null; readonly isGone: boolean }> {
  // Only the form of our own ids: other forms of one id would be cached separately.
  const isOwnForm = designId !== undefined && designId === Id.safeParse(designId).data;
  if (artist.scheduling_type === null || !isOwnForm) return { design: null, isGone: false };
  const design = await findAvailableDesign(context, artist.id, designId);
  const isGone = design === null && (await isDesignOfArtist(context.database, artist.id, designId));
  return { design, isGone };
}
