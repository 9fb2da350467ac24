/** The artist corrects the email of a client. */
import { sql } from 'kysely';
import type { Instant } from '#domain/time/time.ts';
import { insertAppointmentEvents, type NewAppointmentEvent } from './appointment_events.ts';
import { listAppointmentsOfArtist } from './appointments.ts';
import type { Database, Transaction } from './connect.ts';
import { updateQueuedAddresses } from './mails.ts';

/** A client whose email the artist corrects. */
interface CorrectedClient {
  readonly artistId: string;
  readonly clientId: string;
  /** Null if the client had none. */
  readonly oldEmail: string | null;
}

/**
 * Gives a client's corrected email to their open and upcoming appointments, with an event in the
 * history of each, and to the queued mails about these. Call under the lock of the calendar.
 */
export async function correctAppointmentEmails(
  transaction: Transaction,
  client: CorrectedClient,
  newEmail: string,
  now: Instant,
): Promise<void> {
  const ids = await updateClientAppointmentEmails(transaction, client, newEmail, now);
  await updateQueuedAddresses(transaction, client.artistId, ids, newEmail);
  await addEmailCorrections(transaction, client.artistId, ids, now);
}

/**
 * Adds to the histories of appointments that the artist has changed the client's email. A change that
 * waits for its link ends, also if the artist takes the correction back.
 */
export async function addEmailCorrections(
  transaction: Transaction,
  artistId: string,
  appointmentIds: readonly string[],
  now: Instant,
): Promise<void> {
  if (appointmentIds.length === 0) return;
  const rows = await listAppointmentsOfArtist(transaction, artistId, appointmentIds);
  const events = rows.map((row): NewAppointmentEvent => {
    const start = row.start?.getTime() ?? null;
    return {
      appointmentId: row.id,
      actor: 'artist',
      what: 'email_changed',
      at: now,
      fromStatus: row.status,
      toStatus: row.status,
      fromStart: start,
      toStart: start,
    };
  });
  await insertAppointmentEvents(transaction, events);
  await transaction
    .deleteFrom('client_email_changes')
    .where('appointment_id', 'in', appointmentIds)
    .execute();
}

/**
 * Gives the client's new email, which the artist has corrected, to their appointments that are neither over nor
 * ended: an expired hold can still be confirmed, and one marked as done be booked again. Appointments with
 * another email than the old one keep it: the client gave it for them alone. Only `mail_link_used` is reset: the
 * artist says that the person is the same, so the email stays as proven as it was.
 * @returns the ids of these appointments
 */
async function updateClientAppointmentEmails(
  database: Database,
  client: CorrectedClient,
  newEmail: string,
  now: Instant,
): Promise<string[]> {
  const rows = await database
    .updateTable('appointments')
    .set({ email: newEmail, mail_link_used: false })
    .where('artist_id', '=', client.artistId)
    .where('client_id', '=', client.clientId)
    .where('status', 'not in', ['declined', 'cancelled'])
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM appointment_times
        WHERE appointment_id = appointments.id AND upper(during) <= ${new Date(now)})`,
    )
    .where(
      sql<boolean>`(email IS NULL OR lower(email) = lower(${client.oldEmail}))
        AND email IS DISTINCT FROM ${newEmail}`,
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}
