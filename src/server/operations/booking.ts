import type { Confirmation, DesignRequest, ServiceRequest } from '#contract/appointment.ts';
import { type AppointmentStatus, decideConfirmation, holdExpiresAt } from '#domain/appointment.ts';
import { isAvailableSlot } from '#domain/availability.ts';
import { InvalidInput, refuse } from '#domain/refusal.ts';
import { type Instant, localDateAt, MINUTE_MS } from '#domain/time.ts';
import * as appointments from '#server/database/appointments.ts';
import { type ActiveArtist, findActiveArtist } from '#server/database/artists.ts';
import * as calendar from '#server/database/calendar.ts';
import { upsertClient } from '#server/database/clients.ts';
import type { Database } from '#server/database/connect.ts';
import { findPublicDesign } from '#server/database/designs.ts';
import { findService } from '#server/database/services.ts';
import { lockArtistStudio } from '#server/database/studio_moves.ts';
import { loadCalendar } from './availability.ts';
import { isTakingBookings } from './booking_eligibility.ts';
import type { Context } from './context.ts';
import { expireHolds } from './expire_holds.ts';
import { updateCalendar } from './invalidating.ts';
import { notify, toAppointmentFacts } from './notify.ts';
import { toConfirmation } from './to_appointment.ts';

/**
 * A client picks a listed time of a service; it is held for them until they confirm.
 * @param username may be left out when a design tells the artist
 * @param idempotencyKey repeating the call with it answers the first result
 * @throws Refusal `not_found`, `wrong_flow`, `not_taking_bookings`, `time_taken`, `key_reused`
 * @throws InvalidInput when the end does not belong to the service
 */
export async function requestService(
  context: Context,
  username: string | undefined,
  request: ServiceRequest,
  idempotencyKey: string | undefined,
): Promise<Confirmation> {
  const artist = await loadRequestedArtist(context.database, username, request.design_id);
  const idempotency = toIdempotency(idempotencyKey, request);
  return bookOnce(context, artist, idempotency, async () => {
    const start = Date.parse(request.start);
    const duration = await validateServiceRequest(context.database, artist, request);
    await refuseUnlessTakingBookings(context, artist.id);
    // Looked at before waiting for a turn too: most who come late need not queue to hear so.
    await refuseUnlistedTime(context.database, artist, duration, start, Date.now());
    await context.spendMailQuota('request', request.email);
    return updateCalendar(context, artist.id, async (database, now) => {
      const buffer = await refuseUnlistedTime(database, artist, duration, start, now);
      const end = start + duration * MINUTE_MS;
      const blocked = { start, end: end + buffer * MINUTE_MS };
      await expireHolds(context, database, artist.id, blocked, now);
      const here = await lockCurrentStudio(database, artist);
      const id = await insertRequestedAppointment(database, here, request, 'held', idempotency);
      await calendar.reserveTime(database, {
        start,
        end,
        blocked,
        expiresAt: holdExpiresAt(start, context.confirmationTerms, now),
        appointmentId: id,
        artistId: artist.id,
        studioId: here.studio_id,
      });
      return notifyAndLoad(context, database, artist.id, id, ['hold'], now);
    });
  });
}

/**
 * A client asks an artist who sets the times.
 * @param username may be left out when a design tells the artist
 * @throws Refusal `not_found`, `wrong_flow`, `not_taking_bookings`, `key_reused`
 */
export async function requestDesign(
  context: Context,
  username: string | undefined,
  request: DesignRequest,
  idempotencyKey: string | undefined,
): Promise<Confirmation> {
  const artist = await loadRequestedArtist(context.database, username, request.design_id);
  const idempotency = toIdempotency(idempotencyKey, request);
  return bookOnce(context, artist, idempotency, async () => {
    await refuseForeignDesign(context.database, artist.id, request.design_id);
    if (artist.scheduling_type !== 'managed') throw refuse('wrong_flow');
    await refuseUnlessTakingBookings(context, artist.id);
    await context.spendMailQuota('request', request.email);
    // Without a time there is nothing on the calendar to wait for.
    return context.database.transaction().execute(async (database) => {
      const here = await lockCurrentStudio(database, artist);
      const id = await insertRequestedAppointment(
        database,
        here,
        request,
        'requested',
        idempotency,
      );
      const kinds = ['request_received', 'new_request'] as const;
      return notifyAndLoad(context, database, artist.id, id, kinds, Date.now());
    });
  });
}

