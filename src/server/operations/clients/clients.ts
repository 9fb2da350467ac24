import { type InferResult, sql } from 'kysely';
import type { ClientChanges, ClientQuery, ClientRecord } from '#contract/client.ts';
import type { ListPage } from '#contract/common.ts';
import { clientDetailsOf } from '#domain/clients/client_details.ts';
import { canUndoMerge, MERGE_UNDO_MS, type MergedFields } from '#domain/clients/client_merge.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import { type Instant, toRfc3339 } from '#domain/time/time.ts';
import { CLIENT_COLUMNS, findClient, selectKeptClientId } from '#server/database/clients.ts';
import type { Database, Transaction } from '#server/database/connect.ts';
import { dataRequestsOf } from '#server/database/data_requests.ts';
import { correctAppointmentEmails } from '#server/database/email_corrections.ts';
import { loadPageByIds } from '#server/database/pagination.ts';
import { containsEmail, matchesClient } from '#server/database/search.ts';
import { toAskedData } from '../appointments/to_appointment.ts';
import { calendarScope, change } from '../change.ts';
import type { Context } from '../context.ts';

/** The last merge into a client as JSON; null if there is none. Instants are milliseconds since 1970. */
const LAST_MERGE = sql<{
  readonly id: string;
  readonly mergedAt: Instant;
  /** The remaining client after the merge. */
  readonly after: MergedFields;
  readonly client: NonNullable<ClientRecord['last_merge']>['client'];
} | null>`(
  SELECT json_build_object('id', client_merges.id,
    'mergedAt', (extract(epoch FROM merged_at) * 1000)::bigint,
    'after', client_after,
    'client', json_build_object(
      'first_name', first_name, 'last_name', last_name, 'email', merged_email))
  FROM client_merges JOIN clients AS merged ON merged.id = merged_id
  WHERE client_id = clients.id
  ORDER BY merged_at DESC
  LIMIT 1
)`;

/** The emails of the clients who were merged into a client, as JSON. */
const OTHER_EMAILS = sql<readonly string[]>`coalesce((
  SELECT json_agg(email ORDER BY created_at, id) FROM clients AS merged
  WHERE merged.merged_into = clients.id AND email IS NOT NULL
), '[]')`;

/**
 * Selects an artist's clients, with the number of bookings and the last and next start; without those
 * who were merged into another.
 */
export function selectClients(database: Database, artistId: string, now: Instant) {
  const nowDate = new Date(now);
  return database
    .selectFrom('clients')
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom('appointments')
          .leftJoin('appointment_times', 'appointment_times.appointment_id', 'appointments.id')
          .whereRef('appointments.client_id', '=', 'clients.id')
          .select([
            // `lower` of a time range is its start.
            sql<number>`(count(DISTINCT appointments.id) FILTER (WHERE status
              IN ('confirmed', 'completed', 'no_show')))::int`.as('appointment_count'),
            sql<Date | null>`max(appointments.created_at)`.as('last_booked'),
            sql<Date | null>`max(lower(during)) FILTER (WHERE status IN ('confirmed', 'completed')
              AND lower(during) <= ${nowDate})`.as('last_appointment'),
            sql<Date | null>`min(lower(during)) FILTER (WHERE status = 'confirmed'
              AND lower(during) > ${nowDate})`.as('next_appointment'),
          ])
          .as('visits'),
      (join) => join.onTrue(),
    )
    .select([...CLIENT_COLUMNS, 'clients.notes', 'clients.version', 'clients.created_at'])
    .select(['clients.email_failed_at', 'clients.erased_at'])
    .select(['appointment_count', 'last_appointment', 'next_appointment'])
    .select(dataRequestsOf(sql.ref('clients.id')).as('data_requests'))
    .select([OTHER_EMAILS.as('other_emails'), LAST_MERGE.as('last_merge')])
    .where('clients.artist_id', '=', artistId)
    .where('merged_into', 'is', null);
}

type ClientRow = InferResult<ReturnType<typeof selectClients>>[number];

/**
 * Lists the artist's clients by the creation of their newest appointment, or of the client if there is
 * none; the latest first. Erased clients are not listed.
 */
