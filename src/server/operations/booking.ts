import type { Confirmation, DesignRequest, ServiceRequest } from '#contract/appointment.ts';
import { SERVICE_CHANGED_TEXT, SERVICE_CHANGED_TYPE } from '#contract/booking_refusals.ts';
import { holdExpiresAt, statusAt, TRANSITIONS } from '#domain/appointment.ts';
import { depositOfBooking, priceOfBooking } from '#domain/booking_price.ts';
import { InvalidInput, refuse, requireFound } from '#domain/refusal.ts';
import { type Instant, MINUTE_MS } from '#domain/time.ts';
import { insertAppointmentEvents } from '#server/database/appointment_events.ts';
import * as appointments from '#server/database/appointments.ts';
import { lockArtist, type PublicArtistRow } from '#server/database/artists.ts';
import * as calendar from '#server/database/calendar.ts';
import { withCalendarLock } from '#server/database/calendar_lock.ts';
import { upsertClient } from '#server/database/clients.ts';
import type { Database } from '#server/database/connect.ts';
import { lockArtistStudio } from '#server/database/studio_moves.ts';
import { requireUnblocked } from './abuse.ts';
import {
  requireAvailableDesign,
  requireAvailableService,
  requireAvailableTime,
  type WantedSlot,
  withAlikeDesigns,
  withNearestTimes,
} from './bookable.ts';
import { requireTakingBookings } from './booking_eligibility.ts';
import { raiseAlarmIfSuspicious, requireProof } from './booking_limits.ts';
import { notifyAndLoadConfirmation, toClientView } from './client_view.ts';
import { loadPublicArtist } from './concerned_artist.ts';
import type { Context } from './context.ts';
import { countRefusedBooking } from './count_bookings.ts';
import { findUsernameOfDesign, type PublicDesignRow } from './designs.ts';
import { expireHolds } from './expire_holds.ts';
import { updateCalendar } from './invalidating.ts';
import { isWithinLimits } from './limits.ts';
import { consumeProofOfWork, createProofOfWorkTask } from './proof_of_work.ts';
import { saveTransition } from './save_transition.ts';
import { findService } from './services.ts';

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
 *   `wrong_scheduling_type`, `not_taking_bookings`, `books_closed`, `time_taken` (with the nearest free times),
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
  const book = async () => {
    const replaced = await findReplacedHold(context.database, artist.id, request.replaces);
    const minutes = await loadRequestedMinutes(context.database, artist, request, replaced);
    const start = Date.parse(request.start);
    const time = { start, end: start + minutes * MINUTE_MS };
    await requireTakingBookings(context, artist, Date.now());
    const wanted = { artist, time, exceptAppointmentId: replaced?.id };
    return withNearestTimes(
      context.database,
      async () => wanted,
      Date.now(),
      () => holdTime(context, { artist, request, sender, idempotency }, wanted),
    );
  };
  return bookOnce(context, artist.id, request, idempotency, () =>
    withAlikeDesigns(context, artist.id, async () => request.design_id, book),
  );
}

interface HoldRequest {
  readonly artist: PublicArtistRow;
  readonly request: ServiceRequest;
  readonly sender: RequestSender;
  readonly idempotency: Idempotency | null;
}

