import { sql } from 'kysely';
import type { AppointmentStatus, AppointmentTime } from '#domain/appointment.ts';
import type { Calendar, TimeRange } from '#domain/availability.ts';
import type { Instant, LocalDate } from '#domain/time.ts';
import type { Database } from './connect.ts';

/** For what an artist's calendar is read. */
export interface CalendarQuery {
  /** The dates whose exceptions count, both included. */
  readonly firstDate: LocalDate;
  readonly lastDate: LocalDate;
  /** What is blocked outside of it does not matter. */
  readonly span: TimeRange;
  /** A hold that has lapsed by then blocks nothing. */
  readonly now: Instant;
}

/** What an appointment blocks; until it lapses, when it is a hold or an offer. */
interface BlockedTime extends TimeRange {
  readonly expiresAt: Instant | null;
}

/** A calendar of which is known how long it stays as it is. */
export interface ArtistCalendar extends Calendar {
  readonly blocked: readonly BlockedTime[];
}

/** All that decides when an active artist can be booked. */
export async function findCalendar(
  database: Database,
  artistId: string,
  question: CalendarQuery,
): Promise<ArtistCalendar | undefined> {
  const row = await selectCalendars(database, question)
    .where('artists.id', '=', artistId)
    .executeTakeFirst();
  return row && toCalendar(row);
}

