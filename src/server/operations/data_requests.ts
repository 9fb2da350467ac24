/** Clients ask for a copy of their data, or for its erasure; their artist is informed. */
import type { Confirmation } from '#contract/appointment.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import type { DataRequestInput, OpenDataRequest } from '#contract/data_request.ts';
import { decideDataRequest } from '#domain/data_request.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import { toRfc3339 } from '#domain/time.ts';
import { findClientView } from '#server/database/appointment_events.ts';
import { withCalendarLock } from '#server/database/calendar_lock.ts';
import { findClient } from '#server/database/clients.ts';
import * as requests from '#server/database/data_requests.ts';
import { loadAppointmentRow } from './appointments.ts';
import { toClientView } from './client_view.ts';
import { loadArtistIdOfAppointment } from './concerned_artist.ts';
import { saveMailLinkUse } from './confirmation.ts';
import type { Context } from './context.ts';
import { notify, toAccountSnapshot, toFullName } from './notify.ts';

/**
 * The client of an appointment asks their artist for a copy of their data, or for its erasure. The
 * artist gets a mail. Nothing changes while the same request is open.
 * @param network the client's
 * @throws Refusal `not_found`; `data_request_not_proven` as long as the client has not used a mailed link, and
 *   when the artist's record of them has another email; `data_request_too_soon` if the same was done, and
 *   asked for lately
 */
export async function requestData(
  context: Context,
  appointmentId: string,
  network: string,
  { kind, mail_token: mailToken }: DataRequestInput,
): Promise<Confirmation> {
  const { database } = context;
  const artistId = await loadArtistIdOfAppointment(context, appointmentId);
  if (mailToken !== undefined) await saveMailLinkUse(context, artistId, appointmentId, mailToken);
  // The lock, because the client may correct their email, which gives the appointment to another record.
  return withCalendarLock(database, artistId, async (transaction, now) => {
    const row = await loadAppointmentRow(transaction, artistId, appointmentId);
    const view = requireFound(await findClientView(transaction, artistId, appointmentId));
    // Anyone can book with anyone's email, and so get an appointment of their client.
    if (!view.is_proven_client) throw refuse('data_request_not_proven');
    if (decideDataRequest(view.data_requests, kind, now) === 'already')
      return toClientView(context, transaction, row, now, view);
    const { client_id: clientId } = row;
    const id = await requests.insertDataRequest(transaction, { artistId, clientId, kind }, now);
    if (id !== undefined) {
      const client = requireFound(await findClient(transaction, artistId, clientId));
      const notice = {
        kind: 'data_requested',
        artist: toAccountSnapshot({
          id: artistId,
          full_name: row.full_name,
          email: row.artist_email,
        }),
        client: { id: clientId, name: toFullName(client), email: client.email },
        request: { id, kind },
      } as const;
      await notify(context, transaction, artistId, [notice], network);
    }
    return toClientView(context, transaction, row, now);
  });
}

/** What an artist's clients ask for and the artist has not done, the oldest first. */
export async function listOpenDataRequests(
  { database }: Context,
  artistId: string,
  page: PageQuery,
): Promise<ListPage<OpenDataRequest>> {
  const { rows, count } = await requests.listOpenDataRequests(database, artistId, page);
  const data = rows.map(({ id, kind, asked_at, client_id, first_name, last_name, email }) => ({
    id,
    kind,
    asked_at: toRfc3339(asked_at.getTime()),
    client: { id: client_id, first_name, last_name, email },
  }));
  return { data, count };
}

/**
 * The artist has done what a client asked for, or answered it. A second call changes nothing.
 * @throws Refusal `not_found` when the artist's client has no such request
 */
export async function markDataRequestDone(
  { database }: Context,
  artistId: string,
  request: { readonly clientId: string; readonly id: string },
): Promise<void> {
  if (!(await requests.markDataRequestDone(database, artistId, request))) throw refuse('not_found');
}