/** Reserves a time for a client, who must confirm it. @throws Refusal `time_taken`, `sender_blocked` */
async function holdTime(
  context: Context,
  { artist, request, sender, idempotency }: HoldRequest,
  { time, exceptAppointmentId }: WantedSlot,
): Promise<Confirmation> {
  const { start } = time;
  // Refuses a taken time early. The same check below, with the calendar lock, decides.
  await requireAvailableTime(context.database, artist, time, Date.now(), { exceptAppointmentId });
  const hasWorked = await checkSender(context, artist.id, request.email, sender);
  // `updateCalendar` takes the lock, then reads `now` from the clock of the database.
  return updateCalendar(context, artist.id, async (transaction, now) => {
    await releaseReplacedHold(transaction, artist.id, request.replaces, now);
    const design = await requireAvailableDesign(transaction, artist.id, request.design_id, now);
    const bufferMinutes = await requireAvailableTime(transaction, artist, time, now);
    // The time and the buffer after it.
    const blocked = { start, end: time.end + bufferMinutes * MINUTE_MS };
    const wanted = { durationMinutes: (time.end - start) / MINUTE_MS, blocked };
    const { email } = request;
    const wantsEdition = design !== null && design.editions !== null;
    const requester = {
      artistId: artist.id,
      network: sender.network,
      email,
      wantsEdition,
      hasWorked,
    };
    const proof = await requireProof(context, transaction, requester, wanted, now);
    // A hold whose deadline has passed occupies its time until `expireHolds` releases it.
    await expireHolds(context, transaction, artist.id, { overlapping: blocked }, now);
    const origin = { network: sender.network, mustProveEmail: proof.mustProveEmail };
    const booking = {
      request,
      origin,
      idempotency,
      terms: await loadTerms(transaction, artist, request, design),
    };
    const { id, studio } = await insertBooking(transaction, artist.id, booking, now);
    await calendar.reserveTime(transaction, {
      ...time,
      blocked,
      expiresAt: holdExpiresAt(start, context.confirmationDeadlines, now),
      appointmentId: id,
      artistId: artist.id,
      studioId: studio.id,
      zone: studio.time_zone,
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
  const book = async () => {
    const { database } = context;
    const { design_id: designId, replaces } = request;
    const replaced = await findReplacedHold(database, artist.id, replaces);
    await requireAvailableDesign(database, artist.id, designId, Date.now(), replaced);
    // 'managed': the artist sets the times; 'service': clients pick a time of a service.
    if (artist.scheduling_type !== 'managed') throw refuse('wrong_scheduling_type');
    if (request.service_id) await requireAvailableService(database, artist.id, request.service_id);
    await requireTakingBookings(context, artist, Date.now());
    const hasWorked = await checkSender(context, artist.id, request.email, sender);
    const insertRequest = async (transaction: Database, now: Instant) => {
      await releaseReplacedHold(transaction, artist.id, request.replaces, now);
      // Requests at the same time count each other.
      await lockArtist(transaction, artist.id);
      const { email } = request;
      const requester = {
        artistId: artist.id,
        network: sender.network,
        email,
        // A request without a time uses up no edition.
        wantsEdition: false,
        hasWorked,
      };
      const { mustProveEmail } = await requireProof(context, transaction, requester, null, now);
      const origin = { network: sender.network, mustProveEmail };
      const design = await requireAvailableDesign(transaction, artist.id, request.design_id, now);
      const terms = await loadTerms(transaction, artist, request, design);
      const booking = { request, origin, idempotency, terms };
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
  };
  return bookOnce(context, artist.id, request, idempotency, () =>
    withAlikeDesigns(context, artist.id, async () => request.design_id, book),
  );
}

/** Refuses a blocked sender. @returns whether a valid proof of work came with the request */
async function checkSender(
  context: Context,
  artistId: string,
  email: string,
  { network, proofOfWork }: RequestSender,
): Promise<boolean> {
  await requireUnblocked(context.database, artistId, { email, network });
  if (await consumeProofOfWork(context, artistId, proofOfWork)) return true;
  if (!(await isWithinLimits(context, ['requests_of_network'], { network })))
    throw await createProofOfWorkTask(context, artistId);
  return false;
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
 * Checks the service, the design and the request's end.
 * @param replaced the client's own hold, which does not count as a use of the design
 * @returns the length of the appointment: that of the service, or of the design itself
 * @throws InvalidInput `service_changed` when the end does not have this length, or the design is booked
 *   in another way
 */
async function loadRequestedMinutes(
  database: Database,
  artist: PublicArtistRow,
  request: ServiceRequest,
  replaced: appointments.AppointmentRow | undefined,
): Promise<number> {
  const { service_id: serviceId, design_id: designId } = request;
  const service =
    serviceId === null ? null : await requireAvailableService(database, artist.id, serviceId);
  if (service) requireEndOfService(request, service.duration_minutes);
  const now = Date.now();
  const design = await requireAvailableDesign(database, artist.id, designId, now, replaced);
  if (artist.scheduling_type !== 'service') throw refuse('wrong_scheduling_type');
  await requireServiceOfDesign(database, artist.id, design, serviceId);
  if (service) return service.duration_minutes;
  const minutes = design?.duration_minutes;
  if (!minutes) throw new InvalidInput(['body', 'service_id'], 'Is required');
  requireEndOfService(request, minutes);
  return minutes;
}

/**
 * Refuses another service than the one with which the design is booked, as long as clients can book
 * that, and any service for a design with a length of its own.
 * @throws InvalidInput `service_changed`
 */
async function requireServiceOfDesign(
  database: Database,
  artistId: string,
  design: PublicDesignRow | null,
  serviceId: string | null,
): Promise<void> {
  if (design === null) return;
  const { service_id: ownServiceId, duration_minutes: ownMinutes } = design;
  const isOther = ownMinutes === null ? ownServiceId !== serviceId : serviceId !== null;
  if (!isOther || (ownMinutes === null && ownServiceId === null)) return;
  const filter = { onlyAvailable: true };
  if (ownServiceId !== null && !(await findService(database, artistId, ownServiceId, filter)))
    return;
  throw new InvalidInput(['body', 'service_id'], SERVICE_CHANGED_TEXT, SERVICE_CHANGED_TYPE);
}

/** The price, the policy and the deposit at the moment of booking. */
async function loadTerms(
  database: Database,
  { id, booking_policy, deposit }: PublicArtistRow,
  { service_id: serviceId }: BookingRequest,
  design: PublicDesignRow | null,
): Promise<BookedTerms> {
  const service = serviceId
    ? await findService(database, id, serviceId, { onlyAvailable: false })
    : null;
  const price = priceOfBooking(design, service);
  return { price, booking_policy, deposit: depositOfBooking(price, deposit) };
}

type BookedTerms = Pick<appointments.AppointmentRow, 'price' | 'booking_policy' | 'deposit'>;

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

/** Both kinds of request: only a `ServiceRequest` has a start. */
type BookingRequest = DesignRequest & { start?: string };

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
  readonly terms: BookedTerms;
}

/**
 * Inserts an appointment, and its client if the artist has none with this email. Locks the artist's
 * row, so that the artist cannot move to another studio before the transaction commits.
 */
async function insertBooking(
  transaction: Database,
  artistId: string,
  { request, origin, idempotency, terms }: NewBooking,
  now: Instant,
): Promise<{ id: string; studio: { id: string; time_zone: string } }> {
  const { network, mustProveEmail } = origin;
  const status = request.start === undefined ? 'requested' : 'held';
  const studio = requireFound(await lockArtistStudio(transaction, artistId));
  const { first_name, last_name, pronouns, phone_number, email, preferred_contact } = request;
  const client = { first_name, last_name, pronouns, phone_number, email, preferred_contact };
  const id = await appointments.insertAppointment(transaction, {
    ...client,
    ...terms,
    artist_id: artistId,
    studio_id: studio.id,
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
  return { id, studio };
}
