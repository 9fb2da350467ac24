import type { ClientChanges, ClientQuery, ClientRecord } from '#contract/client.ts';
import type { ListPage } from '#contract/common.ts';
import { canUndoMerge, MERGE_UNDO_MS } from '#domain/client_merge.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import { type Instant, toRfc3339 } from '#domain/time.ts';
import {
  insertAppointmentEvents,
  type NewAppointmentEvent,
} from '#server/database/appointment_events.ts';
import {
  listAppointmentsOfArtist,
  updateClientAppointmentEmails,
} from '#server/database/appointments.ts';
import { withCalendarLock } from '#server/database/calendar_lock.ts';
import { deleteClientEmailChanges } from '#server/database/client_email_changes.ts';
import { updateMergedFields } from '#server/database/client_merges.ts';
import * as clients from '#server/database/clients.ts';
import type { Database } from '#server/database/connect.ts';
import { updateQueuedAddresses } from '#server/database/mails.ts';
import type { Context } from './context.ts';
import { withTakenRefusals } from './invalidating.ts';
import { toDataRequest } from './to_data_request.ts';

/** Lists the artist's clients, the one with the most recently created appointment first. */
export async function listClients(
  { database }: Context,
  artistId: string,
  { search, ...page }: ClientQuery,
  now: Instant,
): Promise<ListPage<ClientRecord>> {
  const { rows, count } = await clients.listClients(database, artistId, search, now, page);
  return { data: rows.map((row) => toClient(row, now)), count };
}

/**
 * Loads a client, or the one into whom it was merged: links to a merged client stay in mails.
 * @throws Refusal `not_found` when the artist has no such client
 */
export async function loadClient(
  { database }: Context,
  artistId: string,
  id: string,
  now: Instant,
): Promise<ClientRecord> {
  const row = requireFound(await clients.findClientWithVisits(database, artistId, id, now));
  return toClient(row, now);
}

/**
 * Changes the artist's record of a client. A new email reaches the client's open and upcoming
 * appointments and the mails that are still queued; other data in appointments do not change.
 * @throws Refusal `not_found`, `client_email_taken`; `stale_notes`, with a `version`
 */
export async function updateClient(
  context: Context,
  artistId: string,
  id: string,
  { version, ...changes }: ClientChanges,
  now: Instant,
): Promise<ClientRecord> {
  // The lock, because a change of an appointment could queue a mail to the old email.
  await withTakenRefusals(() =>
    withCalendarLock(context.database, artistId, async (transaction) => {
      const client = requireFound(await clients.findClient(transaction, artistId, id));
      const isStale = version !== undefined && version !== client.version;
      if (isStale && changes.notes !== undefined && changes.notes !== client.notes)
        throw refuse('stale_notes');
      const { email } = changes;
      const oldEmail = client.email;
      // At most one client has it.
      const [mergedId] = email
        ? await clients.takeMergedEmail(transaction, artistId, id, email)
        : [];
      await clients.updateClient(transaction, artistId, id, changes);
      // Who books with the old email is still this client.
      if (oldEmail && mergedId !== undefined)
        await updateMergedFields(transaction, artistId, mergedId, { email: oldEmail });
      const corrected = { artistId, clientId: id, oldEmail };
      if (email) await correctAppointmentEmails(transaction, corrected, email, now);
    }),
  );
  return loadClient(context, artistId, id, now);
}

/**
 * Gives a client's corrected email to their open and upcoming appointments, with an event in the
 * history of each, and to the queued mails about these. Call inside `withCalendarLock`.
 */
export async function correctAppointmentEmails(
  transaction: Database,
  client: Parameters<typeof updateClientAppointmentEmails>[1],
  newEmail: string,
  now: Instant,
): Promise<void> {
  const ids = await updateClientAppointmentEmails(transaction, client, newEmail, now);
  await updateQueuedAddresses(transaction, client.artistId, ids, newEmail);
  await insertEmailChanges(transaction, client.artistId, ids, now);
}

/**
 * Adds to the histories of appointments that the artist has changed the client's email. A change that
 * waits for its link ends, also if the artist takes the correction back.
 */
export async function insertEmailChanges(
  transaction: Database,
  artistId: string,
  appointmentIds: readonly string[],
  now: Instant,
): Promise<void> {
  const rows = await listAppointmentsOfArtist(transaction, artistId, appointmentIds);
  const events = rows.map(({ id, status, start }): NewAppointmentEvent => {
    const startsAt = start?.getTime() ?? null;
    return {
      ...{ appointmentId: id, actor: 'artist', what: 'email_changed', at: now },
      ...{ fromStatus: status, toStatus: status, fromStart: startsAt, toStart: startsAt },
    };
  });
  await insertAppointmentEvents(transaction, events);
  await deleteClientEmailChanges(transaction, appointmentIds);
}

/** Converts for the artist. */
export function toClient(row: clients.ClientWithVisits, now: Instant): ClientRecord {
  return {
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    pronouns: row.pronouns,
    email: row.email,
    phone_number: row.phone_number,
    preferred_contact: row.preferred_contact,
    notes: row.notes,
    version: row.version,
    erased_at: row.erased_at && toRfc3339(row.erased_at.getTime()),
    email_failed_at: row.email_failed_at && toRfc3339(row.email_failed_at.getTime()),
    // Without appointments it is 0, not null; Kysely types every column of a left join as nullable.
    appointment_count: row.appointment_count ?? 0,
    last_appointment: row.last_appointment && toRfc3339(row.last_appointment.getTime()),
    next_appointment: row.next_appointment && toRfc3339(row.next_appointment.getTime()),
    other_emails: [...row.other_emails],
    last_merge: toLastMerge(row, now),
    data_requests: row.data_requests.map(toDataRequest),
    created_at: toRfc3339(row.created_at.getTime()),
  };
}

/** Null when the merge can no longer be undone. */
function toLastMerge(row: clients.ClientWithVisits, now: Instant): ClientRecord['last_merge'] {
  const { last_merge: merge } = row;
  if (merge === null || !canUndoMerge(merge, row, now)) return null;
  const { id, mergedAt, first_name, last_name, email } = merge;
  return {
    id,
    client: { first_name, last_name, email },
    undo_until: toRfc3339(mergedAt + MERGE_UNDO_MS),
  };
}
