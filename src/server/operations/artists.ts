import type { Cacheable } from '#cache/policy.ts';
import { DEFAULT_CACHE_POLICY, tag } from '#cache/policy.ts';
import type {
  Artist,
  ArtistChanges,
  ArtistListItem,
  CurrentArtist,
  Signup,
} from '#contract/artist.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import type { ScheduleChanges } from '#contract/schedule.ts';
import type { ImageKind } from '#domain/artwork.ts';
import { type BookingRange, DEFAULT_BOOKING_RANGE } from '#domain/booking_range.ts';
import { refuse } from '#domain/refusal.ts';
import { DEFAULT_SCHEDULE, type Schedule } from '#domain/schedule.ts';
import { socialProfileUrl } from '#domain/social.ts';
import {
  type BookingEligibility,
  canTakeBookings,
  eligibilityValidUntil,
} from '#domain/subscription.ts';
import { type Instant, toRfc3339 } from '#domain/time.ts';
import * as artists from '#server/database/artists.ts';
import { type Database, violatedConstraint } from '#server/database/connect.ts';
import { listPublicImages } from '#server/database/images.ts';
import { deletePasswordRecovery } from '#server/database/password_recoveries.ts';
import type { ImageStore } from '#server/images/image_store.ts';
import { loadBookingEligibility, toSubscription } from './booking_eligibility.ts';
import type { Context } from './context.ts';
import { invalidating, updateCalendar } from './invalidating.ts';
import { notify, toAccountFacts } from './notify.ts';
import { hashPassword } from './password.ts';
import { applyStudioChanges } from './studio_move.ts';
import { largestImageUrl, toSources } from './to_image.ts';
import { toStudio } from './to_studio.ts';

/** Of each kind, of one artist in a list of many. */
const MAX_LISTED_IMAGES = 50;

/** @throws Refusal `username_taken`, `email_taken` */
export async function signUp(context: Context, signup: Signup): Promise<CurrentArtist> {
  return createArtist(context, signup, { is_active: true, is_superuser: false });
}

/** @throws Refusal `username_taken`, `email_taken` */
export async function createArtist(
  context: Context,
  account: Omit<Signup, 'confirm_password'>,
  role: { readonly is_active: boolean; readonly is_superuser: boolean },
): Promise<CurrentArtist> {
  const { email, full_name, username, password, studio_name } = account;
  const { address_one, address_two, city, state, zip_code, time_zone } = account;
  const password_hash = await hashPassword(password);
  const id = await withTakenRefusals(() =>
    invalidating(context, [tag.username(username)], () =>
      context.database.transaction().execute(async (transaction) => {
        const id = await artists.insertArtist(
          transaction,
          { email, full_name, username, password_hash, ...role },
          { name: studio_name, address_one, address_two, city, state, zip_code, time_zone },
          DEFAULT_SCHEDULE,
          DEFAULT_BOOKING_RANGE,
        );
        const artist = { ...toAccountFacts({ id, full_name, email }), username };
        await notify(context, transaction, id, [{ kind: 'welcome', artist }]);
        return id;
      }),
    ),
  );
  return loadArtistSelf(context, id);
}

/** The public artist of a username. */
export async function loadArtist(
  context: Context,
  username: string,
  now: Instant,
): Promise<Cacheable<Artist>> {
  const row = await artists.findPublicArtist(context.database, username);
  if (!row) throw refuse('not_found');
  const standing = await loadBookingEligibility(context, row.id, now);
  return {
    value: toArtist(context, row, standing),
    tags: [tag.artist(row.id)],
    until: eligibilityValidUntil(standing),
  };
}

/** Everyone whom search engines may know of, by username. */
export async function listFindableArtists(
  { database, images }: Context,
  page: PageQuery,
  now: Instant,
): Promise<Cacheable<ListPage<ArtistListItem>>> {
  const { rows, count } = await artists.listPublicArtists(database, page);
  const pictures = Map.groupBy(
    await listPublicImages(
      database,
      rows.map(({ id }) => id),
      MAX_LISTED_IMAGES,
    ),
    ({ artist_id, kind }) => `${kind} of ${artist_id}`,
  );
  const urlsOf = (kind: ImageKind, artistId: string) =>
    (pictures.get(`${kind} of ${artistId}`) ?? []).map(({ id, widths }) =>
      largestImageUrl(images, id, widths),
    );
  const data = rows.map(({ id, username, scheduling_type }) => ({
    username,
    scheduling_type,
    avatar_url: urlsOf('avatar', id)[0] ?? null,
    design_urls: urlsOf('design', id),
    portfolio_urls: urlsOf('portfolio', id),
  }));
  // Of so many artists, any change would clear it: who is new is found a little later.
  const until = now + DEFAULT_CACHE_POLICY.maxAge * 1000;
  return { value: { data, count }, tags: [], until };
}

