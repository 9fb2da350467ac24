import { type Insertable, type SqlBool, sql } from 'kysely';
import type { Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';
import { ADDRESS_COLUMNS } from './studios.ts';
import type { Places } from './tables.ts';

/** Where the artist works now. */
export function findStudio(database: Database, artistId: string) {
  return database
    .selectFrom('artists')
    .innerJoin('places', 'places.id', 'artists.studio_id')
    .select(['places.id', 'places.name', ...ADDRESS_COLUMNS])
    .where('artists.id', '=', artistId)
    .executeTakeFirst();
}

/** The id of the artist's studio, which does not move until the transaction ends. */
export async function lockArtistStudio(
  database: Database,
  artistId: string,
): Promise<string | undefined> {
  const artist = await database
    .selectFrom('artists')
    .select('studio_id')
    .where('id', '=', artistId)
    .forShare()
    .executeTakeFirst();
  return artist?.studio_id;
}

/** Whether an appointment is over, or settled, that took place there. */
export async function hasPastAppointments(
  database: Database,
  placeId: string,
  now: Instant,
): Promise<boolean> {
  const past = await database
    .selectFrom('appointments')
    .select('id')
    .where('place_id', '=', placeId)
    .where(({ not }) => not(isNotOver(now)))
    .limit(1)
    .executeTakeFirst();
  return past !== undefined;
}

/** The artist works in a new place from now on, and so does all that is still ahead of them. */
export async function moveStudio(
  database: Database,
  artistId: string,
  from: string,
  to: Insertable<Places>,
  now: Instant,
): Promise<void> {
  const { id } = await database
    .insertInto('places')
    .values(to)
    .returning('id')
    .executeTakeFirstOrThrow();
  await database.updateTable('artists').set({ studio_id: id }).where('id', '=', artistId).execute();
  await database
    .updateTable('appointments')
    .set({ place_id: id })
    .where('place_id', '=', from)
    .where(isNotOver(now))
    .execute();
  await database
    .updateTable('appointment_times')
    .from('appointments')
    .set({ place_id: id })
    .whereRef('appointments.id', '=', 'appointment_times.appointment_id')
    .where('appointments.place_id', '=', id)
    .execute();
}

/** A lapsed hold is ahead too: its client may still confirm it. */
function isNotOver(now: Instant) {
  return sql<SqlBool>`(
    appointments.status = 'requested'
    OR appointments.status IN ('held', 'offered', 'confirmed', 'expired') AND EXISTS (
      SELECT FROM appointment_times
      WHERE appointment_id = appointments.id AND upper(during) > ${new Date(now)}
    )
  )`;
}
