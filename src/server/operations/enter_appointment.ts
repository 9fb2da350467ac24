/** Appointments that the artist enters, because artist and client agreed on them elsewhere. */
import type { Appointment, NewAppointment } from '#contract/appointment.ts';
import { priceOfBooking } from '#domain/booking_price.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import { insertAppointmentEvents } from '#server/database/appointment_events.ts';
import * as appointments from '#server/database/appointments.ts';
import { findArtistById } from '#server/database/artists.ts';
import { findClient, upsertClient } from '#server/database/clients.ts';
import type { Database } from '#server/database/connect.ts';
import { requireRoomForClient } from './account_limits.ts';
import { refuseStaleNotes, requireOwnDesign, requireOwnService } from './appointment_details.ts';
import {
  loadAppointmentRow,
  notifyAndLoad,
  parseStudioRange,
  reserveForArtist,
} from './appointments.ts';
import { requireEdition } from './bookable.ts';
import type { Context } from './context.ts';
import { toChangedPrice } from './currency.ts';
import { updateCalendar } from './invalidating.ts';

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
  return updateCalendar(context, artistId, async (transaction, now) => {
    const artist = requireFound(await findArtistById(transaction, artistId));
    const client = await resolveClient(transaction, artistId, entry);
    const last = await findLastSession(transaction, artistId, entry, client.client_id);
    if (last) refuseStaleNotes(entry, last);
    const { service_id = null, design_id = last?.design_id ?? null, private_notes } = entry;
    const service = await requireServiceOfEntry(transaction, artistId, service_id, last);
    const design = await requireDesignOfEntry(transaction, artistId, design_id, last);
    const projectId = last && (last.project_id ?? last.id);
    if (design)
      await requireEdition(
        transaction,
        design,
        now,
        { id: last?.id ?? null, project_id: projectId ?? null },
        'editions_used_up',
      );
    if (last) await appointments.ensureProject(transaction, last);
    const price =
      entry.price === undefined
        ? priceOfBooking(design, service)
        : ((await toChangedPrice(transaction, artistId, entry.price)) ?? null);
    const id = await appointments.insertAppointment(transaction, {
      ...client,
      artist_id: artistId,
      studio_id: artist.studio_id,
      service_id,
      design_id,
      status: 'confirmed',
      customer_notes: entry.customer_notes,
      price,
      artist_note: entry.note || null,
      private_notes: private_notes ?? last?.private_notes ?? null,
      project_id: projectId ?? null,
    });
    // The sessions of a project share their private notes.
    if (last && private_notes !== undefined) {
      const session = { ...last, project_id: projectId ?? null };
      await appointments.updateAppointmentDetails(transaction, session, { private_notes }, false);
    }
    const { studio_id, time_zone } = artist;
    const created = { id, artist_id: artistId, studio_id, time_zone };
    const time = parseStudioRange(artist.time_zone, entry);
    await insertAppointmentEvents(transaction, [
      {
        appointmentId: id,
        actor: 'artist',
        what: 'entered',
        at: now,
        fromStatus: null,
        toStatus: 'confirmed',
        fromStart: null,
        toStart: time.start,
      },
    ]);
    const ignoresBuffer = entry.ignore_buffer === true;
    const reserved = { ...time, expiresAt: null, ignoresBuffer };
    await reserveForArtist(context, transaction, created, reserved, now);
    // The client needs no mail about an appointment that has already begun.
    const mailKind = time.start <= now ? null : 'booked';
    return notifyAndLoad(context, transaction, created, { mailKind, rowBefore: null }, now);
  });
}

/** The next session may have the service of the last one, also if that is deleted. @throws Refusal `not_found` */
async function requireServiceOfEntry(
  database: Database,
  artistId: string,
  id: string | null,
  last: appointments.AppointmentRow | undefined,
) {
  if (last && id !== null && id === last.service_id) return { price: last.service_price };
  return requireOwnService(database, artistId, id);
}

/** The next session may have the design of the last one, also if that is deleted. @throws Refusal `not_found` */
async function requireDesignOfEntry(
  database: Database,
  artistId: string,
  id: string | null,
  last: appointments.AppointmentRow | undefined,
) {
  if (last && id !== null && id === last.design_id)
    return { id, price: last.design_price, editions: last.editions };
  return requireOwnDesign(database, artistId, id);
}

/**
 * The appointment that the new one follows as the next session; undefined without one.
 * @throws Refusal `not_found`; `wrong_client` when it is another client's
 */
async function findLastSession(
  transaction: Database,
  artistId: string,
  { next_session_of: lastId }: NewAppointment,
  clientId: string,
): Promise<appointments.AppointmentRow | undefined> {
  if (lastId === undefined) return undefined;
  const last = await loadAppointmentRow(transaction, artistId, lastId);
  if (last.client_id !== clientId) throw refuse('wrong_client');
  return last;
}

/** Finds or inserts the client. Returns the columns that an appointment stores about them. */
async function resolveClient(
  transaction: Database,
  artistId: string,
  { client: enteredClient, client_id }: NewAppointment,
) {
  if (enteredClient !== undefined) {
    const { first_name, last_name, email = null, phone_number, pronouns } = enteredClient;
    const details = { first_name, last_name, email, phone_number, pronouns };
    await requireRoomForClient(transaction, artistId, email);
    const id = await upsertClient(transaction, { ...details, artist_id: artistId });
    return { ...details, client_id: id, email_proven: true };
  }
  const knownClient = client_id && (await findClient(transaction, artistId, client_id));
  if (!knownClient) throw refuse('not_found');
  const { first_name, last_name, email, phone_number, pronouns, preferred_contact } = knownClient;
  const details = { first_name, last_name, email, phone_number, pronouns, preferred_contact };
  const email_proven = await appointments.inheritEmailProof(
    transaction,
    artistId,
    client_id,
    email,
  );
  return { ...details, client_id, email_proven };
}
