/** Appointments that the artist enters, because artist and client agreed on them elsewhere. */
import type { Appointment, NewAppointment } from '#contract/appointment.ts';
import { priceOfBooking } from '#domain/booking/booking_price.ts';
import { clientDetailsOf } from '#domain/clients/client_details.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import { inheritEmailProof, insertAppointment } from '#server/database/appointment_transitions.ts';
import { ensureProject, setPrivateNotes } from '#server/database/appointment_updates.ts';
import type { AppointmentRow } from '#server/database/appointments.ts';
import { findArtistById } from '#server/database/artists.ts';
import { findClient, upsertClient } from '#server/database/clients.ts';
import type { Transaction } from '#server/database/connect.ts';
import { requireRoomForClient } from '../account_limits.ts';
import { requireEdition } from '../booking/bookable.ts';
import { calendarScope, change } from '../change.ts';
import type { Context } from '../context.ts';
import { toChangedPrice } from '../currency.ts';
import { announce } from '../mail/notify.ts';
import { refuseStaleNotes, requireOwnDesign, requireOwnService } from './appointment_details.ts';
import { loadAppointmentRow } from './appointments.ts';
import { makeRoomForArtist, parseStudioRange } from './time_set_by_artist.ts';
import { toAppointment } from './to_appointment.ts';

/**
 * The artist enters an appointment. It needs no confirmation, and may lie outside opening hours. It has no
 * policy and no deposit, because its client has agreed to neither.
 * @param entry has either a known client's id, or the details of a client
 * @throws Refusal `not_found` for another artist's service, design or client; `time_taken`,
 *   `buffer_touched`, `editions_used_up`, `wrong_client`, `stale_notes`
 */
export async function createAppointment(
  context: Context,
  artistId: string,
  entry: NewAppointment,
): Promise<Appointment> {
  return change(context, calendarScope(artistId), async (context, now) => {
    const { database } = context;
    const artist = requireFound(await findArtistById(database, artistId));
    const { clientId, ...details } = await resolveClient(database, artistId, entry);
    const last = await findLastSession(database, artistId, entry, clientId);
    if (last) refuseStaleNotes(entry, last);
    const { service_id = null, design_id = last?.design_id ?? null, private_notes } = entry;
    // The next session may have the service and the design of the last one, also if they are deleted.
    const service =
      last && service_id === last.service_id
        ? { price: last.service_price }
        : await requireOwnService(database, artistId, service_id);
    const design =
      last && design_id !== null && design_id === last.design_id
        ? { id: design_id, price: last.design_price, editions: last.editions }
        : await requireOwnDesign(database, artistId, design_id);
    const project_id = last ? (last.project_id ?? last.id) : null;
    const except = { id: last?.id ?? null, project_id };
    if (design) await requireEdition(database, design, except, now);
    if (last) await ensureProject(database, last);
    const given = await toChangedPrice(database, artistId, entry.price);
    const price = given === undefined ? priceOfBooking(design, service) : given;
    const { studio_id, time_zone: zone } = artist;
    const { ignore_buffer: ignoresBuffer = false } = entry;
    const wanted = { time: parseStudioRange(zone, entry), ignoresBuffer };
    const owner = { id: null, artist_id: artistId };
    const time = await makeRoomForArtist(context, owner, wanted, now);
    const step = { actor: 'artist', what: 'entered' } as const;
    const id = await insertAppointment(database, {
      columns: {
        ...details,
        artist_id: artistId,
        studio_id,
        service_id,
        design_id,
        status: 'confirmed',
        customer_notes: entry.customer_notes,
        price,
        artist_note: entry.note || null,
        private_notes: private_notes ?? last?.private_notes ?? null,
        project_id,
      },
      client: clientId,
      event: { ...step, at: now },
      time: { ...time, expiresAt: null, zone, isReserved: true },
    });
    // The sessions of a project share their private notes.
    if (last && private_notes !== undefined)
      await setPrivateNotes(database, { ...last, project_id }, private_notes);
    // The client needs no mail about an appointment that has already begun.
    const after = await loadAppointmentRow(database, artistId, id);
    if (time.start > now) await announce(context, step, { before: null, after });
    return toAppointment(context.images, after, now);
  });
}

/**
 * The appointment that the new one follows as the next session; undefined without one.
 * @throws Refusal `not_found`; `wrong_client` when it is another client's
 */
async function findLastSession(
  transaction: Transaction,
  artistId: string,
  { next_session_of: lastId }: NewAppointment,
  clientId: string,
): Promise<AppointmentRow | undefined> {
  if (lastId === undefined) return undefined;
  const last = await loadAppointmentRow(transaction, artistId, lastId);
  if (last.client_id !== clientId) throw refuse('wrong_client');
  return last;
}

/** Finds or inserts the client. Returns their id and the columns that an appointment stores about them. */
async function resolveClient(
  transaction: Transaction,
  artistId: string,
  { client: enteredClient, client_id }: NewAppointment,
) {
  if (enteredClient !== undefined) {
    const details = clientDetailsOf(enteredClient);
    await requireRoomForClient(transaction, artistId, details.email);
    const id = await upsertClient(transaction, { ...details, artist_id: artistId });
    return { ...details, clientId: id, email_proven: true };
  }
  const knownClient = client_id && (await findClient(transaction, artistId, client_id));
  if (!knownClient) throw refuse('not_found');
  const details = clientDetailsOf(knownClient);
  const email_proven = await inheritEmailProof(transaction, artistId, client_id, details.email);
  return { ...details, clientId: client_id, email_proven };
}
