/**
 * Reads the times that block an artist's calendar, and reserves and releases them. The columns of
 * `appointment_times`: `during` is the appointment, `blocked` adds the buffer after it, `occupies`
 * says whether the time is reserved, `expires_at` is the client's deadline to confirm a hold or an offer.
 */
import { type Insertable, type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { AppointmentTime } from '#domain/appointments/appointment.ts';
import {
  type BufferedTime,
  blockedRange,
  type Calendar,
  type TimeRange,
} from '#domain/booking/availability.ts';
import type { BooksSettings } from '#domain/booking/books.ts';
import { agreedTimeAt } from '#domain/studio/agreed_time.ts';
import type { LocalDate } from '#domain/time/calendar_date.ts';
import type { Instant } from '#domain/time/time.ts';
import { toAgreedColumns } from './agreed_times.ts';
import type { Database, Transaction } from './connect.ts';
import { epochMs } from './epoch_ms.ts';
import type { AppointmentTimes } from './tables.ts';

/** The part of a calendar to load. */
export interface CalendarQuery {
  /** Exceptions from the weekly hours are loaded from `firstDate` to `lastDate`, inclusive. */
  readonly firstDate: LocalDate;
  readonly lastDate: LocalDate;
  /** Only blocked times that overlap this range, with their buffers, are loaded. */
  readonly span: TimeRange;
  /** A hold or offer whose deadline is at or before `now` blocks nothing. */
  readonly now: Instant;
  /** An appointment whose own time blocks nothing, because it will be given up. */
  readonly exceptAppointmentId?: string | undefined;
}

/** All that decides when clients can book an artist, with the deadlines of unconfirmed times. */
export interface ArtistCalendar extends Calendar {
  readonly zone: string;
  readonly books: BooksSettings;
  /** Buffers are included. `expiresAt` is the client's deadline; null if no confirmation is due. */
  readonly blocked: readonly AppointmentTime[];
}

/** Where the buffer of the row `kept` of `appointment_times` ends, if no later time shortens it. */
const fullBufferEnd = sql`upper(kept.during) + make_interval(mins => schedules.buffer_minutes)`;

/** The id of the time whose buffer a later time had shortened; null without one. */
export type Shortened = string | null;

/**
 * Selects a column of the reserved time `kept` whose buffer the row of the surrounding statement has shortened: it
 * ends where the row begins, and the artist's present buffer is longer. How long it was when booked is not stored.
 */
function fromShortenedBefore<T>(column: RawBuilder<unknown>, isKept = sql`true`) {
  return sql<T>`(
    SELECT ${column} FROM appointment_times AS kept JOIN schedules ON schedules.artist_id = kept.artist_id
    WHERE kept.artist_id = appointment_times.artist_id AND kept.occupies AND ${isKept}
      AND kept.blocked -|- appointment_times.blocked
      AND upper(kept.blocked) = lower(appointment_times.blocked)
      AND ${fullBufferEnd} > upper(kept.blocked)
  )`;
}

/** For RETURNING of statements that release times; `lengthenBuffers` takes the result. */
export const shortenedBefore = fromShortenedBefore<Shortened>(sql`kept.id`);

/** Finds the data that decides when clients can book; undefined for an inactive artist. */
export async function findCalendar(database: Database, artistId: string, query: CalendarQuery) {
  const row = await selectCalendars(database, query)
    .where('artists.id', '=', artistId)
    .executeTakeFirst();
  return row && toCalendar(row);
}

/** Loads the calendars of these artists by their ids; inactive artists have none. */
export async function listCalendars(
  database: Database,
  artistIds: readonly string[],
  query: CalendarQuery,
): Promise<Map<string, ArtistCalendar>> {
  if (artistIds.length === 0) return new Map();
  const rows = await selectCalendars(database, query)
    .select('artists.id')
    .where(sql<boolean>`artists.id = any(${[...artistIds]}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, toCalendar(row)]));
}

/** The calendar of an artist, and the length of the service or design that they offer. */
type OfferedCalendar = {
  readonly artistId: string;
  readonly durationMinutes: number;
  readonly calendar: ArtistCalendar;
};

/** By table: whether clients see the service or design, and it has a length of its own. */
const IS_OFFERED = {
  services: sql<boolean>`is_available`,
  designs: sql<boolean>`status IN ('available', 'claimed') AND duration_minutes IS NOT NULL`,
};

/** Finds the calendar of the artist of a service or design, if the artist is active and clients see it. */
export async function findCalendarOf(
  database: Database,
  { table, id }: { readonly table: keyof typeof IS_OFFERED; readonly id: string },
  query: CalendarQuery,
): Promise<OfferedCalendar | undefined> {
  const offered = database
    .selectFrom(table)
    .select(['artist_id', 'duration_minutes'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where(IS_OFFERED[table]);
  const row = await selectCalendars(database, query)
    .innerJoin(offered.as('offered'), 'offered.artist_id', 'artists.id')
    .select(['artists.id', 'offered.duration_minutes'])
    .executeTakeFirst();
  if (!row || row.duration_minutes === null) return undefined;
  return { artistId: row.id, durationMinutes: row.duration_minutes, calendar: toCalendar(row) };
}

/**
 * Finds the calendar of an artist, and the different lengths of bookable services and designs, in minutes, the
 * longest first; undefined for an inactive artist.
 */
export async function findCalendarWithDurations(
  database: Database,
  artistId: string,
  query: CalendarQuery,
) {
  const durations = sql<number[]>`ARRAY(
    SELECT duration_minutes AS minutes FROM services
    WHERE artist_id = ${artistId} AND is_available AND deleted_at IS NULL
    UNION
    SELECT duration_minutes FROM designs
    WHERE artist_id = ${artistId} AND status = 'available' AND deleted_at IS NULL
      AND duration_minutes IS NOT NULL
    ORDER BY minutes DESC)`;
  const row = await selectCalendars(database, query)
    .select(durations.as('durations'))
    .where('artists.id', '=', artistId)
    .executeTakeFirst();
  return row && { calendar: toCalendar(row), durations: row.durations };
}

/** Selects calendars of active artists. One statement reads all tables, to save round trips. */
export function selectCalendars(database: Database, query: CalendarQuery) {
  const { firstDate, lastDate, span, now, exceptAppointmentId } = query;
  // After its deadline, a time no longer shortens the buffer before it: what it blocks is the rest of that buffer.
  // `expireHolds` stores that later.
  const isKept = sql`(kept.expires_at IS NULL OR kept.expires_at > ${new Date(now)})
    AND kept.appointment_id IS DISTINCT FROM ${exceptAppointmentId ?? null}::uuid`;
  const blockedUntil = sql`CASE WHEN expires_at <= ${new Date(now)}
    THEN ${fromShortenedBefore(fullBufferEnd, isKept)} ELSE upper(blocked) END`;
  return database
    .selectFrom('artists')
    .innerJoin('studios', 'studios.id', 'artists.studio_id')
    .innerJoin('schedules', 'schedules.artist_id', 'artists.id')
    .select([
      'artists.books',
      'artists.scheduling_type',
      'studios.time_zone',
      'schedules.weekly',
      'schedules.slot_interval_minutes',
      'schedules.buffer_minutes',
      'schedules.minimum_notice_minutes',
      'schedules.booking_range',
    ])
    .select(({ selectFrom }) => [
      // Each subquery returns its rows as one JSON array.
      jsonArrayFrom(
        selectFrom('schedule_exceptions')
          .select(['date', 'windows'])
          .whereRef('schedule_exceptions.artist_id', '=', 'artists.id')
          .where('date', '>=', firstDate)
          .where('date', '<=', lastDate),
      ).as('exceptions'),
      selectFrom('appointment_times')
        .whereRef('appointment_times.artist_id', '=', 'artists.id')
        .where('occupies', '=', sql.lit(true))
        .$if(exceptAppointmentId !== undefined, (times) =>
          times.where('appointment_id', '!=', exceptAppointmentId ?? null),
        )
        // `&&` is PostgreSQL's operator for ranges that overlap.
        .where('blocked', '&&', toTstzrange(span))
        .where(sql<boolean>`${blockedUntil} IS NOT NULL`)
        .select(
          sql<[start: Instant, end: Instant, expiresAt: Instant | null][]>`
            json_agg(json_build_array(${epochMs(sql`lower(blocked)`)}, ${epochMs(blockedUntil)},
              ${epochMs(sql`CASE WHEN expires_at > ${new Date(now)} THEN expires_at END`)})
              ORDER BY lower(blocked))
          `.as('blocked'),
        )
        .as('blocked'),
    ])
    .where('artists.is_active', '=', true);
}

type CalendarRow = NonNullable<
  Awaited<ReturnType<ReturnType<typeof selectCalendars>['executeTakeFirst']>>
>;

/** Converts a row of `selectCalendars`. */
export function toCalendar(row: CalendarRow): ArtistCalendar {
  const { books, scheduling_type, booking_range, time_zone } = row;
  const { weekly, exceptions, slot_interval_minutes, buffer_minutes, minimum_notice_minutes } = row;
  const minutes = { slot_interval_minutes, buffer_minutes, minimum_notice_minutes };
  return {
    zone: time_zone,
    books: { books, scheduling_type, booking_range, time_zone },
    bookingRange: booking_range,
    schedule: { weekly, exceptions, ...minutes },
    // `json_agg` of no rows is null.
    blocked: (row.blocked ?? []).map(([start, end, expiresAt]) => ({ start, end, expiresAt })),
  };
}

/** Lists the ids of artists with holds or offers past their deadline that still reserve time. */
export async function listArtistsWithExpiredHolds(database: Database, now: Instant) {
  const rows = await database
    .selectFrom('appointment_times')
    .select('artist_id')
    .distinct()
    .where('occupies', '=', sql.lit(true))
    .where('expires_at', '<=', new Date(now))
    // A new time zone can end a hold. An undo gives it back, so none expires before the undo is over.
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM studio_changes
        WHERE studio_changes.artist_id = appointment_times.artist_id
          AND undone_at IS NULL AND undo_until > ${new Date(now)})`,
    )
    .execute();
  return rows.map(({ artist_id }) => artist_id);
}

/** A time of an appointment, to be stored. */
export interface ReservedTime extends AppointmentTime, BufferedTime {
  readonly appointmentId: string;
  readonly artistId: string;
  readonly studioId: string;
  /** The studio's zone, in which the time is agreed now. */
  readonly zone: string;
  /** False stores the time and leaves it free for others until the client confirms. */
  readonly isReserved: boolean;
}

/** The row of a time, for a statement that inserts it. */
export function toTimeRow(time: ReservedTime): Insertable<AppointmentTimes> {
  return {
    appointment_id: time.appointmentId,
    artist_id: time.artistId,
    studio_id: time.studioId,
    during: toTstzrange(time),
    blocked: toTstzrange(blockedRange(time)),
    occupies: time.isReserved,
    expires_at: time.expiresAt === null ? null : new Date(time.expiresAt),
    ...toAgreedColumns(agreedTimeAt(time.zone, time.start)),
  };
}

/** Reserves a time for an appointment, and deletes the appointment's earlier time, if any. */
export async function reserveTime(transaction: Transaction, time: ReservedTime): Promise<void> {
  const released = await transaction
    .deleteFrom('appointment_times')
    .where('appointment_id', '=', time.appointmentId)
    .where('artist_id', '=', time.artistId)
    .returning(shortenedBefore.as('shortened'))
    .execute();
  await transaction.insertInto('appointment_times').values(toTimeRow(time)).execute();
  await lengthenBuffers(transaction, time.artistId, released);
}

/**
 * Ends the buffers of the artist's times with these ids at `end`, if they go on then.
 * `lengthenBuffers` gives them their length back later.
 */
export async function shortenBuffers(
  database: Database,
  artistId: string,
  ids: readonly string[],
  end: Instant,
): Promise<void> {
  if (ids.length === 0) return;
  await database
    .updateTable('appointment_times')
    .set({ blocked: sql<string>`tstzrange(lower(blocked), ${new Date(end)})` })
    .where('id', 'in', ids)
    .where('artist_id', '=', artistId)
    .where(sql<boolean>`upper(during) <= ${new Date(end)} AND upper(blocked) > ${new Date(end)}`)
    .execute();
}

/** Deletes the times of the artist's appointments, such as those of offers that ended. */
export async function deleteTimes(
  transaction: Transaction,
  artistId: string,
  appointmentIds: readonly string[],
) {
  if (appointmentIds.length === 0) return;
  const released = await transaction
    .deleteFrom('appointment_times')
    .where('appointment_id', 'in', appointmentIds)
    .where('artist_id', '=', artistId)
    .returning(shortenedBefore.as('shortened'))
    .execute();
  await lengthenBuffers(transaction, artistId, released);
}

/**
 * Gives shortened buffers their length back after the times that followed them were released: up to the
 * next kept time.
 */
export async function lengthenBuffers(
  transaction: Transaction,
  artistId: string,
  released: readonly { readonly shortened?: Shortened }[],
): Promise<void> {
  const ids = released.flatMap(({ shortened }) => shortened ?? []);
  if (ids.length === 0) return;
  await sql`
    UPDATE appointment_times AS kept
    SET blocked = tstzrange(lower(blocked), least(${fullBufferEnd}, (
      SELECT min(lower(next.blocked)) FROM appointment_times AS next
      WHERE next.artist_id = kept.artist_id AND next.occupies
        AND next.blocked && tstzrange(upper(kept.blocked), ${fullBufferEnd})
    )))
    FROM schedules
    WHERE schedules.artist_id = kept.artist_id AND kept.artist_id = ${artistId} AND occupies
      AND kept.id = any(${ids}::uuid[]) AND ${fullBufferEnd} > upper(kept.blocked)
  `.execute(transaction);
}

/** Converts to the text of PostgreSQL's range type `tstzrange`: start included, end excluded. */
export function toTstzrange({ start, end }: TimeRange): string {
  return `[${new Date(start).toISOString()},${new Date(end).toISOString()})`;
}
