/** Artists and superusers, with their studios and schedules. */
import { type Insertable, sql, type Updateable } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { type BookingRange, DEFAULT_BOOKING_RANGE } from '#domain/booking/booking_range.ts';
import { DEFAULT_SCHEDULE, type Schedule } from '#domain/booking/schedule.ts';
import { toMailbox } from '#domain/mail/mailbox.ts';
import { builtOnce } from './built_once.ts';
import type { Database, Transaction } from './connect.ts';
import { orByFormerUsername } from './former_usernames.ts';
import { hasRow } from './has_row.ts';
import { loadPage, type Pagination } from './pagination.ts';
import { matchesArtist } from './search.ts';
import type { Artists, Studios } from './tables.ts';

/** The address of a studio, without `name`, which most queries rename. */
export const ADDRESS_COLUMNS = [
  'studios.address_one',
  'studios.address_two',
  'studios.city',
  'studios.state',
  'studios.zip_code',
  'studios.time_zone',
] as const;

/** The email that the page of an artist shows; null if the artist wants none there. */
export const publicEmail = sql<string | null>`CASE artists.public_email_kind
  WHEN 'account' THEN artists.email
  WHEN 'other' THEN artists.other_public_email
END`;

/** Columns of artists with their page, of which `email` is the account's. */
const PUBLIC_COLUMNS = [
  'artists.id',
  'artists.username',
  'artists.full_name',
  'artists.email',
  'artists.facebook',
  'artists.instagram',
  'artists.about_me',
  'artists.styles',
  'artists.scheduling_type',
  'artists.avatar_id',
  'artists.studio_id',
  'artists.booking_policy',
  'artists.deposit',
  'artists.books',
  'schedules.booking_range',
  'studios.name as studio_name',
  ...ADDRESS_COLUMNS,
  'images.widths as avatar_widths',
  'images.formats as avatar_formats',
] as const;

/** Further columns that only the artist and superusers may see. */
const OWN_COLUMNS = [
  'artists.is_active',
  'artists.is_superuser',
  'artists.created_at',
  'artists.reminder_hours',
  'artists.confirm_by_mail',
  'artists.is_listed',
  'artists.email_proven_at',
  'artists.country',
  'artists.currency',
  'artists.public_email_kind',
  'artists.other_public_email',
  'email_changes.new_email as pending_email',
] as const;

function selectArtists(database: Database) {
  return database
    .selectFrom('artists')
    .innerJoin('studios', 'studios.id', 'artists.studio_id')
    .innerJoin('schedules', 'schedules.artist_id', 'artists.id')
    .leftJoin('images', 'images.id', 'artists.avatar_id')
    .select(PUBLIC_COLUMNS)
    .select(publicEmail.as('public_email'));
}

/** Selects the artists who have a public page: those who are active and not superusers. */
export function selectPublicArtists(database: Database) {
  return selectArtists(database)
    .where('artists.is_active', '=', true)
    .where('artists.is_superuser', '=', false);
}

/** Selects an artist with a public page. Usernames are stored in lower case. */
export function selectPublicArtist(database: Database, username: string) {
  const lowerCase = sql<string>`lower(${username})`;
  return selectPublicArtists(database).where('artists.username', '=', lowerCase);
}

function selectArtistsWithOwnColumns(database: Database) {
  return selectArtists(database)
    .leftJoin('email_changes', (join) =>
      join
        .onRef('email_changes.artist_id', '=', 'artists.id')
        .on('email_changes.applied_at', 'is', null)
        .on('email_changes.ended_at', 'is', null),
    )
    .select(OWN_COLUMNS);
}

export type PublicArtistRow = NonNullable<Awaited<ReturnType<typeof findPublicArtist>>>;
/** An artist with the columns of `OWN_COLUMNS`. */
export type OwnArtistRow = NonNullable<Awaited<ReturnType<typeof findArtistById>>>;

/** Finds an artist with a public page, by a present or former username without regard to case. */
export const findPublicArtist = orByFormerUsername(builtOnce(selectPublicArtist));

export function findPublicArtistById(database: Database, id: string) {
  return selectPublicArtists(database).where('artists.id', '=', id).executeTakeFirst();
}

/** Finds an artist or superuser, active or not, with the columns of `OWN_COLUMNS`. */
export function findArtistById(database: Database, id: string) {
  return selectArtistsWithOwnColumns(database).where('artists.id', '=', id).executeTakeFirst();
}

