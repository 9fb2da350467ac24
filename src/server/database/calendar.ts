/** Reads what decides when clients can book an artist. `appointment_times.ts` describes the columns of the times. */
import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { AppointmentTime } from '#domain/appointments/appointment.ts';
import type { Calendar, TimeRange } from '#domain/booking/availability.ts';
import type { BooksSettings } from '#domain/booking/books.ts';
import type { LocalDate } from '#domain/time/calendar_date.ts';
import type { Instant } from '#domain/time/time.ts';
import { fromShortenedBefore, fullBufferEnd, toTstzrange } from './appointment_times.ts';
import { builtOnceFor } from './built_once.ts';
import type { Database } from './connect.ts';
import { epochMs } from './epoch_ms.ts';

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

type OfferTable = keyof typeof IS_OFFERED;

const PLACEHOLDER_SPAN: TimeRange = { start: -2, end: -1 };
/** For `findOfferedIn`. Its instants are before all times of appointments, so that no other parameter equals one. */
const PLACEHOLDERS = {
  id: 'the id',
  firstDate: 'the first date',
  lastDate: 'the last date',
  now: -3,
  /** As `selectCalendars` passes it on. */
  span: toTstzrange(PLACEHOLDER_SPAN),
};

/** The statements of `findCalendarOf`. Kysely would take longer to build one than PostgreSQL to answer it. */
const findOffered = {
  services: findOfferedIn('services'),
  designs: findOfferedIn('designs'),
};

function findOfferedIn(table: OfferTable) {
  return builtOnceFor(PLACEHOLDERS, (database, { id, ...query }) => {
    const offered = database
      .selectFrom(table)
      .select(['artist_id', 'duration_minutes'])
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .where(IS_OFFERED[table]);
    return selectCalendars(database, { ...query, span: PLACEHOLDER_SPAN })
      .innerJoin(offered.as('offered'), 'offered.artist_id', 'artists.id')
      .select(['artists.id', 'offered.duration_minutes']);
  });
}

/** Finds the calendar of the artist of a service or design, if the artist is active and clients see it. */
export async function findCalendarOf(
  database: Database,
  { table, id }: { readonly table: OfferTable; readonly id: string },
  query: Omit<CalendarQuery, 'exceptAppointmentId'>,
): Promise<OfferedCalendar | undefined> {
  const values = { id, ...query, span: toTstzrange(query.span) };
  const row = await findOffered[table](database, values);
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

/**
 * Selects calendars of active artists. One statement reads all tables, to save round trips. Each value of the query is a
 * parameter as it is, or as a Date: `builtOnceFor` replaces no other.
 */
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
          sql<(readonly [start: Instant, end: Instant, expiresAt: Instant | null])[]>`
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

/**
 * Lists the ids of artists with holds or offers past their deadline that still reserve time. In random order: if
 * the time is not enough for all, none is always the last.
 */
export async function listArtistsWithExpiredHolds(database: Database, now: Instant) {
  const rows = await database
    .selectFrom('appointment_times')
    .select('artist_id')
    .groupBy('artist_id')
    .where('occupies', '=', sql.lit(true))
    .where('expires_at', '<=', new Date(now))
    // A new time zone can end a hold. An undo gives it back, so none expires before the undo is over.
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM studio_changes
        WHERE studio_changes.artist_id = appointment_times.artist_id
          AND undone_at IS NULL AND undo_until > ${new Date(now)})`,
    )
    .orderBy(sql`random()`)
    .execute();
  return rows.map(({ artist_id }) => artist_id);
}
