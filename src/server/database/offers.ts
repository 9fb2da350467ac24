/** Reads what an artist offers of what a client wants, in one statement: the artist's calendar is locked. */
import { sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Offer, Wanted } from '#domain/booking_checks.ts';
import { isBlocked } from './blocked_senders.ts';
import { type RequestCounts, selectRequestCounts } from './booking_limits.ts';
import { type CalendarQuery, selectCalendars, toCalendar, toTstzrange } from './calendar.ts';
import type { Database } from './connect.ts';
import { countUses } from './editions.ts';

/** What a request asks beside, so that it needs no statement of its own. */
export interface Asked {
  /** The key of the request: an earlier request may have had it too. */
  readonly idempotencyKey?: string | undefined;
  /** The network whose requests are counted, with those of all. */
  readonly countedNetwork?: string;
}

export interface AnsweredOffer extends Offer {
  /** The appointment of an earlier request with the key. */
  readonly earlierId: string | null;
  readonly counts: RequestCounts | null;
}

/** Finds what decides whether a client gets what they want; undefined for an inactive artist. */
export async function findOffer(
  database: Database,
  { artistId, serviceId, designId, sender, own, idempotencyKey, countedNetwork }: Wanted & Asked,
  query: CalendarQuery,
): Promise<AnsweredOffer | undefined> {
  const counts = countedNetwork
    ? sql`(SELECT to_json(counts) FROM (${selectRequestCounts(
        { artistId, network: countedNetwork, appointmentId: null },
        query.now,
      )}) AS counts)`
    : sql`NULL`;
  const row = await selectCalendars(database, { ...query, exceptAppointmentId: own?.id })
    .select(['artists.studio_id', isBlocked(artistId, sender).as('is_blocked')])
    .select(sql<RequestCounts | null>`${counts}`.as('counts'))
    .select(({ selectFrom }) => [
      selectFrom('appointments')
        .select('appointments.id')
        .where('appointments.artist_id', '=', artistId)
        .where('idempotency_key', '=', idempotencyKey ?? null)
        .as('earlier_id'),
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
      )`.as('has_lapsed_times'),
    ])
    .where('artists.id', '=', artistId)
    .executeTakeFirst();
  return (
    row && {
      ...toCalendar(row),
      zone: row.time_zone,
      studioId: row.studio_id,
      isSenderBlocked: row.is_blocked,
      hasLapsedTimes: row.has_lapsed_times,
      earlierId: row.earlier_id,
      counts: row.counts,
      service: row.service,
      design: row.design,
    }
  );
}
