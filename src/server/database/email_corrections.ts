/** The artist corrects the email of a client. */
import { sql } from 'kysely';
import type { Instant } from '#domain/time/time.ts';
import { insertAppointmentEvents, type NewAppointmentEvent } from './appointment_events.ts';
import { listAppointmentsOfArtist } from './appointments.ts';
import type { Database, Transaction } from './connect.ts';
import { updateQueuedAddresses } from './mails.ts';

/**
 * Gives a client's corrected email to their open and upcoming appointments, with an event in the
 * history of each, and to the queued mails about these. Call while the calendar is locked.
 */
export async function correctAppointmentEmails(
  transaction: Transaction,
  client: Parameters<typeof updateClientAppointmentEmails>[1],
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
  const events = rows.map(({ id, status, start }): NewAppointmentEvent => {
    const startsAt = start?.getTime() ?? null;
    const before = { fromStatus: status, fromStart: startsAt };
    const after = { toStatus: status, toStart: startsAt };
    const event = { appointmentId: id, actor: 'artist', what: 'email_changed', at: now } as const;
    return { ...event, ...before, ...after };
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
 * @param oldEmail null if the client had none
 * @returns the ids of these appointments
 */
async function updateClientAppointmentEmails(
  database: Database,
  client: {
    readonly artistId: string;
    readonly clientId: string;
    readonly oldEmail: string | null;
  },
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