export async function listClients(
  { database }: Context,
  artistId: string,
  { search, ...page }: ClientQuery,
  now: Instant,
): Promise<ListPage<ClientRecord>> {
  let matching = database
    .selectFrom('clients')
    .leftJoin(
      ({ selectFrom }) =>
        selectFrom('appointments')
          .select(['client_id', sql<Date>`max(created_at)`.as('last_booked')])
          .where('artist_id', '=', artistId)
          .groupBy('client_id')
          .as('visits'),
      (join) => join.onRef('visits.client_id', '=', 'clients.id'),
    )
    .select('clients.id')
    .where('clients.artist_id', '=', artistId)
    .where('merged_into', 'is', null)
    .where('erased_at', 'is', null);
  if (search)
    matching = matching.where(({ or }) =>
      or([matchesClient(search, 'clients'), hasOtherEmail(search)]),
    );
  const latestFirst = sql`coalesce(visits.last_booked, clients.created_at) DESC`;
  const ids = matching.orderBy(latestFirst).orderBy('clients.id');
  const { rows, count } = await loadPageByIds(ids, page, (onPage) =>
    selectClients(database, artistId, now)
      .where('clients.id', '=', sql<string>`any(${onPage})`)
      .orderBy(latestFirst)
      .orderBy('clients.id')
      .execute(),
  );
  return { data: rows.map((row) => toClient(row, now)), count };
}

/** The SQL condition that the email of a client who was merged into this one contains the text. */
function hasOtherEmail(text: string) {
  return sql<boolean>`EXISTS (SELECT FROM clients AS merged WHERE merged.merged_into = clients.id
    AND ${containsEmail(text, sql.ref('merged.email'))})`;
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
  const row = await selectClients(database, artistId, now)
    .where('clients.id', '=', selectKeptClientId(database, artistId, id))
    .executeTakeFirst();
  return toClient(requireFound(row), now);
}

/**
 * Changes the artist's record of a client. A new email reaches the client's open and upcoming
 * appointments and the mails that are still queued; other data in appointments do not change.
 * @throws Refusal `not_found`, `client_email_taken`; `stale_notes`, with a `version`
 */
export function updateClient(
  context: Context,
  artistId: string,
  id: string,
  { version, ...changes }: ClientChanges,
): Promise<ClientRecord> {
  // The lock, because a change of an appointment could queue a mail to the old email.
  return change(context, calendarScope(artistId, []), async (context, now) => {
    const { database } = context;
    const { email: oldEmail, ...client } = requireFound(await findClient(database, artistId, id));
    const isStale = version !== undefined && version !== client.version;
    if (isStale && changes.notes !== undefined && changes.notes !== client.notes)
      throw refuse('stale_notes');
    const { email } = changes;
    const mergedId = email ? await takeMergedEmail(database, artistId, id, email) : undefined;
    await saveClient(database, artistId, id, changes);
    // The merged client gets the old email instead: bookings with it still find this client.
    if (oldEmail && mergedId) await saveClient(database, artistId, mergedId, { email: oldEmail });
    if (email)
      await correctAppointmentEmails(database, { artistId, clientId: id, oldEmail }, email, now);
    return loadClient(context, artistId, id, now);
  });
}

/** Takes the email from a client who was merged into this one. @returns the id of that client, if any has it */
async function takeMergedEmail(
  transaction: Transaction,
  artistId: string,
  id: string,
  email: string,
): Promise<string | undefined> {
  const merged = await transaction
    .updateTable('clients')
    .set({ email: null })
    .where('merged_into', '=', id)
    .where('artist_id', '=', artistId)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .returning('id')
    .executeTakeFirst();
  return merged?.id;
}

async function saveClient(
  transaction: Transaction,
  artistId: string,
  id: string,
  changes: Omit<ClientChanges, 'version'>,
): Promise<void> {
  const { email } = changes;
  await transaction
    .updateTable('clients')
    // An UPDATE must set a column, even without changes: `artist_id` keeps its value.
    .set({ ...changes, artist_id: artistId })
    .$if(email !== undefined, (query) =>
      // A new email removes the failure of the old email: CASE without ELSE is null.
      query.set({
        email_failed_at: sql<Date | null>`CASE WHEN lower(email) = lower(${email})
          THEN email_failed_at END`,
      }),
    )
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .execute();
}

/** A client as the API shows them to the artist. */
export function toClient(row: ClientRow, now: Instant): ClientRecord {
  return {
    id: row.id,
    ...clientDetailsOf(row),
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
    data_requests: row.data_requests.map((one) => ({ id: one.id, ...toAskedData(one) })),
    created_at: toRfc3339(row.created_at.getTime()),
  };
}

/** The last merge into a client; null when it can no longer be undone. */
function toLastMerge(row: ClientRow, now: Instant): ClientRecord['last_merge'] {
  const { last_merge: merge } = row;
  if (merge === null || !canUndoMerge(merge, row, now)) return null;
  const { id, client, mergedAt } = merge;
  return { id, client, undo_until: toRfc3339(mergedAt + MERGE_UNDO_MS) };
}