/** What whoever holds the id may see. */
export async function loadConfirmation(
  context: Context,
  id: string,
  now: Instant,
): Promise<Confirmation> {
  const artistId = await appointments.findAppointmentArtistId(context.database, id);
  if (artistId === undefined) throw refuse('not_found');
  const row = await loadAppointmentRow(context.database, artistId, id);
  return toConfirmation(context.images, row, now);
}

/**
 * The client confirms; doing it twice is harmless.
 * @throws Refusal `not_found`, `state_moved`, `time_taken` when an expired one's time is gone
 */
export async function confirmAppointment(context: Context, id: string): Promise<Confirmation> {
  const artistId = await appointments.findAppointmentArtistId(context.database, id);
  if (artistId === undefined) throw refuse('not_found');
  return updateCalendar(context, artistId, async (database, now) => {
    const row = await loadAppointmentRow(database, artistId, id);
    const time = appointments.toAppointmentTime(row);
    if (decideConfirmation({ status: row.status, time }, now) === 'already')
      return toConfirmation(context.images, row, now);
    if (time === null || row.blocked_until === null) throw refuse('state_moved');
    const blocked = { start: time.start, end: row.blocked_until.getTime() };
    await expireHolds(context, database, artistId, blocked, now, id);
    await calendar.confirmTime(database, id);
    if (!(await appointments.updateAppointmentStatus(database, row, 'confirmed')))
      throw refuse('state_moved');
    return notifyAndLoad(context, database, artistId, id, ['booked', 'new_booking'], now);
  });
}

async function loadRequestedArtist(
  database: Database,
  username: string | undefined,
  designId: string | null | undefined,
): Promise<ActiveArtist> {
  if (username === undefined && !designId)
    throw new InvalidInput(['query', 'username'], 'Is required without a design_id');
  const design =
    username === undefined && designId
      ? await findPublicDesign(database, designId, ['available'])
      : null;
  const artist = await findActiveArtist(database, username ?? design?.username ?? '');
  if (!artist) throw refuse('not_found');
  return artist;
}

/**
 * What is wrong with the request but its time.
 * @returns minutes of the service
 */
async function validateServiceRequest(
  database: Database,
  artist: ActiveArtist,
  request: ServiceRequest,
): Promise<number> {
  const service = await findService(database, artist.id, request.service_id, {
    onlyAvailable: true,
  });
  if (!service) throw refuse('not_found');
  const lastMinute = Date.parse(request.start) + (service.duration_minutes - 1) * MINUTE_MS;
  if (Date.parse(request.end) !== lastMinute)
    throw new InvalidInput(['body', 'end'], 'Does not belong to the service');
  await refuseForeignDesign(database, artist.id, request.design_id);
  if (artist.scheduling_type !== 'service') throw refuse('wrong_flow');
  return service.duration_minutes;
}

async function refuseUnlessTakingBookings(context: Context, artistId: string): Promise<void> {
  if (!(await isTakingBookings(context, artistId, Date.now()))) throw refuse('not_taking_bookings');
}

/** @returns minutes that the artist keeps free after an appointment */
async function refuseUnlistedTime(
  database: Database,
  artist: ActiveArtist,
  duration: number,
  start: Instant,
  now: Instant,
): Promise<number> {
  const date = localDateAt(artist.time_zone, start);
  const open = await loadCalendar(database, artist.id, date, date, now);
  if (!isAvailableSlot(open, duration, start, now)) throw refuse('time_taken');
  return open.schedule.buffer_minutes;
}