/** Lists artists with a public page who have finished signing up, ordered by username. */
export function listPublicArtists(database: Database, page: Pagination) {
  const artists = database
    .selectFrom('artists')
    .select(['id', 'username'])
    // Null until the artist finishes signing up; a condition below excludes null.
    .select((eb) => eb.ref('scheduling_type').$notNull().as('scheduling_type'))
    .where('is_active', '=', true)
    .where('is_superuser', '=', false)
    .where('scheduling_type', 'is not', null)
    .orderBy('username');
  return loadPage(artists, page);
}

/**
 * Finds the columns that a login checks, by email without regard to case. Each login token contains
 * the `token_version` of its creation, so raising the stored version revokes all earlier tokens.
 */
export function findCredentials(database: Database, email: string) {
  return database
    .selectFrom('artists')
    .select([
      'id',
      'email',
      'full_name',
      'created_at',
      'password_hash',
      'token_version',
      'is_active',
    ])
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst();
}

/**
 * Finds the active owner of a login token, if the token's version equals the stored version and its session
 * is stored, with the last use and the end of the session.
 */
export function findTokenOwner(
  database: Database,
  { artistId, version, sessionId }: { artistId: string; version: number; sessionId: string },
) {
  return database
    .selectFrom('artists')
    .innerJoin('sessions', (join) =>
      join.onRef('sessions.artist_id', '=', 'artists.id').on('sessions.id', '=', sessionId),
    )
    .select([
      'artists.id',
      'artists.is_superuser',
      'artists.email_proven_at',
      'sessions.last_used_at',
      'sessions.ended_at',
    ])
    .where('artists.id', '=', artistId)
    .where('artists.token_version', '=', version)
    .where('artists.is_active', '=', true)
    .executeTakeFirst();
}

