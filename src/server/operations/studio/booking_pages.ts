/** The pages on which a client books a time, and sees the appointment. */
import { type Cacheable, NOT_CACHED, tag } from '#cache/policy.ts';
import type {
  Confirmation,
  ConfirmationPage,
  ConfirmationPageQuery,
} from '#contract/appointment.ts';
import type { Artist } from '#contract/artist.ts';
import type { SchedulingPage, SchedulingPageQuery } from '#contract/artist_pages.ts';
import type { Availability, MonthQuery } from '#contract/availability.ts';
import { Id } from '#contract/common.ts';
import type { Design } from '#contract/design.ts';
import { isBookable } from '#domain/studio/design.ts';
import {
  addDays,
  addYearMonths,
  parseYearMonth,
  toYearMonth,
  type YearMonth,
} from '#domain/time/calendar_date.ts';
import { localDateAt } from '#domain/time/format_time.ts';
import { earliest, type Instant } from '#domain/time/time.ts';
import { resolveWallTime } from '#domain/time/wall_clock.ts';
import { findArtistById } from '#server/database/artists.ts';
import { keepOrganizer } from '#server/database/calendar_entries.ts';
import { findEmailAndChange } from '#server/database/client_email_changes.ts';
import { loadConfirmation } from '../appointments/confirmation.ts';
import { loadDesignAvailability, loadServiceAvailability } from '../booking/availability.ts';
import { listAlikeDesigns } from '../booking/bookable.ts';
import { editionLimits, findArtistDesign, ownsDesign, toDesign } from '../catalogue/designs.ts';
import { toService } from '../catalogue/services.ts';
import type { Context } from '../context.ts';
import { readLink } from '../mail/mail_tokens.ts';
import { requireArtist } from '../public_artist.ts';
import { findArtistWithServices } from './artist_pages.ts';
import { loadArtist, toCacheableArtist } from './artist_views.ts';

/** At most so many months after the current one are searched for free times. */
const MONTHS_AHEAD = 3;

/**
 * The page where a client books, with the first month of the chosen service. Changes at the
 * studio's midnight, because its calendar outlines today.
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
  const available = row.services.map(toService);
  const services = artist.scheduling_type === 'service' ? available : [];
  const { design, isGone, limits } = await findBookableDesign(context, artist, designId);
  // A design with its own length, or with a service, leaves the client no service to choose.
  const designWithLength = design !== null && design.duration !== null ? design : null;
  const serviceOfDesign = services.find(({ id }) => id === design?.service_id);
  const service = serviceOfDesign ?? available.find(({ id }) => id === serviceId) ?? null;
  const offered = designWithLength ?? service;
  const findTimes = designWithLength ? loadDesignAvailability : loadServiceAvailability;
  const zone = artist.studio.time_zone;
  const today = localDateAt(zone, now);
  const listsTimes =
    artist.scheduling_type === 'service' && artist.taking_bookings && offered !== null;
  const times = listsTimes
    ? await loadFirstOpenMonth(
        (month) => findTimes(context, offered.id, month, now),
        toYearMonth(today),
      ).catch((error: unknown) => {
        const facts = { err: error, component: 'Scheduling page' };
        context.log.error(facts, 'Loading the first month failed (the page loads it)');
        return null;
      })
    : null;
  const midnight = resolveWallTime(zone, addDays(today, 1), 0).instant;
  // A response about unknown ids is never cached: anyone could fill the cache with them.
  const isCached =
    (designId === undefined || design !== null || isGone) &&
    (serviceId === undefined || service?.id === serviceId) &&
    (times !== null || !listsTimes);
  return {
    value: {
      artist,
      booking_policy: row.booking_policy,
      deposit: row.deposit,
      services,
      service: designWithLength ? null : service,
      design,
      alike: isGone ? await listAlikeDesigns(context, artist.id, designId ?? '') : [],
      is_design_gone: isGone,
      today,
      first_month: times?.value ?? null,
    },
    tags: [
      ...new Set([
        ...loaded.tags,
        tag.services(artist.id),
        ...(design || isGone ? [tag.designs(artist.id)] : []),
        ...limits.tags,
        ...(times?.tags ?? []),
      ]),
    ],
    until: isCached
      ? earliest(midnight, loaded.until, times?.until ?? null, limits.until)
      : NOT_CACHED,
  };
}

/**
 * Loads the first month with free times. If no searched month has any, the current month: the page's calendar can
 * search later ones.
 */
