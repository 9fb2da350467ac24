/** Moves an artist to another studio: past appointments keep the row of the present one. */
import { type Insertable, type SqlBool, sql } from 'kysely';
import type { Instant } from '#domain/time/time.ts';
import { ADDRESS_COLUMNS } from './artists.ts';
import type { Database, Transaction } from './connect.ts';
import { hasRow } from './has_row.ts';
import type { Studios } from './tables.ts';

/** Finds the artist's current studio. Artists do not share them. */
export function findStudio(database: Database, artistId: string) {
  return database
    .selectFrom('artists')
    .innerJoin('studios', 'studios.id', 'artists.studio_id')
    .select(['studios.id', 'studios.name', ...ADDRESS_COLUMNS])
    .where('artists.id', '=', artistId)
    .executeTakeFirst();
}

/** The facts that decide which appointments are upcoming. */
interface Upcoming {
  readonly now: Instant;
  /** Appointments that count as upcoming at any time. */
  readonly movedIds?: readonly string[];
}

/**
 * Selects the appointments that get the new studio: those that can still take place, and those that moved
 * with a new time zone, even into the past. All others count as past.
 */
function getsNewStudio({ now, movedIds = [] }: Upcoming) {
  // A request has no time yet. An expired appointment can still be confirmed.
  return sql<SqlBool>`(
    appointments.id = any(${movedIds}::uuid[]) OR
    appointments.status = 'requested'
    OR appointments.status IN ('held', 'offered', 'confirmed', 'expired') AND EXISTS (
      SELECT FROM appointment_times
      WHERE appointment_id = appointments.id AND upper(during) > ${new Date(now)}
    )
  )`;
}

/** Whether a studio has past appointments: ended, declined or cancelled. */
function hasPastAppointments(database: Database, studioId: string, upcoming: Upcoming) {
  const past = database
    .selectFrom('appointments')
    .where('studio_id', '=', studioId)
    .where(({ not }) => not(getsNewStudio(upcoming)));
  return hasRow(past.select('id').limit(sql.lit(1)));
}

/**
 * Inserts another studio for the artist, and moves the artist's upcoming appointments there. Does nothing
 * without past appointments, which would keep the present one.
 * @param from the id of the present studio; the other fields are the new one's
 */
export async function moveStudio(
  transaction: Transaction,
  artistId: string,
  { id: from, ...newStudio }: Insertable<Studios> & { readonly id: string },
  upcoming: Upcoming,
): Promise<void> {
  if (!(await hasPastAppointments(transaction, from, upcoming))) return;
  const { id: newStudioId } = await transaction
    .insertInto('studios')
    .values(newStudio)
    .returning('id')
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable('artists')
    .set({ studio_id: newStudioId })
    .where('id', '=', artistId)
    .execute();
  await transaction
    .updateTable('appointments')
    .set({ studio_id: newStudioId })
    .where('artist_id', '=', artistId)
    .where('studio_id', '=', from)
    .where(getsNewStudio(upcoming))
    .execute();
  // The new studio has only the appointments that were just moved.
  await transaction
    .updateTable('appointment_times')
    .from('appointments')
    .set({ studio_id: newStudioId })
    .whereRef('appointments.id', '=', 'appointment_times.appointment_id')
    .where('appointments.studio_id', '=', newStudioId)
    .execute();
}
