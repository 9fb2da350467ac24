import type { Artist, ArtistChanges, ArtistSelf, Signup } from '#contract/artist.ts';
import type { ContactMessage, KeptMessage } from '#contract/contact.ts';
import type { ScheduleChanges } from '#contract/schedule.ts';
import { type BookingRange, NEW_BOOKING_RANGE } from '#domain/booking_range.ts';
import { refuse } from '#domain/refusal.ts';
import { NEW_SCHEDULE, type Schedule } from '#domain/schedule.ts';
import { profileUrl } from '#domain/social.ts';
import { rfc3339 } from '#domain/time.ts';
import * as artists from '#server/database/artists.ts';
import { inCalendarOf } from '#server/database/calendar_transaction.ts';
import { brokenConstraint } from '#server/database/connect.ts';
import { insertMessage } from '#server/database/messages.ts';
import type { Parts } from './parts.ts';
import { hashPassword } from './password.ts';
import { largestUrl } from './pictures.ts';
import { showStudio } from './studio.ts';

/** @throws Refusal `username_taken`, `email_taken` */
export async function signUp(parts: Parts, signup: Signup): Promise<ArtistSelf> {
  const { email, full_name, username, password, studio_name } = signup;
  const { address_one, address_two, city, state, zip_code, time_zone } = signup;
  const password_hash = await hashPassword(password);
  const id = await refusingTaken(() =>
    parts.database
      .transaction()
      .execute((transaction) =>
        artists.insertArtist(
          transaction,
          { email, full_name, username, password_hash },
          { name: studio_name, address_one, address_two, city, state, zip_code, time_zone },
          NEW_SCHEDULE,
          NEW_BOOKING_RANGE,
        ),
      ),
  );
  return readSelf(parts, id);
}

/** The public artist of a username. */
export async function readArtist(parts: Parts, username: string): Promise<Artist> {
  const row = await artists.findArtist(parts.database, username);
  if (!row) throw refuse('not_found');
  return showArtist(parts, row);
}

export async function readSelf(parts: Parts, artistId: string): Promise<ArtistSelf> {
  const [row, hours] = await Promise.all([
    artists.findArtistById(parts.database, artistId),
    artists.readHours(parts.database, artistId),
  ]);
  if (!row) throw refuse('not_found');
  return {
    ...showArtist(parts, row),
    schedule: showSchedule(hours.schedule),
    booking_range: hours.bookingRange,
    is_active: row.is_active,
    is_superuser: row.is_superuser,
    subscription: null,
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
  { studio, ...profile }: ArtistChanges,
): Promise<ArtistSelf> {
  await refusingTaken(() =>
    parts.database.transaction().execute(async (transaction) => {
      await artists.updateArtist(transaction, artistId, profile);
      await artists.updateStudio(transaction, artistId, studio ?? {});
    }),
  );
  return readSelf(parts, artistId);
}

export async function changeSchedule(
  parts: Parts,
  artistId: string,
  changes: ScheduleChanges,
): Promise<ArtistSelf> {
  await inCalendarOf(parts.database, artistId, (database) =>
    artists.updateHours(database, artistId, changes),
  );
  return readSelf(parts, artistId);
}

export async function changeBookingRange(
  parts: Parts,
  artistId: string,
  range: BookingRange,
): Promise<ArtistSelf> {
  await inCalendarOf(parts.database, artistId, (database) =>
    artists.updateBookingRange(database, artistId, range),
  );
  return readSelf(parts, artistId);
}

/** Keeps a visitor's message for the artist. */
export async function leaveMessage(
  parts: Parts,
  username: string,
  { name, email, message }: ContactMessage,
): Promise<KeptMessage> {
  const artist = await artists.findActiveArtist(parts.database, username);
  if (!artist) throw refuse('not_found');
  const kept = await insertMessage(parts.database, { artist_id: artist.id, name, email, message });
  return { id: kept.id, name, email, message, created_at: rfc3339(kept.created_at.getTime()) };
}

function showArtist({ images }: Parts, row: artists.ArtistRow): Artist {
  return {
    id: row.id,
    username: row.username,
    full_name: row.full_name,
    avatar_url:
      row.avatar_id && row.avatar_widths
        ? largestUrl(images, row.avatar_id, row.avatar_widths)
        : null,
    email: row.email,
    facebook_url: row.facebook && profileUrl('facebook', row.facebook),
    instagram_url: row.instagram && profileUrl('instagram', row.instagram),
    about_me: row.about_me,
    scheduling_type: row.scheduling_type,
    studio: showStudio(row),
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