async function refuseForeignDesign(
  database: Database,
  artistId: string,
  designId: string | null | undefined,
): Promise<void> {
  if (!designId) return;
  const design = await findPublicDesign(database, designId, ['available']);
  if (design?.artist_id !== artistId) throw refuse('not_found');
}

interface Idempotency {
  readonly key: string;
  /** The booking that the key names; details around it may be edited while an answer is lost. */
  readonly subject: string;
}

function toIdempotency(
  key: string | undefined,
  request: {
    email: string;
    service_id?: string;
    design_id?: string | null | undefined;
    start?: string;
  },
): Idempotency | null {
  if (key === undefined) return null;
  const { email, service_id = null, start } = request;
  const at = start === undefined ? null : Date.parse(start);
  const subject = JSON.stringify([email.toLowerCase(), service_id, request.design_id ?? null, at]);
  return { key, subject };
}

/**
 * Books, unless the key has made its booking: before, whatever has changed since, or at the same
 * moment, in which case our own try fails.
 */
async function bookOnce(
  context: Context,
  artist: ActiveArtist,
  idempotency: Idempotency | null,
  book: () => Promise<Confirmation>,
): Promise<Confirmation> {
  if (idempotency === null) return book();
  const earlier = await findEarlierBooking(context.database, artist.id, idempotency);
  if (earlier) return toConfirmation(context.images, earlier, Date.now());
  try {
    return await book();
  } catch (error) {
    const meanwhile = await findEarlierBooking(context.database, artist.id, idempotency);
    if (meanwhile) return toConfirmation(context.images, meanwhile, Date.now());
    throw error;
  }
}

/** What an earlier call with the same key made. */
async function findEarlierBooking(
  database: Database,
  artistId: string,
  { key, subject }: Idempotency,
): Promise<appointments.AppointmentRow | undefined> {
  const earlier = await appointments.findAppointmentByIdempotencyKey(database, artistId, key);
  if (earlier && earlier.idempotency_subject !== subject) throw refuse('key_reused');
  return earlier;
}

/** The artist in the studio that they have by now, and keep until the transaction ends. */
async function lockCurrentStudio(database: Database, artist: ActiveArtist): Promise<ActiveArtist> {
  const studio_id = await lockArtistStudio(database, artist.id);
  if (studio_id === undefined) throw refuse('not_found');
  return { ...artist, studio_id };
}

async function insertRequestedAppointment(
  database: Database,
  artist: ActiveArtist,
  request: DesignRequest & { service_id?: string },
  status: AppointmentStatus,
  idempotency: Idempotency | null,
): Promise<string> {
  const { first_name, last_name, pronouns, phone_number, email, preferred_contact } = request;
  const client = { first_name, last_name, pronouns, phone_number, email, preferred_contact };
  return appointments.insertAppointment(database, {
    ...client,
    artist_id: artist.id,
    place_id: artist.studio_id,
    client_id: await upsertClient(database, { ...client, artist_id: artist.id }),
    service_id: request.service_id ?? null,
    design_id: request.design_id ?? null,
    status,
    location: request.location,
    size: request.size,
    customer_notes: request.customer_notes,
    idempotency_key: idempotency?.key ?? null,
    idempotency_subject: idempotency?.subject ?? null,
  });
}

/** Has people told of what has just become of an appointment, and shows it. */
async function notifyAndLoad(
  context: Context,
  transaction: Database,
  artistId: string,
  id: string,
  kinds: readonly ('hold' | 'request_received' | 'new_request' | 'booked' | 'new_booking')[],
  now: Instant,
): Promise<Confirmation> {
  const row = await loadAppointmentRow(transaction, artistId, id);
  const appointment = toAppointmentFacts(row, false);
  const notices = kinds.map((kind) => ({ kind, appointment }));
  await notify(context, transaction, artistId, notices);
  return toConfirmation(context.images, row, now);
}

async function loadAppointmentRow(
  database: Database,
  artistId: string,
  id: string,
): Promise<appointments.AppointmentRow> {
  const row = await appointments.findAppointment(database, artistId, id);
  if (!row) throw refuse('not_found');
  return row;
}
