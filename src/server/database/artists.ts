import {
  type Insertable,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
  type Updateable,
} from 'kysely';
import type { BookingRange } from '#domain/booking_range.ts';
import type { Schedule } from '#domain/schedule.ts';
import type { Database } from './connect.ts';
import { loadPage, type Pagination, TOTAL_COUNT } from './pagination.ts';
import { toLikePattern } from './search.ts';
import { ADDRESS_COLUMNS } from './studios.ts';
import type { Artists, DB, Places } from './tables.ts';

/** What everyone sees of an artist, and the ids that lead to the rest of it. */
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
  'places.name as studio_name',
  ...ADDRESS_COLUMNS,
  'images.widths as avatar_widths',
  'images.formats as avatar_formats',
] as const;

/** What only the artist and superusers see, beside the public columns. */
const OWN_COLUMNS = [
  'artists.is_active',
  'artists.is_superuser',
  'artists.created_at',
  'artists.reminder_hours',
] as const;

function selectArtists(database: Database) {
  return database
    .selectFrom('artists')
    .innerJoin('places', 'places.id', 'artists.studio_id')
    .leftJoin('images', 'images.id', 'artists.avatar_id')
    .select(PUBLIC_COLUMNS);
}

function selectPublicArtists(database: Database) {
  return selectArtists(database)
    .where('artists.is_active', '=', true)
    .where('artists.is_superuser', '=', false);
}

function selectOwnArtists(database: Database) {
  return selectArtists(database).select(OWN_COLUMNS);
}

/** The public columns of an artist. */
export type PublicArtistRow = NonNullable<Awaited<ReturnType<typeof findPublicArtist>>>;
/** An artist as they see themselves. */
export type OwnArtistRow = NonNullable<Awaited<ReturnType<typeof findArtistById>>>;

/** An active artist by username, in any case of letters; a superuser has no public page. */
export function findPublicArtist(database: Database, username: string) {
  return selectPublicArtists(database)
    .where('artists.username', '=', username.toLowerCase())
    .executeTakeFirst();
}

/** The same by id. */
export function findPublicArtistById(database: Database, id: string) {
  return selectPublicArtists(database).where('artists.id', '=', id).executeTakeFirst();
}

/** An artist by id, active or not, with what only they see. */
export function findArtistById(database: Database, id: string) {
  return selectOwnArtists(database).where('artists.id', '=', id).executeTakeFirst();
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

/** Active artists who have finished signing up, no superusers among them; by username. */
export function listPublicArtists(database: Database, page: Pagination) {
  const all = database
    .selectFrom('artists')
    .where('is_active', '=', true)
    .where('is_superuser', '=', false)
    .where('scheduling_type', 'is not', null);
  return loadPage(
    all
      .select(['id', 'username'])
      .select((row) => row.ref('scheduling_type').$notNull().as('scheduling_type'))
      .orderBy('username'),
    all.select(TOTAL_COUNT),
    page,
  );
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
export function findTokenOwner(database: Database, id: string, tokenVersion: number) {
  return database
    .selectFrom('artists')
    .select(['id', 'is_superuser'])
    .where('id', '=', id)
    .where('token_version', '=', tokenVersion)
    .where('is_active', '=', true)
    .executeTakeFirst();
}

/** What a new password is judged by. */
export function findPasswordHash(database: Database, id: string) {
  return database
    .selectFrom('artists')
    .select(['password_hash', 'token_version'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/**
 * Sets a password, so that tokens of before end; answers the version that new ones are signed for.
 * @param ifVersion undefined is answered, and nothing changed, when it is another one by now
 */
export async function updatePassword(
  database: Database,
  id: string,
  passwordHash: string,
  ifVersion?: number,
): Promise<number | undefined> {
  const changed = await database
    .updateTable('artists')
    .set({ password_hash: passwordHash, token_version: sql<number>`token_version + 1` })
    .where('id', '=', id)
    .$if(ifVersion !== undefined, (query) => query.where('token_version', '=', ifVersion ?? 0))
    .returning('token_version')
    .executeTakeFirst();
  return changed?.token_version;
}

/** The tokens that are out end; the password stays. */
export async function revokeTokens(database: Database, id: string): Promise<void> {
  await database
    .updateTable('artists')
    .set({ token_version: sql<number>`token_version + 1` })
    .where('id', '=', id)
    .execute();
}

/** Artists, superusers and those who are not active included; the newest first. */
export function listAllArtists(database: Database, search: string | undefined, page: Pagination) {
  const pattern = toLikePattern(search ?? '');
  const found = <T extends keyof DB, Row>(query: SelectQueryBuilder<DB, T | 'artists', Row>) =>
    query.where(
      sql<SqlBool>`(artists.username ILIKE ${pattern} OR artists.email ILIKE ${pattern}
        OR artists.full_name ILIKE ${pattern})`,
    );
  return loadPage(
    found(selectOwnArtists(database)).orderBy('artists.created_at', 'desc').orderBy('artists.id'),
    found(database.selectFrom('artists').select(TOTAL_COUNT)),
    page,
  );
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

/** Whether anyone who can log in runs the place. */
export async function hasActiveSuperuser(database: Database): Promise<boolean> {
  const anyone = await database
    .selectFrom('artists')
    .select('id')
    .where('is_superuser', '=', true)
    .where('is_active', '=', true)
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
  await replaceScheduleExceptions(database, id, schedule.exceptions);
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

/** When an artist works, and how far ahead clients may book. */
export interface ArtistSchedule {
  readonly schedule: Schedule;
  readonly bookingRange: BookingRange;
}

/** The whole schedule and booking range, every exception included. */
export async function findArtistSchedule(
  database: Database,
  artistId: string,
): Promise<ArtistSchedule | undefined> {
  return (await listArtistSchedules(database, [artistId])).get(artistId);
}

/** The hours of several artists, by their ids. */
export async function listArtistSchedules(
  database: Database,
  artistIds: readonly string[],
): Promise<Map<string, ArtistSchedule>> {
  if (artistIds.length === 0) return new Map();
  const [schedules, exceptions] = await Promise.all([
    database
      .selectFrom('schedules')
      .select([
        'artist_id',
        'weekly',
        'slot_interval_minutes',
        'buffer_minutes',
        'minimum_notice_minutes',
        'booking_range',
      ])
      .where(sql<boolean>`artist_id = any(${[...artistIds]}::uuid[])`)
      .execute(),
    database
      .selectFrom('schedule_exceptions')
      .select(['artist_id', 'date', 'windows'])
      .where(sql<boolean>`artist_id = any(${[...artistIds]}::uuid[])`)
      .orderBy('date')
      .execute(),
  ]);
  const datesOf = Map.groupBy(exceptions, ({ artist_id }) => artist_id);
  return new Map(
    schedules.map(({ artist_id, booking_range, ...hours }) => [
      artist_id,
      {
        schedule: { ...hours, exceptions: datesOf.get(artist_id) ?? [] },
        bookingRange: booking_range,
      },
    ]),
  );
}

/** Changes parts of the schedule; what is left out keeps its value. */
export async function updateSchedule(
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
  if (exceptions !== undefined) await replaceScheduleExceptions(database, artistId, exceptions);
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

async function replaceScheduleExceptions(
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
