import type { Confirmation, DesignRequest, ServiceRequest } from '#contract/appointment.ts';
import { SERVICE_CHANGED_TEXT, SERVICE_CHANGED_TYPE } from '#contract/booking_refusals.ts';
import { holdExpiresAt, statusAt, TRANSITIONS } from '#domain/appointment.ts';
import { InvalidInput, refuse, requireFound } from '#domain/refusal.ts';
import { HOUR_SECONDS, type Instant, MINUTE_MS } from '#domain/time.ts';
import { insertAppointmentEvents } from '#server/database/appointment_events.ts';
import * as appointments from '#server/database/appointments.ts';
import { lockArtist, type PublicArtistRow } from '#server/database/artists.ts';
import { isSenderBlocked } from '#server/database/blocked_senders.ts';
import * as calendar from '#server/database/calendar.ts';
import { withCalendarLock } from '#server/database/calendar_lock.ts';
import { upsertClient } from '#server/database/clients.ts';
import type { Database } from '#server/database/connect.ts';
import { findUsernameOfDesign } from '#server/database/designs.ts';
import { lockArtistStudio } from '#server/database/studio_moves.ts';
import {
  requireAvailableDesign,
  requireAvailableService,
  requireAvailableTime,
  type WantedSlot,
  withNearestTimes,
} from './bookable.ts';
import { isTakingBookings } from './booking_eligibility.ts';
import { raiseAlarmIfSuspicious, requireProof } from './booking_limits.ts';
import { notifyAndLoadConfirmation, toClientView } from './client_view.ts';
import { loadPublicArtist } from './concerned_artist.ts';
import type { Context } from './context.ts';
import { countRefusedBooking } from './count_bookings.ts';
import { expireHolds } from './expire_holds.ts';
import { updateCalendar } from './invalidating.ts';
import { consumeProofOfWork, createProofOfWorkTask } from './proof_of_work.ts';
import { saveTransition } from './save_transition.ts';

/** What a request says of its sender, besides the form. */
export interface RequestSender {
  readonly network: string;
  /** A repeated request with this key returns the first request's appointment. */
  readonly idempotencyKey?: string | undefined;
  /** The header with a solved proof of work. */
  readonly proofOfWork?: string | undefined;
}

/**
 * A client picks a free time of a service. The time becomes a hold: it is reserved for the client,
 * who must confirm it before a deadline.
 * @param username the artist's; may be missing with a design, which belongs to one artist
 * @returns the client's view of the appointment
 * @throws Refusal `not_found`, `service_not_available`, `design_not_available`,
 *   `wrong_scheduling_type`, `not_taking_bookings`, `time_taken` (with the nearest free times),
 *   `idempotency_key_reused`, `sender_blocked`
 * @throws InvalidInput without artist and design, or when the end does not match the duration
 * @throws ProofOfWorkRequired, RateLimited when many requests come in
 */
export async function requestService(
  context: Context,
  username: string | undefined,
  request: ServiceRequest,
  sender: RequestSender,
): Promise<Confirmation> {
  const artist = await loadRequestedArtist(context, username, request.design_id);
  const idempotency = toIdempotency(sender.idempotencyKey, request);
  return bookOnce(context, artist.id, request, idempotency, async () => {
    const service = await loadRequestedService(context.database, artist, request);
    const start = Date.parse(request.start);
    const time = { start, end: start + service.duration_minutes * MINUTE_MS };
    if (!(await isTakingBookings(context, artist.id, Date.now())))
      throw refuse('not_taking_bookings');
    const replaced = await findReplacedHold(context.database, artist.id, request.replaces);
    const wanted = { artist, time, exceptAppointmentId: replaced?.id };
    return withNearestTimes(
      context.database,
      async () => wanted,
      Date.now(),
      () => holdTime(context, { artist, service, request, sender, idempotency }, wanted),
    );
  });
}

interface HoldRequest {
  readonly artist: PublicArtistRow;
  readonly service: { readonly duration_minutes: number };
  readonly request: ServiceRequest;
  readonly sender: RequestSender;
  readonly idempotency: Idempotency | null;
}