/** The same for the artist of an available service, and how long that takes. */
export async function findCalendarByService(
  database: Database,
  serviceId: string,
  question: CalendarQuery,
): Promise<{ artistId: string; durationMinutes: number; calendar: ArtistCalendar } | undefined> {
  const row = await selectCalendars(database, question)
    .innerJoin('services', 'services.artist_id', 'artists.id')
    .select(['services.artist_id', 'services.duration_minutes'])
    .where('services.id', '=', serviceId)
    .where('services.is_available', '=', true)
    .where('services.deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const { artist_id: artistId, duration_minutes: durationMinutes } = row;
  return { artistId, durationMinutes, calendar: toCalendar(row) };
}

/** One question and not one for each table: each costs a way to the database and back. */
function selectCalendars(
  database: Database,
  { firstDate: first, lastDate: last, span, now }: CalendarQuery,
) {
  return database
    .selectFrom('artists')
    .innerJoin('places', 'places.id', 'artists.studio_id')
    .innerJoin('schedules', 'schedules.artist_id', 'artists.id')
    .select([
      'places.time_zone',
      'schedules.weekly',
      'schedules.slot_interval_minutes',
      'schedules.buffer_minutes',
      'schedules.minimum_notice_minutes',
      'schedules.booking_range',
    ])
    .select(({ selectFrom }) => [
      selectFrom('schedule_exceptions')
        .whereRef('schedule_exceptions.artist_id', '=', 'artists.id')
        .where('date', '>=', first)
        .where('date', '<=', last)
        .select(
          sql<Calendar['schedule']['exceptions']>`
            json_agg(json_build_object('date', date, 'windows', windows))
          `.as('exceptions'),
        )
        .as('exceptions'),
      selectFrom('appointment_times')
        .whereRef('appointment_times.artist_id', '=', 'artists.id')
        .where('occupies', '=', true)
        .where('blocked', '&&', toTstzrange(span))
        .where(({ or, eb }) =>
          or([eb('lapses_at', 'is', null), eb('lapses_at', '>', new Date(now))]),
        )
        .select(
          sql<[start: Instant, end: Instant, expiresAt: Instant | null][]>`
            json_agg(json_build_array(
              (extract(epoch FROM lower(blocked)) * 1000)::bigint,
              (extract(epoch FROM upper(blocked)) * 1000)::bigint,
              (extract(epoch FROM lapses_at) * 1000)::bigint) ORDER BY lower(blocked))
          `.as('blocked'),
        )
        .as('blocked'),
    ])
    .where('artists.is_active', '=', true);
}

type CalendarRow = NonNullable<
  Awaited<ReturnType<ReturnType<typeof selectCalendars>['executeTakeFirst']>>
>;

function toCalendar(row: CalendarRow): ArtistCalendar {
  const { weekly, slot_interval_minutes, buffer_minutes, minimum_notice_minutes } = row;
  const minutes = { slot_interval_minutes, buffer_minutes, minimum_notice_minutes };
  return {
    zone: row.time_zone,
    bookingRange: row.booking_range,
    schedule: { weekly, exceptions: row.exceptions ?? [], ...minutes },
    blocked: (row.blocked ?? []).map(([start, end, expiresAt]) => ({ start, end, expiresAt })),
  };
}

/** Minutes that the artist keeps free after an appointment. */
export async function loadBufferMinutes(database: Database, artistId: string): Promise<number> {
  const { buffer_minutes } = await database
    .selectFrom('schedules')
    .select('buffer_minutes')
    .where('artist_id', '=', artistId)
    .executeTakeFirstOrThrow();
  return buffer_minutes;
}

/**
 * Lets go of lapsed holds and offers that overlap a span; their appointments become expired.
 * @param span null for all of the artist's
 * @param exceptAppointmentId stays as it is
 * @returns the ids of those that became expired, and what they were
 */
export function expireHolds(
  database: Database,
  artistId: string,
  span: TimeRange | null,
  now: Instant,
  exceptAppointmentId?: string,
): Promise<{ id: string; was: AppointmentStatus }[]> {
  return database
    .with('released', (cte) =>
      cte
        .updateTable('appointment_times')
        .from('appointments')
        .set({ occupies: false })
        .whereRef('appointments.id', '=', 'appointment_times.appointment_id')
        .where('appointment_times.artist_id', '=', artistId)
        .where('occupies', '=', true)
        .where('lapses_at', '<=', new Date(now))
        .$if(span !== null, (query) => query.where('blocked', '&&', span && toTstzrange(span)))
        .$if(exceptAppointmentId !== undefined, (query) =>
          query.where('appointment_id', '!=', exceptAppointmentId ?? ''),
        )
        .returning(['appointment_id', 'appointments.status as was']),
    )
    .updateTable('appointments')
    .from('released')
    .set({ status: 'expired', version: sql`version + 1`, updated_at: sql`now()` })
    .whereRef('appointments.id', '=', 'released.appointment_id')
    .where('status', 'in', ['held', 'offered'])
    .returning(['appointments.id', 'released.was'])
    .execute();
}

/** Who has holds or offers that have lapsed and still keep their time. */
export async function listArtistsWithExpiredHolds(
  database: Database,
  now: Instant,
): Promise<string[]> {
  const rows = await database
    .selectFrom('appointment_times')
    .select('artist_id')
    .distinct()
    .where('occupies', '=', true)
    .where('lapses_at', '<=', new Date(now))
    .execute();
  return rows.map(({ artist_id }) => artist_id);
}

/** A time to keep, with all that the table wants to know of it. */
export interface ReservedTime extends AppointmentTime {
  readonly appointmentId: string;
  readonly artistId: string;
  readonly studioId: string;
  /** The time and the buffer after it. */
  readonly blocked: TimeRange;
}

/** Makes this the time that the appointment keeps, in place of any it had. */
export async function reserveTime(database: Database, time: ReservedTime): Promise<void> {
  await database
    .deleteFrom('appointment_times')
    .where('appointment_id', '=', time.appointmentId)
    .execute();
  await database
    .insertInto('appointment_times')
    .values({
      appointment_id: time.appointmentId,
      artist_id: time.artistId,
      place_id: time.studioId,
      during: toTstzrange(time),
      blocked: toTstzrange(time.blocked),
      occupies: true,
      lapses_at: time.expiresAt === null ? null : new Date(time.expiresAt),
    })
    .execute();
}

/** The appointment's time is kept for good, also when it had been let go. */
export async function confirmTime(database: Database, appointmentId: string): Promise<void> {
  await database
    .updateTable('appointment_times')
    .set({ occupies: true, lapses_at: null })
    .where('appointment_id', '=', appointmentId)
    .execute();
}

/** The appointment keeps its time no longer; when it was stays known. */
export async function releaseTime(database: Database, appointmentId: string): Promise<void> {
  await database
    .updateTable('appointment_times')
    .set({ occupies: false, lapses_at: null })
    .where('appointment_id', '=', appointmentId)
    .execute();
}

/** `[start, end)` as PostgreSQL writes it. */
export function toTstzrange({ start, end }: TimeRange): string {
  return `[${new Date(start).toISOString()},${new Date(end).toISOString()})`;
}
