import type { Artist, ArtistChanges, ArtistSelf, ListedArtist, Signup } from '#contract/artist.ts';
import type { Listed, PageQuery } from '#contract/common.ts';
import type { ScheduleChanges } from '#contract/schedule.ts';
import type { ImageKind } from '#domain/artwork.ts';
import { type BookingRange, NEW_BOOKING_RANGE } from '#domain/booking_range.ts';
import { tag, UNTIL_CLEARED } from '#domain/keeping.ts';
import { refuse } from '#domain/refusal.ts';
import { NEW_SCHEDULE, type Schedule } from '#domain/schedule.ts';
import { profileUrl } from '#domain/social.ts';
import { type Standing, standsUntil, takesBookings } from '#domain/subscription.ts';
import { type Instant, rfc3339 } from '#domain/time.ts';
import * as artists from '#server/database/artists.ts';
import { brokenConstraint, type Database } from '#server/database/connect.ts';
import { listShownPictures } from '#server/database/images.ts';
import { dropRecovery } from '#server/database/recoveries.ts';
import type { ImageStore } from '#server/images/store.ts';
import { changeCalendar, clearing } from './clearing.ts';
import type { Keepable } from './keepable.ts';
import { accountFactsOf, notify } from './notify.ts';
import type { Parts } from './parts.ts';
import { hashPassword } from './password.ts';
import { largestUrl, sourcesOf } from './pictures.ts';
import { readStanding, showSubscription } from './standing.ts';
import { showStudio } from './studio.ts';
import { changeStudio } from './studio_move.ts';

/** Of each kind, of one artist in a list of many. */
const MOST_LISTED_PICTURES = 50;

/** @throws Refusal `username_taken`, `email_taken` */
export async function signUp(parts: Parts, signup: Signup): Promise<ArtistSelf> {
  return createArtist(parts, signup, { is_active: true, is_superuser: false });
}

/** @throws Refusal `username_taken`, `email_taken` */
export async function createArtist(
  parts: Parts,
  account: Omit<Signup, 'confirm_password'>,
  role: { readonly is_active: boolean; readonly is_superuser: boolean },
): Promise<ArtistSelf> {
  const { email, full_name, username, password, studio_name } = account;
  const { address_one, address_two, city, state, zip_code, time_zone } = account;
  const password_hash = await hashPassword(password);
  const id = await refusingTaken(() =>
    clearing(parts, [tag.username(username)], () =>
      parts.database.transaction().execute(async (transaction) => {
        const id = await artists.insertArtist(
          transaction,
          { email, full_name, username, password_hash, ...role },
          { name: studio_name, address_one, address_two, city, state, zip_code, time_zone },
          NEW_SCHEDULE,
          NEW_BOOKING_RANGE,
        );
        const artist = { ...accountFactsOf({ id, full_name, email }), username };
        await notify(parts, transaction, id, [{ kind: 'welcome', artist }]);
        return id;
      }),
    ),
  );
  return readSelf(parts, id);
}

/** The public artist of a username. */
export async function readArtist(
  parts: Parts,
  username: string,
  now: Instant,
): Promise<Keepable<Artist>> {
  const row = await artists.findArtist(parts.database, username);
  if (!row) throw refuse('not_found');
  const standing = await readStanding(parts, row.id, now);
  return {
    answer: showArtist(parts, row, standing),
    tags: [tag.artist(row.id)],
    until: standsUntil(standing),
  };
}

/** Everyone whom search engines may know of, by username. */
export async function listFindableArtists(
  { database, images }: Parts,
  page: PageQuery,
  now: Instant,
): Promise<Keepable<Listed<ListedArtist>>> {
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
  const until = now + UNTIL_CLEARED.maxAge * 1000;
  return { answer: { data, count }, tags: [], until };
}

export async function readSelf(parts: Parts, artistId: string): Promise<ArtistSelf> {
  const [row, hours] = await Promise.all([
    artists.findArtistById(parts.database, artistId),
    artists.readHours(parts.database, artistId),
  ]);
  if (!row || !hours) throw refuse('not_found');
  return showSelf(parts, row, hours, await readStanding(parts, row.id, Date.now()));
}

/** An artist as they see themselves. */
export function showSelf(
  parts: Parts,
  row: artists.OwnArtistRow,
  hours: artists.Hours,
  standing: Standing,
): ArtistSelf {
  return {
    ...showArtist(parts, row, standing),
    schedule: showSchedule(hours.schedule),
    booking_range: hours.bookingRange,
    is_active: row.is_active,
    is_superuser: row.is_superuser,
    reminder_hours: row.reminder_hours.toSorted((one, other) => other - one),
    subscription: showSubscription(standing),
    created_at: rfc3339(row.created_at.getTime()),
  };
}

function showSchedule(schedule: Schedule): ArtistSelf['schedule'] {
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
  parts: Parts,
  artistId: string,
  changes: ArtistChanges,
): Promise<ArtistSelf> {
  await saveProfile(parts, artistId, changes);
  return readSelf(parts, artistId);
}

/**
 * Saves what the artist says of themselves, and whatever is to be saved with it.
 * @throws Refusal `not_found`, `username_taken`, `email_taken`
 */
export async function saveProfile(
  parts: Parts,
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
    clearing(parts, tags, () =>
      changeCalendar(parts, artistId, async (transaction, now) => {
        if (!(await artists.findArtistById(transaction, artistId))) throw refuse('not_found');
        await artists.updateArtist(transaction, artistId, profile);
        if (profile.email !== undefined) await dropRecovery(transaction, artistId);
        await changeStudio(parts, transaction, artistId, studio ?? {}, now);
        await andAlso(transaction);
      }),
    ),
  );
}

export async function changeSchedule(
  parts: Parts,
  artistId: string,
  changes: ScheduleChanges,
): Promise<ArtistSelf> {
  await changeCalendar(parts, artistId, (database) =>
    artists.updateHours(database, artistId, changes),
  );
  return readSelf(parts, artistId);
}

export async function changeBookingRange(
  parts: Parts,
  artistId: string,
  range: BookingRange,
): Promise<ArtistSelf> {
  await changeCalendar(parts, artistId, (database) =>
    artists.updateBookingRange(database, artistId, range),
  );
  return readSelf(parts, artistId);
}

function showArtist({ images }: Parts, row: artists.ArtistRow, standing: Standing): Artist {
  return {
    id: row.id,
    username: row.username,
    full_name: row.full_name,
    ...showAvatar(images, row),
    email: row.email,
    facebook_url: row.facebook && profileUrl('facebook', row.facebook),
    instagram_url: row.instagram && profileUrl('instagram', row.instagram),
    about_me: row.about_me,
    scheduling_type: row.scheduling_type,
    studio: showStudio(row),
    taking_bookings: takesBookings(standing),
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
