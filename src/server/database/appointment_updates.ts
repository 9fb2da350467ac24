/** Changes of appointments that are no events of their histories, and the deletion of an appointment. */
import { sql, type Updateable } from 'kysely';
import type { Instant } from '#domain/time/time.ts';
import type { AppointmentRow } from './appointments.ts';
import type { Database, Transaction } from './connect.ts';
import type { Appointments } from './tables.ts';

/** Stores the private notes of an appointment for all sessions of its project. */
export async function setPrivateNotes(
  database: Database,
  appointment: Pick<AppointmentRow, 'id' | 'artist_id' | 'client_id' | 'project_id'>,
  notes: string | null,
): Promise<void> {
  const { id, artist_id, client_id, project_id } = appointment;
  // After a merge was undone, another client, maybe erased, may have sessions of the same project.
  await sql`
    UPDATE appointments SET private_notes = ${notes},
      updated_at = CASE WHEN id = ${id} THEN now() ELSE updated_at END
    WHERE (id = ${id} OR project_id = ${project_id})
      AND artist_id = ${artist_id} AND client_id = ${client_id}
  `.execute(database);
}

/** Makes an appointment the first session of a project, unless it belongs to one already. */
export async function ensureProject(
  database: Database,
  { id, artist_id }: Pick<AppointmentRow, 'id' | 'artist_id'>,
): Promise<void> {
  await database
    .updateTable('appointments')
    .set({ project_id: id })
    .where('id', '=', id)
    .where('artist_id', '=', artist_id)
    .where('project_id', 'is', null)
    .execute();
}

/** Sets columns that the artist does not edit. Raises no version, as clients see nothing of it. */
export async function setAppointmentColumns(
  database: Database,
  artistId: string,
  id: string,
  columns: Pick<
    Updateable<Appointments>,
    | 'client_id'
    | 'counted_at'
    | 'counts_for_limits'
    | 'email'
    | 'email_proven'
    | 'mail_link_used'
    | 'network'
  >,
): Promise<void> {
  await database
    .updateTable('appointments')
    .set(columns)
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .execute();
}

/**
 * Gives an appointment another email and client, because its client asked for it. It counts for limits and is
 * unproven again: nobody has used a link mailed to the new email yet, which may be another person's.
 */
export async function updateClientOfAppointment(
  transaction: Transaction,
  { id, artist_id }: Pick<AppointmentRow, 'id' | 'artist_id'>,
  { email, clientId }: { readonly email: string; readonly clientId: string },
): Promise<void> {
  const unproven = { counts_for_limits: true, email_proven: false, mail_link_used: false };
  const columns = { email, client_id: clientId, ...unproven };
  await setAppointmentColumns(transaction, artist_id, id, columns);
  // So that erasing the client finds them.
  await transaction
    .updateTable('mails')
    .set({ client_id: clientId })
    .where('appointment_id', '=', id)
    .where('artist_id', '=', artist_id)
    .execute();
}

/**
 * Raises `version` of the artist's appointments that moved, and of confirmed appointments, holds and offers
 * that start after `now`, because the studio has another address or time zone, or new clock rules. `version`
 * is the SEQUENCE in calendar files, by which calendar apps recognize a newer event, and clients confirm only
 * the version that they saw.
 * @param raised `movedIds` moved; unless `onlyIds` is null, of the upcoming ones only these are raised
 * @returns the ids of the confirmed upcoming appointments
 */
export async function raiseVersions(
  database: Database,
  artistId: string,
  { movedIds, onlyIds = null }: { movedIds: readonly string[]; onlyIds?: readonly string[] | null },
  now: Instant,
): Promise<string[]> {
  const isAhead = sql<boolean>`lower(during) > ${new Date(now)}
    AND (status IN ('held', 'offered') OR (status = 'confirmed' AND occupies))
    AND (${onlyIds}::uuid[] IS NULL OR appointments.id = any(${onlyIds}::uuid[]))`;
  const raised = await database
    .updateTable('appointments')
    .from('appointment_times')
    .set({ version: sql`version + 1` })
    .whereRef('appointment_times.appointment_id', '=', 'appointments.id')
    .where('appointments.artist_id', '=', artistId)
    .where(sql<boolean>`((${isAhead}) OR appointments.id = any(${movedIds}::uuid[]))`)
    .returning('appointments.id')
    .returning(sql<boolean>`${isAhead} AND status = 'confirmed'`.as('isBookedAhead'))
    .execute();
  return raised.flatMap(({ id, isBookedAhead }) => (isBookedAhead ? [id] : []));
}

/**
 * Deletes an appointment, and its studio if no artist and no other appointment uses the studio.
 * @returns false when the stored version differs from `loaded`, so that nothing is deleted
 */
export async function deleteAppointmentRow(
  transaction: Transaction,
  loaded: Pick<AppointmentRow, 'id' | 'artist_id' | 'version' | 'studio_id'>,
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('appointments')
    .where('id', '=', loaded.id)
    .where('artist_id', '=', loaded.artist_id)
    .where('version', '=', loaded.version)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  // A former studio of the artist exists only as long as appointments refer to it.
  await sql`DELETE FROM studios WHERE id = ${loaded.studio_id}
    AND NOT EXISTS (SELECT FROM artists WHERE studio_id = studios.id)
    AND NOT EXISTS (SELECT FROM appointments WHERE studio_id = studios.id)
  `.execute(transaction);
  return true;
}