/** Reserves a time for a client, who must confirm it. @throws Refusal `time_taken`, `sender_blocked` */
async function holdTime(
  context: Context,
  { artist, service, request, sender, idempotency }: HoldRequest,
  { time, exceptAppointmentId }: WantedSlot,
): Promise<Confirmation> {
  const { start } = time;
  // Refuses a taken time early. The same check below, with the calendar lock, decides.
  await requireAvailableTime(context.database, artist, time, Date.now(), { exceptAppointmentId });
  const hasWorked = await checkSender(context, artist.id, request.email, sender);
  // `updateCalendar` takes the lock, then reads `now` from the clock of the database.
  return updateCalendar(context, artist.id, async (transaction, now) => {
    await releaseReplacedHold(transaction, artist.id, request.replaces, now);
    const bufferMinutes = await requireAvailableTime(transaction, artist, time, now);
    // The time and the buffer after it.
    const blocked = { start, end: time.end + bufferMinutes * MINUTE_MS };
    const wanted = { durationMinutes: service.duration_minutes, blocked };
    const { email } = request;
    const requester = { artistId: artist.id, network: sender.network, email, hasWorked };
    const proof = await requireProof(context, transaction, requester, wanted, now);
    // A hold whose deadline has passed occupies its time until `expireHolds` releases it.
    await expireHolds(context, transaction, artist.id, { overlapping: blocked }, now);
    const origin = { network: sender.network, mustProveEmail: proof.mustProveEmail };
    const booking = { request, origin, idempotency };
    const { id, studioId } = await insertBooking(transaction, artist.id, booking, now);
    await calendar.reserveTime(transaction, {
      ...time,
      blocked,
      expiresAt: holdExpiresAt(start, context.confirmationDeadlines, now),
      appointmentId: id,
      artistId: artist.id,
      studioId,
      isReserved: proof.isReserved,
    });
    await raiseAlarmIfSuspicious(context, transaction, artist, id, now);
    const booked = { id, artist_id: artist.id };
    const mails = { mailKinds: ['hold'], network: sender.network } as const;
    return notifyAndLoadConfirmation(context, transaction, booked, mails, now);
  });
}

/**
 * A client asks for an appointment, with or without a design. The artist sets the time later.
 * The parameters and refusals are those of `requestService`, but without `time_taken`.
 * @throws InvalidInput without artist and design
 */
export async function requestDesign(
  context: Context,
  username: string | undefined,
  request: DesignRequest,
  sender: RequestSender,
): Promise<Confirmation> {
  const artist = await loadRequestedArtist(context, username, request.design_id);
  const idempotency = toIdempotency(sender.idempotencyKey, request);
  return bookOnce(context, artist.id, request, idempotency, async () => {
    await requireAvailableDesign(context.database, artist.id, request.design_id);
    // 'managed': the artist sets the times; 'service': clients pick a time of a service.
    if (artist.scheduling_type !== 'managed') throw refuse('wrong_scheduling_type');
    if (!(await isTakingBookings(context, artist.id, Date.now())))
      throw refuse('not_taking_bookings');
    const hasWorked = await checkSender(context, artist.id, request.email, sender);
    const insertRequest = async (transaction: Database, now: Instant) => {
      await releaseReplacedHold(transaction, artist.id, request.replaces, now);
      // Requests at the same time count each other.
      await lockArtist(transaction, artist.id);
      const { email } = request;
      const requester = { artistId: artist.id, network: sender.network, email, hasWorked };
      const { mustProveEmail } = await requireProof(context, transaction, requester, null, now);
      const origin = { network: sender.network, mustProveEmail };
      const booking = { request, origin, idempotency };
      const { id } = await insertBooking(transaction, artist.id, booking, now);
      await raiseAlarmIfSuspicious(context, transaction, artist, id, now);
      const requested = { id, artist_id: artist.id };
      const mailKinds = ['request_received', 'new_request'] as const;
      const mails = { mailKinds, network: sender.network };
      return notifyAndLoadConfirmation(context, transaction, requested, mails, now);
    };
    if (request.replaces) return updateCalendar(context, artist.id, insertRequest);
    // The lock, because the client could be merged or erased meanwhile.
    return withCalendarLock(context.database, artist.id, insertRequest);
  });
}