async function loadFirstOpenMonth(
  findMonth: (month: MonthQuery) => Promise<Cacheable<Availability>>,
  first: YearMonth,
): Promise<Cacheable<NonNullable<SchedulingPage['first_month']>>> {
  const tags = new Set<string>();
  let until = Number.POSITIVE_INFINITY;
  for (let ahead = 0; ; ahead += 1) {
    const month = addYearMonths(first, ahead);
    const { year, number } = parseYearMonth(month);
    const times = await findMonth({ year, month: number });
    for (const name of times.tags) tags.add(name);
    until = Math.min(until, times.until ?? until);
    const days = times.value.data;
    if (days.length === 0 && ahead < MONTHS_AHEAD) continue;
    const shown = days.length === 0 ? first : month;
    return { value: { month: shown, days }, tags: [...tags], until };
  }
}

/**
 * The page where a client sees, confirms and changes an appointment.
 * @param query `change_token` shows its holder the whole new email before they agree to it; `calendar_file`: whether
 *   a calendar file shows the organizer, so that later files must name the same
 * @throws Refusal `not_found`, also when the artist has no public page any more
 */
export async function loadConfirmationPage(
  context: Context,
  appointmentId: string,
  { change_token, calendar_file }: ConfirmationPageQuery,
  now: Instant,
): Promise<ConfirmationPage> {
  const { database, site } = context;
  const confirmation = await loadConfirmation(context, appointmentId, now);
  const { value: artist } = await loadArtist(context, confirmation.user.username, now);
  const account = await findArtistById(database, artist.id);
  const new_email =
    change_token === undefined ? null : await findNewEmail(context, confirmation, change_token);
  const page = { artist, confirmation, new_email, calendar_organizer: null };
  if (!account?.email_proven_at) return page;
  const current = account.public_email ?? site.senderEmail;
  let email = current;
  if (calendar_file && confirmation.confirmed)
    email = (await keepOrganizer(database, appointmentId, 'client', { ...site, current })) ?? email;
  return { ...page, calendar_organizer: { name: artist.full_name, email } };
}

/** The email to which a mailed link leads, whole; null unless it waits for this link. */
async function findNewEmail(
  { database, tokenKeys }: Context,
  { id, new_email_hint }: Confirmation,
  token: string,
): Promise<string | null> {
  if (new_email_hint === null) return null;
  const change = (await findEmailAndChange(database, id))?.change;
  if (!change) return null;
  const { from, to } = change;
  return readLink(tokenKeys, 'change client email', token, [id, from, to]) ? to : null;
}

/**
 * The design that clients can book; null if there is none, with `isGone` if this artist had it, but it is claimed,
 * hidden or deleted. An artist who has not finished signing up shows no design to book.
 */
async function findBookableDesign(
  { database, images }: Context,
  artist: Artist,
  designId: string | undefined,
): Promise<{
  readonly design: Design | null;
  readonly isGone: boolean;
  readonly limits: ReturnType<typeof editionLimits>;
}> {
  // Only the form of our own ids: other forms of one id would be cached separately.
  const isOwnForm = designId !== undefined && designId === Id.safeParse(designId).data;
  if (artist.scheduling_type === null || !isOwnForm)
    return { design: null, isGone: false, limits: editionLimits(artist.id, []) };
  const row = await findArtistDesign(database, artist.id, designId);
  const limits = editionLimits(artist.id, row ? [row] : []);
  const design = row ? toDesign(images, row) : null;
  if (design && isBookable(design)) return { design, isGone: false, limits };
  const isGone = design !== null || (await ownsDesign(database, artist.id, designId));
  return { design: null, isGone, limits };
}
