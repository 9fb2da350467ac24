/** Reads what an artist offers of what a client wants, in one statement. */
import { sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Offer, Wanted } from '#domain/booking_checks.ts';
import { isBlocked } from './blocked_senders.ts';
import { type CalendarQuery, selectCalendars, toCalendar, toTstzrange } from './calendar.ts';
import type { Database } from './connect.ts';
import { countUses } from './editions.ts';

/** Finds what decides whether a client gets what they want; undefined for an inactive artist. */
export async function findOffer(
  database: Database,
  { artistId, serviceId, designId, sender, own }: Wanted,
  query: CalendarQuery,
): Promise<Offer | undefined> {
  const row = await selectCalendars(database, { ...query, exceptAppointmentId: own?.id })
    .select(['artists.studio_id', isBlocked(artistId, sender).as('is_blocked')])
    .select(({ selectFrom }) => [
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
      service: row.service,
      design: row.design,
    }
  );
}