/**
 * Requests of one network to all artists, an hour, without a proof of work: with few requests to each
 * artist, a program could otherwise mail many people.
 */
const REQUESTS_OF_NETWORK_TO_ALL = {
  name: 'requests_of_network',
  points: 60,
  seconds: HOUR_SECONDS,
};

/** Refuses a blocked sender. @returns whether a valid proof of work came with the request */
async function checkSender(
  context: Context,
  artistId: string,
  email: string,
  { network, proofOfWork }: RequestSender,
): Promise<boolean> {
  if (await isSenderBlocked(context.database, artistId, { email, network }))
    throw refuse('sender_blocked');
  const hasWorked = await consumeProofOfWork(context, artistId, proofOfWork);
  if (!hasWorked && !(await context.countEvent(REQUESTS_OF_NETWORK_TO_ALL, network)).isAllowed)
    throw await createProofOfWorkTask(context, artistId);
  return hasWorked;
}

async function loadRequestedArtist(
  context: Context,
  username: string | undefined,
  designId: string | null | undefined,
): Promise<PublicArtistRow> {
  return loadPublicArtist(
    context,
    username ?? (await loadUsernameByDesign(context.database, designId)),
  );
}

/** The username of the artist who offers a design. */
async function loadUsernameByDesign(
  database: Database,
  designId: string | null | undefined,
): Promise<string> {
  if (!designId) throw new InvalidInput(['query', 'username'], 'Is required without a design_id');
  return requireFound(await findUsernameOfDesign(database, designId));
}

/**
 * Finds the service, and checks the request's end and design.
 * @throws InvalidInput `service_changed` when the end does not match the service's duration
 */
async function loadRequestedService(
  database: Database,
  artist: PublicArtistRow,
  request: ServiceRequest,
): Promise<{ readonly duration_minutes: number }> {
  const service = await requireAvailableService(database, artist.id, request.service_id);
  requireEndOfService(request, service.duration_minutes);
  await requireAvailableDesign(database, artist.id, request.design_id);
  if (artist.scheduling_type !== 'service') throw refuse('wrong_scheduling_type');
  return service;
}

/** @throws InvalidInput `service_changed` when the times do not have the length of the service */
export function requireEndOfService(
  { start, end }: { readonly start: string; readonly end: string },
  durationMinutes: number,
): void {
  // In the API the end is the start of the last minute: 10:00 to 10:59 lasts one hour.
  const lastMinute = Date.parse(start) + (durationMinutes - 1) * MINUTE_MS;
  if (Date.parse(end) === lastMinute) return;
  throw new InvalidInput(['body', 'end'], SERVICE_CHANGED_TEXT, SERVICE_CHANGED_TYPE);
}

/** Finds the client's own unconfirmed hold, which the request replaces; undefined for none. */
async function findReplacedHold(
  database: Database,
  artistId: string,
  id: string | null | undefined,
): Promise<appointments.AppointmentRow | undefined> {
  if (!id) return undefined;
  const row = await appointments.findAppointment(database, artistId, id);
  return row?.status === 'held' ? row : undefined;
}

/** Releases the hold that a request replaces, unless it was confirmed or has expired meanwhile. */
async function releaseReplacedHold(
  transaction: Database,
  artistId: string,
  id: string | null | undefined,
  now: Instant,
): Promise<void> {
  const row = await findReplacedHold(transaction, artistId, id);
  if (!row || statusAt(appointments.toAppointmentState(row), now) !== 'held') return;
  const { to: status, event: what } = TRANSITIONS.client.release;
  await saveTransition(transaction, row, { actor: 'client', what, status }, now);
  await calendar.releaseTime(transaction, artistId, row.id);
}

/** Both kinds of request: only a `ServiceRequest` has a service and a start. */
type BookingRequest = DesignRequest & { service_id?: string; start?: string };

