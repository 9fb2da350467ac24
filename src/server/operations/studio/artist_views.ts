/** Artists as visitors see them, and as they see themselves. */
import { type Cacheable, DEFAULT_CACHE_POLICY, tag } from '#cache/policy.ts';
import type {
  Artist,
  ArtistListItem,
  CurrentArtist,
  OtherZone,
  PublicEmail,
} from '#contract/artist.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import {
  type BookingEligibility,
  canTakeBookings,
  eligibilityValidUntil,
} from '#domain/accounts/subscription.ts';
import { booksAt } from '#domain/booking/books.ts';
import { refuse } from '#domain/refusal.ts';
import { MAX_LISTED_IMAGES } from '#domain/requests/list_limits.ts';
import type { ImageKind } from '#domain/studio/artwork.ts';
import { socialProfileUrl } from '#domain/studio/social.ts';
import { offsetsRange } from '#domain/studio/studio_time.ts';
import { toStyles } from '#domain/studio/style.ts';
import { earliest, type Instant, SECOND_MS, toRfc3339 } from '#domain/time/time.ts';
import * as artists from '#server/database/artists.ts';
import { listPublicImages } from '#server/database/images.ts';
import type { ImageStore } from '#server/images/image_store.ts';
import {
  loadBookingEligibility,
  toBooksStatus,
  toSubscription,
} from '../booking/booking_eligibility.ts';
import { largestImageUrl, toSources } from '../catalogue/to_image.ts';
import type { Context } from '../context.ts';
import { countryOf, currencyOf } from '../currency.ts';
import { loadPublicArtist } from '../public_artist.ts';
import { toStudio, toStudioWithOffsets } from '../to_studio.ts';

/**
 * An artist as visitors see them.
 * @throws Refusal `not_found`, also for an inactive artist or a superuser
 */
export async function loadArtist(
  context: Context,
  username: string,
  now: Instant,
): Promise<Cacheable<Artist>> {
  const row = await loadPublicArtist(context, username);
  return toCacheableArtist(context, row, now);
}

/** How long a cache stores an answer, and serves it while it is rendered again. */
const MAX_CACHED_MS = (DEFAULT_CACHE_POLICY.maxAge + DEFAULT_CACHE_POLICY.swr) * SECOND_MS;

/** An artist as visitors see them, from the artist's row. */
export async function toCacheableArtist(
  context: Context,
  row: artists.PublicArtistRow,
  now: Instant,
): Promise<Cacheable<Artist>> {
  const eligibility = await loadBookingEligibility(context, row.id, now);
  const value = toArtist(context, row, eligibility, now);
  // The studio's offsets change with the month. This matters only while a cache may have the answer.
  const { isNewAt } = offsetsRange(row.time_zone, now);
  const until = earliest(
    eligibilityValidUntil(eligibility),
    booksAt(row, now).until,
    isNewAt - now < MAX_CACHED_MS ? isNewAt : null,
  );
  return { value, tags: [tag.artist(row.id)], until };
}

/** For the sitemap: the active artists who have finished signing up, ordered by username. */
export async function listFindableArtists(
  { database, images }: Context,
  page: PageQuery,
  now: Instant,
): Promise<Cacheable<ListPage<ArtistListItem>>> {
  const { rows, count } = await artists.listPublicArtists(database, page);
  const artistIds = rows.map(({ id }) => id);
  const publicImages = await listPublicImages(database, artistIds, MAX_LISTED_IMAGES);
  const imagesByArtist = Map.groupBy(publicImages, ({ artist_id }) => artist_id);
  const imagesOf = (artistId: string, imageKind: ImageKind) =>
    (imagesByArtist.get(artistId) ?? []).filter(({ kind }) => kind === imageKind);
  const imageUrls = (artistId: string, imageKind: ImageKind) =>
    imagesOf(artistId, imageKind).map(({ id, widths }) => largestImageUrl(images, id, widths));
  const data = rows.map(({ id, username, scheduling_type }) => ({
    username,
    scheduling_type,
    avatar_url: imageUrls(id, 'avatar')[0] ?? null,
    design_urls: imageUrls(id, 'design'),
    design_ids: imagesOf(id, 'design').flatMap(({ design_id }) => design_id ?? []),
    portfolio_urls: imageUrls(id, 'portfolio'),
  }));
  // No tags, because changes of so many artists would invalidate the list all the time. Instead,
  // the cached list expires at the default maximum age.
  const until = now + DEFAULT_CACHE_POLICY.maxAge * SECOND_MS;
  return { value: { data, count }, tags: [], until };
}

