import { type Insertable, sql, type Updateable } from 'kysely';
import type { BookingRange } from '#domain/booking_range.ts';
import type { Schedule } from '#domain/schedule.ts';
import type { Database } from './connect.ts';
import type { Artists, Places } from './tables.ts';

const PUBLIC_COLUMNS = [
  'artists.id',
  'artists.username',
  'artists.full_name',
  'artists.email',
  'artists.facebook',
  'artists.instagram',
  'artists.about_me',
  'artists.scheduling_type',
  'artists.avatar_id',
  'artists.studio_id',
  'artists.is_active',
  'artists.is_superuser',
  'artists.created_at',
  'places.name as studio_name',
  'places.address_one',
  'places.address_two',
  'places.city',
  'places.state',
  'places.zip_code',
  'places.time_zone',
  'images.widths as avatar_widths',
] as const;

function selectArtists(database: Database) {
  return database
    .selectFrom('artists')
    .innerJoin('places', 'places.id', 'artists.studio_id')
    .leftJoin('images', 'images.id', 'artists.avatar_id')
    .select(PUBLIC_COLUMNS);
}

export type ArtistRow = NonNullable<Awaited<ReturnType<typeof findArtist>>>;

/** An active artist by username, in any case of letters; a superuser has no public page. */
export function findArtist(database: Database, username: string) {
  return selectArtists(database)
    .where('artists.username', '=', username.toLowerCase())
    .where('artists.is_active', '=', true)
    .where('artists.is_superuser', '=', false)
    .executeTakeFirst();
}

/** An artist by id, active or not. */
export function findArtistById(database: Database, id: string): Promise<ArtistRow | undefined> {
  return selectArtists(database).where('artists.id', '=', id).executeTakeFirst();
}

export type ActiveArtist = NonNullable<Awaited<ReturnType<typeof findActiveArtist>>>;

/** As much of an active artist as booking and listing need. */
export function findActiveArtist(database: Database, username: string) {
  return database
    .selectFrom('artists')
    .innerJoin('places', 'places.id', 'artists.studio_id')
    .select(['artists.id', 'artists.scheduling_type', 'artists.studio_id', 'places.time_zone'])
    .where('artists.username', '=', username.toLowerCase())
    .where('artists.is_active', '=', true)
    .where('artists.is_superuser', '=', false)
    .executeTakeFirst();
}

/** What a login is judged by. */
export function findCredentials(database: Database, email: string) {
  return database
    .selectFrom('artists')
    .select(['id', 'password_hash', 'token_version', 'is_active'])
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst();
}

/** Whom a token of that version speaks for. */
export function findBearer(database: Database, id: string, tokenVersion: number) {
  return database
    .selectFrom('artists')
    .select('id')
    .where('id', '=', id)
    .where('token_version', '=', tokenVersion)
    .where('is_active', '=', true)
    .executeTakeFirst();
}

/** Whether anyone runs the place. */
export async function hasSuperuser(database: Database): Promise<boolean> {
  const anyone = await database
    .selectFrom('artists')
    .select('id')
    .where('is_superuser', '=', true)
    .limit(1)
    .executeTakeFirst();
  return anyone !== undefined;
}

/** Inserts an artist with their studio and a first schedule. */
export async function insertArtist(
  database: Database,
  artist: Omit<Insertable<Artists>, 'studio_id'>,
  studio: Insertable<Places>,
  schedule: Schedule,
  bookingRange: BookingRange,
): Promise<string> {
  const place = await database
    .insertInto('places')
    .values(studio)
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id } = await database
    .insertInto('artists')
    .values({ ...artist, studio_id: place.id })
    .returning('id')
    .executeTakeFirstOrThrow();
  await database
    .insertInto('schedules')
    .values({
      artist_id: id,
      weekly: JSON.stringify(schedule.weekly),
      slot_interval_minutes: schedule.slot_interval_minutes,
      buffer_minutes: schedule.buffer_minutes,
      minimum_notice_minutes: schedule.minimum_notice_minutes,
      booking_range: JSON.stringify(bookingRange),
    })
    .execute();
  await replaceExceptions(database, id, schedule.exceptions);
  return id;
}

/** Changes the artist's own row; nothing to change is fine. */
export async function updateArtist(
  database: Database,
  id: string,
  changes: Updateable<Artists>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await database.updateTable('artists').set(changes).where('id', '=', id).execute();
}

/** Changes the artist's studio; nothing to change is fine. */
export async function updateStudio(
  database: Database,
  artistId: string,
  changes: Updateable<Places>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await database
    .updateTable('places')
    .from('artists')
    .set(changes)
    .whereRef('places.id', '=', 'artists.studio_id')
    .where('artists.id', '=', artistId)
    .execute();
}

/** The whole schedule and booking range, every exception included. */
export async function readHours(
  database: Database,
  artistId: string,
): Promise<{ schedule: Schedule; bookingRange: BookingRange }> {
  const [{ booking_range, ...hours }, exceptions] = await Promise.all([
    database
      .selectFrom('schedules')
      .select([
        'weekly',
        'slot_interval_minutes',
        'buffer_minutes',
        'minimum_notice_minutes',
        'booking_range',
      ])
      .where('artist_id', '=', artistId)
      .executeTakeFirstOrThrow(),
    database
      .selectFrom('schedule_exceptions')
      .select(['date', 'windows'])
      .where('artist_id', '=', artistId)
      .orderBy('date')
      .execute(),
  ]);
  return { schedule: { ...hours, exceptions }, bookingRange: booking_range };
}

/** Changes parts of the schedule; what is left out keeps its value. */
export async function updateHours(
  database: Database,
  artistId: string,
  { weekly, exceptions, ...minutes }: { [K in keyof Schedule]?: Schedule[K] | undefined },
): Promise<void> {
  const changes = {
    ...minutes,
    ...(weekly === undefined ? {} : { weekly: JSON.stringify(weekly) }),
  };
  if (Object.values(changes).some((value) => value !== undefined))
    await database
      .updateTable('schedules')
      .set(changes)
      .where('artist_id', '=', artistId)
      .execute();
  if (exceptions !== undefined) await replaceExceptions(database, artistId, exceptions);
}

/** How far ahead clients may book. */
export async function updateBookingRange(
  database: Database,
  artistId: string,
  bookingRange: BookingRange,
): Promise<void> {
  await database
    .updateTable('schedules')
    .set({ booking_range: JSON.stringify(bookingRange) })
    .where('artist_id', '=', artistId)
    .execute();
}

async function replaceExceptions(
  database: Database,
  artistId: string,
  exceptions: Schedule['exceptions'],
): Promise<void> {
  await database.deleteFrom('schedule_exceptions').where('artist_id', '=', artistId).execute();
  if (exceptions.length === 0) return;
  await database
    .insertInto('schedule_exceptions')
    .values(
      exceptions.map(({ date, windows }) => ({
        artist_id: artistId,
        date,
        windows: JSON.stringify(windows),
      })),
    )
    .execute();
}