interface Idempotency {
  readonly key: string;
  /** JSON of the fields that a repeated request must not change. Others may differ. */
  readonly subject: string;
}

function toIdempotency(key: string | undefined, request: BookingRequest): Idempotency | null {
  if (key === undefined) return null;
  const { email, service_id = null, design_id = null, start } = request;
  const startsAt = start === undefined ? null : Date.parse(start);
  const subject = JSON.stringify([email.toLowerCase(), service_id, design_id, startsAt]);
  return { key, subject };
}

/** Books, or finds the appointment of an earlier or concurrent request with the same key. */
function bookOnce(
  context: Context,
  artistId: string,
  request: BookingRequest,
  idempotency: Idempotency | null,
  book: () => Promise<Confirmation>,
): Promise<Confirmation> {
  return countRefusedBooking(context, async () => {
    const findEarlier = async () =>
      idempotency && findAppointmentByKey(context, artistId, request, idempotency);
    const earlierAppointment = await findEarlier();
    if (earlierAppointment) return earlierAppointment;
    try {
      const confirmation = await book();
      context.metrics.countBooking(request.start === undefined ? 'requested' : 'held');
      return confirmation;
    } catch (error) {
      // A concurrent request with the same key may have booked first, and so caused the error.
      const concurrentAppointment = await findEarlier();
      if (concurrentAppointment) return concurrentAppointment;
      throw error;
    }
  });
}

async function findAppointmentByKey(
  context: Context,
  artistId: string,
  request: BookingRequest,
  { key, subject }: Idempotency,
): Promise<Confirmation | undefined> {
  const row = await appointments.findAppointmentByIdempotencyKey(context.database, artistId, key);
  if (!row) return undefined;
  if (row.idempotency_subject !== subject) throw refuse('idempotency_key_reused');
  const confirmation = await toClientView(context, context.database, row, Date.now());
  // The client has edited details after the first request, whose answer they did not get.
  const isEdited = DETAIL_FIELDS.some((field) => (request[field] ?? null) !== row[field]);
  return isEdited ? { ...confirmation, differs_from_request: true } : confirmation;
}

/** The fields that a repeated request may change without effect. */
const DETAIL_FIELDS = [
  'first_name',
  'last_name',
  'pronouns',
  'phone_number',
  'preferred_contact',
  'location',
  'size',
  'customer_notes',
] as const;

interface NewBooking {
  readonly request: BookingRequest;
  readonly origin: { readonly network: string; readonly mustProveEmail: boolean };
  readonly idempotency: Idempotency | null;
}

/**
 * Inserts an appointment, and its client if the artist has none with this email. Locks the artist's
 * row, so that the artist cannot move to another studio before the transaction commits.
 */
async function insertBooking(
  transaction: Database,
  artistId: string,
  { request, origin, idempotency }: NewBooking,
  now: Instant,
): Promise<{ id: string; studioId: string }> {
  const { network, mustProveEmail } = origin;
  const status = request.start === undefined ? 'requested' : 'held';
  const studioId = requireFound(await lockArtistStudio(transaction, artistId));
  const { first_name, last_name, pronouns, phone_number, email, preferred_contact } = request;
  const client = { first_name, last_name, pronouns, phone_number, email, preferred_contact };
  const id = await appointments.insertAppointment(transaction, {
    ...client,
    artist_id: artistId,
    place_id: studioId, // The table of studios is named `places`.
    client_id: await upsertClient(transaction, { ...client, artist_id: artistId }),
    service_id: request.service_id ?? null,
    design_id: request.design_id ?? null,
    status,
    location: request.location,
    size: request.size,
    customer_notes: request.customer_notes,
    network,
    must_prove_email: mustProveEmail,
    idempotency_key: idempotency?.key ?? null,
    idempotency_subject: idempotency?.subject ?? null,
  });
  await insertAppointmentEvents(transaction, [
    {
      appointmentId: id,
      actor: 'client',
      what: status,
      at: now,
      fromStatus: null,
      toStatus: status,
      fromStart: null,
      toStart: request.start === undefined ? null : Date.parse(request.start),
    },
  ]);
  return { id, studioId };
}