/** Finds the hash of the artist's password, and the version of their login tokens. */
export function findPasswordHash(database: Database, id: string) {
  return database
    .selectFrom('artists')
    .select(['password_hash', 'token_version'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/**
 * Revokes the artist's login tokens by raising the stored `token_version`.
 * @param password_hash of a new password, if there is one
 * @returns the version for new tokens
 */
export async function revokeTokens(
  database: Database,
  id: string,
  password_hash?: string,
): Promise<number> {
  const { token_version } = await database
    .updateTable('artists')
    // Kysely leaves out an undefined field.
    .set({ password_hash, token_version: sql<number>`token_version + 1` })
    .where('id', '=', id)
    .returning('token_version')
    .executeTakeFirstOrThrow();
  return token_version;
}

/**
 * Lists all artists, including superusers and inactive artists, last created first.
 * @param search part of a username, an email or a full name; empty or undefined finds all
 */
export function listAllArtists(database: Database, search: string | undefined, page: Pagination) {
  const artists = selectArtistsWithOwnColumns(database)
    .where(matchesArtist(search ?? ''))
    .orderBy('artists.created_at', 'desc')
    .orderBy('artists.id');
  return loadPage(artists, page);
}

function selectSuperuser(database: Database) {
  return database
    .selectFrom('artists')
    .select('id')
    .where('is_superuser', '=', true)
    .limit(sql.lit(1));
}

/** Whether a superuser exists, active or not. */
export function hasSuperuser(database: Database): Promise<boolean> {
  return hasRow(selectSuperuser(database));
}

/** Whether a superuser exists who can log in. */
export function hasActiveSuperuser(database: Database): Promise<boolean> {
  return hasRow(selectSuperuser(database).where('is_active', '=', true));
}

/** Inserts an artist with their studio and the default schedule; returns the artist's id. */
export async function insertArtist(
  transaction: Transaction,
  artist: Omit<Insertable<Artists>, 'mailbox' | 'studio_id'>,
  studio: Insertable<Studios>,
): Promise<string> {
  const { id: studio_id } = await transaction
    .insertInto('studios')
    .values(studio)
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id } = await transaction
    .insertInto('artists')
    .values({ ...artist, mailbox: toMailbox(artist.email), studio_id })
    .returning('id')
    .executeTakeFirstOrThrow();
  // Without exceptions, which have a table of their own and none by default.
  const { weekly, exceptions: _, ...minutes } = DEFAULT_SCHEDULE;
  // The columns are JSON, but pg would send an array (`weekly`) as a PostgreSQL array.
  const json = {
    weekly: JSON.stringify(weekly),
    booking_range: JSON.stringify(DEFAULT_BOOKING_RANGE),
  };
  await transaction
    .insertInto('schedules')
    .values({ artist_id: id, ...minutes, ...json })
    .execute();
  return id;
}

export async function updateArtist(database: Database, id: string, changes: Updateable<Artists>) {
  // Kysely leaves out undefined fields, and an UPDATE without columns is not valid SQL.
  if (Object.values(changes).every((value) => value === undefined)) return;
  const mailbox = changes.email === undefined ? {} : { mailbox: toMailbox(changes.email) };
  await database
    .updateTable('artists')
    .set({ ...changes, ...mailbox })
    .where('id', '=', id)
    .execute();
}

/**
 * Stores that the artist's email is proven, unless it is already.
 * @returns false when nothing changed, because the artist has another email
 */
export function markEmailProven(
  transaction: Transaction,
  id: string,
  email: string,
): Promise<boolean> {
  const update = transaction
    .updateTable('artists')
    .set({ email_proven_at: sql`coalesce(email_proven_at, now())` })
    .where('id', '=', id)
    .where('email', '=', email);
  return hasRow(update.returning('id'));
}

/** Changes the row of the artist's current studio. Rows of former studios stay as they are. */
export async function updateStudio(
  database: Database,
  artistId: string,
  changes: Updateable<Studios>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await database
    .updateTable('studios')
    .from('artists')
    .set(changes)
    .whereRef('studios.id', '=', 'artists.studio_id')
    .where('artists.id', '=', artistId)
    .execute();
}

export interface ArtistSchedule extends Schedule {
  /** How far ahead clients may book. */
  readonly booking_range: BookingRange;
  /** Until how long before the start clients may cancel; null: never. */
  readonly client_cancel_notice_hours: number | null;
  /** Until how long before the start clients may move; null: never. */
  readonly client_move_notice_hours: number | null;
}

export async function findArtistSchedule(database: Database, artistId: string) {
  return (await listArtistSchedules(database, [artistId])).get(artistId);
}

/** Loads schedules by artist id, with all exceptions (dates with other hours), also past ones. */
export async function listArtistSchedules(
  database: Database,
  artistIds: readonly string[],
): Promise<Map<string, ArtistSchedule>> {
  if (artistIds.length === 0) return new Map();
  // With an array instead of IN, one prepared statement serves any number of ids.
  const hasOneOfTheIds = sql<boolean>`artist_id = any(${[...artistIds]}::uuid[])`;
  const rows = await database
    .selectFrom('schedules')
    .select([
      'artist_id',
      'weekly',
      'slot_interval_minutes',
      'buffer_minutes',
      'minimum_notice_minutes',
      'booking_range',
      'client_cancel_notice_hours',
      'client_move_notice_hours',
    ])
    .select(({ selectFrom }) => {
      const exceptions = selectFrom('schedule_exceptions')
        .select(['date', 'windows'])
        .whereRef('schedule_exceptions.artist_id', '=', 'schedules.artist_id')
        .orderBy('date');
      return jsonArrayFrom(exceptions).as('exceptions');
    })
    .where(hasOneOfTheIds)
    .execute();
  return new Map(rows.map(({ artist_id, ...schedule }) => [artist_id, schedule]));
}

/** Changes the given fields of the schedule. Given exceptions replace all earlier exceptions. */
export async function updateSchedule(
  transaction: Transaction,
  artistId: string,
  settings: { [K in keyof ArtistSchedule]?: ArtistSchedule[K] | undefined },
): Promise<void> {
  const { weekly, exceptions, booking_range, ...minutes } = settings;
  // Kysely leaves out undefined fields.
  const changes = {
    ...minutes,
    weekly: weekly && JSON.stringify(weekly),
    booking_range: booking_range && JSON.stringify(booking_range),
  };
  if (Object.values(changes).some((value) => value !== undefined))
    await transaction
      .updateTable('schedules')
      .set(changes)
      .where('artist_id', '=', artistId)
      .execute();
  if (exceptions === undefined) return;
  await transaction.deleteFrom('schedule_exceptions').where('artist_id', '=', artistId).execute();
  if (exceptions.length === 0) return;
  const rows = exceptions.map(({ date, windows }) => {
    return { artist_id: artistId, date, windows: JSON.stringify(windows) };
  });
  await transaction.insertInto('schedule_exceptions').values(rows).execute();
}

/**
 * Locks the artist's row, so that one transaction at a time counts the artist's rows and adds
 * some. Other rows may still refer to the artist meanwhile.
 */
export async function lockArtist(transaction: Transaction, artistId: string): Promise<void> {
  await transaction
    .selectFrom('artists')
    .select('id')
    .where('id', '=', artistId)
    .forNoKeyUpdate()
    .execute();
}