/** The artist's own view of their account. @throws Refusal `not_found` */
export async function loadCurrentArtist(
  context: Context,
  artistId: string,
  now: Instant,
): Promise<CurrentArtist> {
  const [row, schedule, eligibility] = await Promise.all([
    artists.findArtistById(context.database, artistId),
    artists.findArtistSchedule(context.database, artistId),
    loadBookingEligibility(context, artistId, now),
  ]);
  if (!row || !schedule) throw refuse('not_found');
  return toCurrentArtist(context, { row, schedule, eligibility }, now);
}

/** The offsets that a studio would have in this IANA zone. */
export async function previewZone(zone: string, now: Instant): Promise<OtherZone> {
  return { time_zone: zone, offsets: offsetsRange(zone, now).offsets };
}

/** All that an artist's own view shows. */
interface Account {
  readonly row: artists.OwnArtistRow;
  readonly schedule: artists.ArtistSchedule;
  readonly eligibility: BookingEligibility;
}

/** The artist's own view of their account, which superusers see too. */
export function toCurrentArtist(
  context: Context,
  { row, schedule: { booking_range, ...schedule }, eligibility }: Account,
  now: Instant,
): CurrentArtist {
  const artist = toArtist(context, row, eligibility, now);
  const { start, end } = offsetsRange(row.time_zone, now);
  return {
    ...artist,
    studio: toStudioWithOffsets(row, [row.created_at.getTime(), start, end]),
    email: row.email,
    books: { ...artist.books, state: row.books?.state ?? null },
    public_email: toPublicEmail(row),
    schedule: {
      // Copies, because the API's types accept no readonly arrays.
      weekly: schedule.weekly.map(({ weekday, windows }) => ({ weekday, windows: [...windows] })),
      exceptions: schedule.exceptions.map(({ date, windows }) => ({ date, windows: [...windows] })),
      slot_interval_minutes: schedule.slot_interval_minutes,
      buffer_minutes: schedule.buffer_minutes,
      minimum_notice_minutes: schedule.minimum_notice_minutes,
      client_cancel_notice_hours: schedule.client_cancel_notice_hours,
      client_move_notice_hours: schedule.client_move_notice_hours,
    },
    booking_range,
    is_active: row.is_active,
    is_superuser: row.is_superuser,
    // Hours before an appointment: the earliest reminder comes first.
    reminder_hours: row.reminder_hours.toSorted((a, b) => b - a),
    confirm_by_mail: row.confirm_by_mail,
    is_listed: row.is_listed,
    email_proven: row.email_proven_at !== null,
    pending_email: row.pending_email,
    country: countryOf(row),
    currency: currencyOf(row),
    booking_policy: row.booking_policy,
    deposit: row.deposit,
    subscription: toSubscription(eligibility),
    created_at: toRfc3339(row.created_at.getTime()),
  };
}

function toArtist(
  { images }: Context,
  row: artists.PublicArtistRow,
  eligibility: BookingEligibility,
  now: Instant,
): Artist {
  const books = booksAt(row, now);
  return {
    id: row.id,
    username: row.username,
    full_name: row.full_name,
    ...toAvatar(images, row),
    email: row.public_email,
    facebook_url: row.facebook && socialProfileUrl('facebook', row.facebook),
    instagram_url: row.instagram && socialProfileUrl('instagram', row.instagram),
    about_me: row.about_me,
    styles: toStyles(row.styles),
    scheduling_type: row.scheduling_type,
    studio: { ...toStudio(row), offsets: offsetsRange(row.time_zone, now).offsets },
    taking_bookings: books.isOpen && canTakeBookings(eligibility),
    books: toBooksStatus(books),
  };
}

function toPublicEmail({
  public_email_kind: kind,
  other_public_email: email,
}: Pick<artists.OwnArtistRow, 'public_email_kind' | 'other_public_email'>): PublicEmail {
  if (kind !== 'other') return { kind };
  return email === null ? { kind: 'none' } : { kind, email };
}

/** The URL and the sources of an artist's avatar, if there is one. */
export function toAvatar(
  images: ImageStore,
  {
    avatar_id: id,
    avatar_widths: widths,
    avatar_formats: formats,
  }: Pick<artists.PublicArtistRow, 'avatar_id' | 'avatar_widths' | 'avatar_formats'>,
): Pick<Artist, 'avatar_url' | 'avatar_sources'> {
  if (id === null || widths === null || formats === null)
    return { avatar_url: null, avatar_sources: [] };
  return {
    avatar_url: largestImageUrl(images, id, widths),
    avatar_sources: toSources(images, { id, widths, formats }),
  };
}
