import type { ClientChanges, ClientQuery, ClientRecord } from '#contract/client.ts';
import type { ListPage } from '#contract/common.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import { type Instant, toRfc3339 } from '#domain/time.ts';
import * as clients from '#server/database/clients.ts';
import type { Context } from './context.ts';
import { withTakenRefusals } from './invalidating.ts';

/** Lists the artist's clients, the one with the most recently created appointment first. */
export async function listClients(
  { database }: Context,
  artistId: string,
  { search, ...page }: ClientQuery,
  now: Instant,
): Promise<ListPage<ClientRecord>> {
  const { rows, count } = await clients.listClients(database, artistId, search, now, page);
  return { data: rows.map(toClient), count };
}

/** @throws Refusal `not_found` when the artist has no such client */
export async function loadClient(
  { database }: Context,
  artistId: string,
  id: string,
  now: Instant,
): Promise<ClientRecord> {
  const row = requireFound(await clients.findClientWithVisits(database, artistId, id, now));
  return toClient(row);
}

/**
 * Changes the artist's record of a client. The client's data in appointments do not change.
 * @throws Refusal `not_found`, `client_email_taken`
 */
export async function updateClient(
  context: Context,
  artistId: string,
  id: string,
  changes: ClientChanges,
  now: Instant,
): Promise<ClientRecord> {
  const isUpdated = await withTakenRefusals(() =>
    clients.updateClient(context.database, artistId, id, changes),
  );
  if (!isUpdated) throw refuse('not_found');
  return loadClient(context, artistId, id, now);
}

function toClient(row: clients.ClientWithVisits): ClientRecord {
  return {
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    pronouns: row.pronouns,
    email: row.email,
    phone_number: row.phone_number,
    preferred_contact: row.preferred_contact,
    notes: row.notes,
    email_failed_at: row.email_failed_at && toRfc3339(row.email_failed_at.getTime()),
    // Without appointments it is 0, not null; Kysely types every column of a left join as nullable.
    appointment_count: row.appointment_count ?? 0,
    last_appointment: row.last_appointment && toRfc3339(row.last_appointment.getTime()),
    next_appointment: row.next_appointment && toRfc3339(row.next_appointment.getTime()),
    created_at: toRfc3339(row.created_at.getTime()),
  };
}
