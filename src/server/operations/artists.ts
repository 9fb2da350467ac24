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
import { brokenConstraint, type Database } from '#server/database/connect.ts';
import { listShownPictures } from '#server/database/images.ts';
import { dropRecovery } from '#server/database/recoveries.ts';
import type { ImageStore } from '#server/images/store.ts';
import type { Context } from './context.ts';
import { invalidating, updateCalendar } from './invalidating.ts';
import { accountFactsOf, notify } from './notify.ts';
import { hashPassword } from './password.ts';
import { largestUrl, sourcesOf } from './pictures.ts';
import { readStanding, showSubscription } from './standing.ts';
import { showStudio } from './studio.ts';
import { changeStudio } from './studio_move.ts';

/** Of each kind, of one artist in a list of many. */
const MOST_LISTED_PICTURES = 50;

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
  const id = await refusingTaken(() =>
    invalidating(context, [tag.username(username)], () =>
      context.database.transaction().execute(async (transaction) => {
        const id = await artists.insertArtist(
          transaction,
          { email, full_name, username, password_hash, ...role },
          { name: studio_name, address_one, address_two, city, state, zip_code, time_zone },
          DEFAULT_SCHEDULE,
          DEFAULT_BOOKING_RANGE,
        );
        const artist = { ...accountFactsOf({ id, full_name, email }), username };
        await notify(context, transaction, id, [{ kind: 'welcome', artist }]);
        return id;
      }),
    ),
  );
  return readSelf(context, id);
}

/** The public artist of a username. */
export async function readArtist(
  context: Context,
  username: string,
  now: Instant,
): Promise<Cacheable<Artist>> {
  const row = await artists.findArtist(context.database, username);
  if (!row) throw refuse('not_found');
  const standing = await readStanding(context, row.id, now);
  return {
    value: showArtist(context, row, standing),
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
  const { rows, count } = await artists.listFindableArtists(database, page);
  const pictures = Map.groupBy(
    await listShownPictures(
      database,
      rows.map(({ id }) => id),
      MOST_LISTED_PICTURES,
    ),
    ({ artist_id, kind }) => `${kind} of ${artist_id}`,
  );
  const urlsOf = (kind: ImageKind, artistId: string) =>
    (pictures.get(`${kind} of ${artistId}`) ?? []).map(({ id, widths }) =>
      largestUrl(images, id, widths),
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

export async function readSelf(context: Context, artistId: string): Promise<CurrentArtist> {
  const [row, hours] = await Promise.all([
    artists.findArtistById(context.database, artistId),
    artists.readHours(context.database, artistId),
  ]);
  if (!row || !hours) throw refuse('not_found');
  return showSelf(context, row, hours, await readStanding(context, row.id, Date.now()));
}

/** An artist as they see themselves. */
export function showSelf(
  context: Context,
  row: artists.OwnArtistRow,
  hours: artists.Hours,
  standing: BookingEligibility,
): CurrentArtist {
  return {
    ...showArtist(context, row, standing),
    schedule: showSchedule(hours.schedule),
    booking_range: hours.bookingRange,
    is_active: row.is_active,
    is_superuser: row.is_superuser,
    reminder_hours: row.reminder_hours.toSorted((one, other) => other - one),
    subscription: showSubscription(standing),
    created_at: toRfc3339(row.created_at.getTime()),
  };
}

function showSchedule(schedule: Schedule): CurrentArtist['schedule'] {
  return {
    weekly: schedule.weekly.map(({ weekday, windows }) => ({ weekday, windows: [...windows] })),
    exceptions: schedule.exceptions.map(({ date, windows }) => ({ date, windows: [...windows] })),
    slot_interval_minutes: schedule.slot_interval_minutes,
    buffer_minutes: schedule.buffer_minutes,
    minimum_notice_minutes: schedule.minimum_notice_minutes,
  };
}

/** @throws Refusal `username_taken`, `email_taken` */
export async function changeArtist(
  context: Context,
  artistId: string,
  changes: ArtistChanges,
): Promise<CurrentArtist> {
  await saveProfile(context, artistId, changes);
  return readSelf(context, artistId);
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
  await refusingTaken(() =>
    invalidating(context, tags, () =>
      updateCalendar(context, artistId, async (transaction, now) => {
        if (!(await artists.findArtistById(transaction, artistId))) throw refuse('not_found');
        await artists.updateArtist(transaction, artistId, profile);
        if (profile.email !== undefined) await dropRecovery(transaction, artistId);
        await changeStudio(context, transaction, artistId, studio ?? {}, now);
        await andAlso(transaction);
      }),
    ),
  );
}

export async function changeSchedule(
  context: Context,
  artistId: string,
  changes: ScheduleChanges,
): Promise<CurrentArtist> {
  await updateCalendar(context, artistId, (database) =>
    artists.updateHours(database, artistId, changes),
  );
  return readSelf(context, artistId);
}

export async function changeBookingRange(
  context: Context,
  artistId: string,
  range: BookingRange,
): Promise<CurrentArtist> {
  await updateCalendar(context, artistId, (database) =>
    artists.updateBookingRange(database, artistId, range),
  );
  return readSelf(context, artistId);
}

function showArtist(
  { images }: Context,
  row: artists.ArtistRow,
  standing: BookingEligibility,
): Artist {
  return {
    id: row.id,
    username: row.username,
    full_name: row.full_name,
    ...showAvatar(images, row),
    email: row.email,
    facebook_url: row.facebook && socialProfileUrl('facebook', row.facebook),
    instagram_url: row.instagram && socialProfileUrl('instagram', row.instagram),
    about_me: row.about_me,
    scheduling_type: row.scheduling_type,
    studio: showStudio(row),
    taking_bookings: canTakeBookings(standing),
  };
}

function showAvatar(
  images: ImageStore,
  { avatar_id: id, avatar_widths: widths, avatar_formats: formats }: artists.ArtistRow,
): Pick<Artist, 'avatar_url' | 'avatar_sources'> {
  if (id === null || widths === null || formats === null)
    return { avatar_url: null, avatar_sources: [] };
  return {
    avatar_url: largestUrl(images, id, widths),
    avatar_sources: sourcesOf(images, { id, widths, formats }),
  };
}

const TAKEN = { artists_username: 'username_taken', artists_email: 'email_taken' } as const;

async function refusingTaken<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    const constraint = brokenConstraint(error);
    if (constraint === 'artists_username' || constraint === 'artists_email')
      throw refuse(TAKEN[constraint]);
    throw error;
  }
}
