/**
 * Reads the facts that decide about a wanted booking, with one statement, because other bookings wait
 * meanwhile for the lock of the calendar.
 */
import { sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import type { WantedBooking } from '#domain/booking/booking_checks.ts';
import { toTstzrange } from './appointment_times.ts';
import { isBlocked, type Sender } from './blocked_senders.ts';
import { type CountedSender, type RequestCounts, selectRequestCounts } from './booking_limits.ts';
import { type CalendarQuery, selectCalendars, toCalendar } from './calendar.ts';
import type { Database } from './connect.ts';
import { countUses } from './editions.ts';

/** Further facts to find with the same statement. Without a field, its facts are null. */
export interface BookableOptions {
  /** The sender of a request, whom the artist may have blocked. */
  readonly sender?: Sender;
  /** The request's header `Idempotency-Key`: an earlier request may have had it too. */
  readonly idempotencyKey?: string | undefined;
  /** The sender whose earlier requests are counted for limits. */
  readonly counted?: CountedSender;
}

/**
 * Finds the facts that decide whether a client gets the booking; undefined for an inactive artist.
 * `earlierId` is the appointment of an earlier request with the key.
 */
export async function findBookable(
  database: Database,
  {
    artistId,
    serviceId,
    designId,
    sender,
    own,
    idempotencyKey,
    counted,
  }: WantedBooking & BookableOptions,
  query: CalendarQuery,
) {
  const counts = counted ? selectRequestCounts(counted, query.now) : sql`SELECT NULL WHERE false`;
  const isSenderBlocked = sender ? isBlocked(artistId, sender) : sql`NULL`;
  const row = await selectCalendars(database, { ...query, exceptAppointmentId: own?.id })
    .select([
      'artists.studio_id as studioId',
      sql<boolean | null>`${isSenderBlocked}`.as('isSenderBlocked'),
      sql<RequestCounts | null>`(SELECT to_json(counts) FROM (${counts}) AS counts)`.as('counts'),
    ])
    .select(({ selectFrom }) => [
      selectFrom('appointments')
        .select('appointments.id')
        .where('appointments.artist_id', '=', artistId)
        .where('idempotency_key', '=', idempotencyKey ?? null)
        .as('earlierId'),
      jsonObjectFrom(
        selectFrom('services')
          .select(['duration_minutes', 'price'])
          .select(sql<boolean>`is_available AND deleted_at IS NULL`.as('isAvailable'))
          .where('services.id', '=', serviceId)
          .where('services.artist_id', '=', artistId),
      ).as('service'),
      jsonObjectFrom(
        selectFrom('designs')
          .leftJoin('services as own', 'own.id', 'designs.service_id')
          .select(['designs.duration_minutes', 'designs.price', 'editions', 'service_id'])
          .select([
            sql<boolean>`designs.status = 'available' AND designs.deleted_at IS NULL`.as(
              'isAvailable',
            ),
            sql<boolean>`coalesce(own.is_available AND own.deleted_at IS NULL, false)`.as(
              'isServiceAvailable',
            ),
            countUses(query.now, own).as('used'),
          ])
          .where('designs.id', '=', designId)
          .where('designs.artist_id', '=', artistId),
      ).as('design'),
      sql<boolean>`EXISTS (
        SELECT FROM appointment_times WHERE appointment_times.artist_id = artists.id AND occupies
          AND expires_at <= ${new Date(query.now)} AND blocked && ${toTstzrange(query.span)}
      )`.as('hasExpiredTimes'),
    ])
    .where('artists.id', '=', artistId)
    .executeTakeFirst();
  // `toCalendar` replaces `books` and `blocked` of the row.
  return row && { ...row, ...toCalendar(row) };
}