export async function loadArtistSelf(context: Context, artistId: string): Promise<CurrentArtist> {
  const [row, hours] = await Promise.all([
    artists.findArtistById(context.database, artistId),
    artists.findArtistSchedule(context.database, artistId),
  ]);
  if (!row || !hours) throw refuse('not_found');
  return toArtistSelf(
    context,
    row,
    hours,
    await loadBookingEligibility(context, row.id, Date.now()),
  );
}

/** An artist as they see themselves. */
export function toArtistSelf(
  context: Context,
  row: artists.OwnArtistRow,
  hours: artists.ArtistSchedule,
  standing: BookingEligibility,
): CurrentArtist {
  return {
    ...toArtist(context, row, standing),
    schedule: toSchedule(hours.schedule),
    booking_range: hours.bookingRange,
    is_active: row.is_active,
    is_superuser: row.is_superuser,
    reminder_hours: row.reminder_hours.toSorted((one, other) => other - one),
    subscription: toSubscription(standing),
    created_at: toRfc3339(row.created_at.getTime()),
  };
}

function toSchedule(schedule: Schedule): CurrentArtist['schedule'] {
  return {
    weekly: schedule.weekly.map(({ weekday, windows }) => ({ weekday, windows: [...windows] })),
    exceptions: schedule.exceptions.map(({ date, windows }) => ({ date, windows: [...windows] })),
    slot_interval_minutes: schedule.slot_interval_minutes,
    buffer_minutes: schedule.buffer_minutes,
    minimum_notice_minutes: schedule.minimum_notice_minutes,
  };
}

/** @throws Refusal `username_taken`, `email_taken` */
export async function updateArtistProfile(
  context: Context,
  artistId: string,
  changes: ArtistChanges,
): Promise<CurrentArtist> {
  await saveProfile(context, artistId, changes);
  return loadArtistSelf(context, artistId);
}

/**
 * Saves what the artist says of themselves, and whatever is to be saved with it.
 * @throws Refusal `not_found`, `username_taken`, `email_taken`
 */
export async function saveProfile(
  context: Context,
  artistId: string,
  { studio, ...profile }: ArtistChanges,
  andAlso: (transaction: Database) => Promise<void> = async () => {},
): Promise<void> {
  const tags = [
    tag.artist(artistId),
    ...(profile.username ? [tag.username(profile.username)] : []),
  ];
  // A studio that moves takes along what is on the calendar.
  await withTakenRefusals(() =>
    invalidating(context, tags, () =>
      updateCalendar(context, artistId, async (transaction, now) => {
        if (!(await artists.findArtistById(transaction, artistId))) throw refuse('not_found');
        await artists.updateArtist(transaction, artistId, profile);
        if (profile.email !== undefined) await deletePasswordRecovery(transaction, artistId);
        await applyStudioChanges(context, transaction, artistId, studio ?? {}, now);
        await andAlso(transaction);
      }),
    ),
  );
}

export async function updateSchedule(
  context: Context,
  artistId: string,
  changes: ScheduleChanges,
): Promise<CurrentArtist> {
  await updateCalendar(context, artistId, (database) =>
    artists.updateSchedule(database, artistId, changes),
  );
  return loadArtistSelf(context, artistId);
}

export async function updateBookingRange(
  context: Context,
  artistId: string,
  range: BookingRange,
): Promise<CurrentArtist> {
  await updateCalendar(context, artistId, (database) =>
    artists.updateBookingRange(database, artistId, range),
  );
  return loadArtistSelf(context, artistId);
}

function toArtist(
  { images }: Context,
  row: artists.PublicArtistRow,
  standing: BookingEligibility,
): Artist {
  return {
    id: row.id,
    username: row.username,
    full_name: row.full_name,
    ...toAvatar(images, row),
    email: row.email,
    facebook_url: row.facebook && socialProfileUrl('facebook', row.facebook),
    instagram_url: row.instagram && socialProfileUrl('instagram', row.instagram),
    about_me: row.about_me,
    scheduling_type: row.scheduling_type,
    studio: toStudio(row),
    taking_bookings: canTakeBookings(standing),
  };
}

function toAvatar(
  images: ImageStore,
  { avatar_id: id, avatar_widths: widths, avatar_formats: formats }: artists.PublicArtistRow,
): Pick<Artist, 'avatar_url' | 'avatar_sources'> {
  if (id === null || widths === null || formats === null)
    return { avatar_url: null, avatar_sources: [] };
  return {
    avatar_url: largestImageUrl(images, id, widths),
    avatar_sources: toSources(images, { id, widths, formats }),
  };
}

const REFUSAL_BY_CONSTRAINT = {
  artists_username: 'username_taken',
  artists_email: 'email_taken',
} as const;

async function withTakenRefusals<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === 'artists_username' || constraint === 'artists_email')
      throw refuse(REFUSAL_BY_CONSTRAINT[constraint]);
    throw error;
  }
}
