/** Clients ask for a copy of their data, or for its erasure; their artist is informed. */
import { sql } from 'kysely';
import type { Confirmation } from '#contract/appointment.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import type { DataRequestInput, OpenDataRequest } from '#contract/data_request.ts';
import { decideDataRequest } from '#domain/clients/data_request.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import { toRfc3339 } from '#domain/time/time.ts';
import { findClient } from '#server/database/clients.ts';
import { loadPage } from '#server/database/pagination.ts';
import {
  loadClientAppointment,
  loadOwnAppointment,
  toClientView,
} from '../appointments/client_view.ts';
import { saveMailLinkUse } from '../appointments/confirmation.ts';
import { calendarScope, change } from '../change.ts';
import type { Context } from '../context.ts';
import { notify, toAccountSnapshot, toFullName } from '../mail/notify.ts';

/**
 * The client of an appointment asks their artist for a copy of their data, or for its erasure. The artist gets a mail.
 * Nothing changes while the same request is open.
 * @param network the client's
 * @throws Refusal `not_found`; `data_request_not_proven` as long as the client has not used a mailed link, and when the
 *   artist's record of them has another email; `data_request_too_soon` if the same was done, and asked for lately
 */
export async function requestData(
  context: Context,
  appointmentId: string,
  network: string,
  { kind, mail_token: mailToken }: DataRequestInput,
): Promise<Confirmation> {
  const { artist_id: artistId } = await loadOwnAppointment(context, appointmentId);
  if (mailToken !== undefined) await saveMailLinkUse(context, artistId, appointmentId, mailToken);
  // The lock, because the client may correct their email, which gives the appointment to another record.
  return change(context, calendarScope(artistId, []), async (context, now) => {
    const { database } = context;
    const row = await loadClientAppointment(database, appointmentId);
    // Anyone can book with anyone's email: the link of an appointment alone proves nothing.
    if (!row.is_proven_client) throw refuse('data_request_not_proven');
    if (decideDataRequest(row.data_requests, kind, now) === 'already')
      return toClientView(context, row, now);
    const { client_id: clientId } = row;
    const inserted = await database
      .insertInto('data_requests')
      .values({ artist_id: artistId, client_id: clientId, kind, asked_at: new Date(now) })
      .returning('id')
      .executeTakeFirstOrThrow();
    const client = requireFound(await findClient(database, artistId, clientId));
    const notice = {
      kind: 'data_requested',
      artist: toAccountSnapshot({
        id: artistId,
        full_name: row.full_name,
        email: row.artist_email,
      }),
      client: { id: clientId, name: toFullName(client), email: client.email },
      request: { id: inserted.id, kind },
    } as const;
    await notify(context, { notices: [notice], source: network });
    return toClientView(context, await loadClientAppointment(database, row.id), now);
  });
}

/** Lists the requests about data that the artist has not done, the oldest first. */
export async function listOpenDataRequests(
  { database }: Context,
  artistId: string,
  page: PageQuery,
): Promise<ListPage<OpenDataRequest>> {
  const oldestFirst = database
    .selectFrom('data_requests')
    .innerJoin('clients', 'clients.id', 'data_requests.client_id')
    .select(['data_requests.id', 'kind', 'asked_at', 'client_id'])
    .select(['first_name', 'last_name', 'email'])
    .where('data_requests.artist_id', '=', artistId)
    .where('done_at', 'is', null)
    // An open request of a merged client is a duplicate: the client into whom they were merged has asked too.
    .where('merged_into', 'is', null)
    .orderBy('asked_at')
    .orderBy('data_requests.id');
  const { rows, count } = await loadPage(oldestFirst, page);
  const data = rows.map(({ id, kind, asked_at, client_id, first_name, last_name, email }) => ({
    id,
    kind,
    asked_at: toRfc3339(asked_at.getTime()),
    client: { id: client_id, first_name, last_name, email },
  }));
  return { data, count };
}

/**
 * Marks a request of a client as done or answered. A request that is done keeps its time.
 * @throws Refusal `not_found` when the artist's client has no such request
 */
export async function markDataRequestDone(
  { database }: Context,
  artistId: string,
  { clientId, id }: { readonly clientId: string; readonly id: string },
): Promise<void> {
  const done = await database
    .updateTable('data_requests')
    .set({ done_at: sql<Date>`coalesce(done_at, now())` })
    .where('id', '=', id)
    .where('client_id', '=', clientId)
    .where('artist_id', '=', artistId)
    .returning('id')
    .executeTakeFirst();
  requireFound(done);
}
