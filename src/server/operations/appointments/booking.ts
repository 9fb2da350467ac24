/** A client's booking of a free time, or request without a time. */
import { tag } from '#cache/policy.ts';
import type { Confirmation, DesignRequest, ServiceRequest } from '#contract/appointment.ts';
import { holdExpiresAt, statusAt, TRANSITIONS } from '#domain/appointments/appointment.ts';
import { type BufferedTime, blockedRange, fromSlot } from '#domain/booking/availability.ts';
import {
  type Bookable,
  judgeBooking,
  judgeBookingEarly,
  type WantedBooking,
} from '#domain/booking/booking_checks.ts';
import { depositOfBooking, priceOfBooking } from '#domain/booking/booking_price.ts';
import { clientDetailsOf } from '#domain/clients/client_details.ts';
import { InvalidInput, refuse, requireFound } from '#domain/refusal.ts';
import type { Instant } from '#domain/time/time.ts';
import { insertAppointment, saveTransition } from '#server/database/appointment_transitions.ts';
import {
  type AppointmentRow,
  type ClientAppointmentRow,
  findAppointment,
  findClientAppointment,
  toAppointmentState,
} from '#server/database/appointments.ts';
import type { PublicArtistRow } from '#server/database/artists.ts';
import type { BookableOptions } from '#server/database/bookables.ts';
import type { Database, Transaction } from '#server/database/connect.ts';
import { countRefusedBooking, loadBookable, withAlternatives } from '../booking/bookable.ts';
import { isTakingBookings } from '../booking/booking_eligibility.ts';
import {
  loadListingOnce,
  raiseAlarmIfSuspicious,
  requireProof,
} from '../booking/booking_limits.ts';
import { consumeProofOfWork, createProofOfWorkTask } from '../booking/proof_of_work.ts';
import { findUsernameOfDesign } from '../catalogue/designs.ts';
import { calendarScope, change } from '../change.ts';
import type { Context, InChange } from '../context.ts';
import { isWithinLimits } from '../limits.ts';
import { announce } from '../mail/notify.ts';
import { loadPublicArtist } from '../public_artist.ts';
import { type Caller, loadClientAppointment, toClientView } from './client_view.ts';
import { expireHolds } from './expire_holds.ts';

/** The sender of a request, besides the form. */
export interface RequestSender extends Caller {
  /** A repeated request with this key returns the first request's appointment. */
  readonly idempotencyKey?: string | undefined;
  /** The header with a solved proof of work. */
  readonly proofOfWork?: string | undefined;
}

/** Both kinds of request: without a time, the artist sets it later. */
type BookingRequest = DesignRequest | ServiceRequest;

interface Booking {
  readonly artist: PublicArtistRow;
  readonly request: BookingRequest;
  readonly wanted: WantedBooking & BookableOptions & Required<Pick<BookableOptions, 'sender'>>;
  readonly sender: RequestSender;
}

/**
 * A client asks for an appointment. A free time that they pick becomes a hold: it is reserved for the client,
 * who must confirm it before a deadline.
 * @param username the artist's; may be missing with a design, which belongs to one artist
 * @returns the client's view of the appointment
 * @throws InvalidInput without artist and design, or when the end does not match the duration
 * @throws ProofOfWorkRequired, RateLimited when many requests come in
 */
export async function requestAppointment(
  context: Context,
  username: string | undefined,
  request: BookingRequest,
  sender: RequestSender,
): Promise<Confirmation> {
  const artist = await loadRequestedArtist(context, username, request.design_id);
  const replaced = await findReplacedHold(context.database, artist.id, request.replaces);
  const wanted = {
    artistId: artist.id,
    zone: artist.time_zone,
    serviceId: request.service_id ?? null,
    designId: request.design_id ?? null,
    time: 'start' in request ? fromSlot(request) : null,
    sender: { email: request.email, networks: [sender.network] },
    own: replaced ?? null,
    idempotencyKey: sender.idempotencyKey,
  };
  try {
    const { row, isNew, now } = await book(context, { artist, request, wanted, sender });
    if (isNew) context.metrics.countBooking(wanted.time === null ? 'requested' : 'held');
    // Not under the lock, for which others wait.
    const view = await toClientView(context, row, now);
    return isNew ? view : { ...view, ...differenceTo(request, row) };
  } catch (error) {
    countRefusedBooking(context, error);
    throw await withAlternatives(context, async () => wanted, error, sender.now);
  }
}

/** The appointment of a request, with the time at which it was loaded. */
interface Booked {
  readonly row: ClientAppointmentRow;
  /** False if an earlier request with the same key has made it. */
  readonly isNew: boolean;
  readonly now: Instant;
}

async function book(context: Context, booking: Booking): Promise<Booked> {
  const { artist, request, wanted, sender } = booking;
  const early = await loadBookable(context.database, wanted, sender.now);
  const repeated = await findRepeated(context, booking, early.earlierId);
  if (repeated) return { row: repeated, isNew: false, now: sender.now };
  // Before a proof of work is used up.
  const isTaking = await isTakingBookings(context, artist.id, sender.now);
  judgeBookingEarly(early, wanted, isTaking, sender.now);
  const hasProofOfWork = await consumeProof(context, artist.id, sender);
  const invalidates = wanted.time || request.replaces ? [tag.availability(artist.id)] : [];
  return change(context, calendarScope(artist.id, invalidates), (context, now) =>
    bookUnderLock(context, booking, hasProofOfWork, now),
  );
}

/** Books under the lock of the calendar, and judges again what another change may have changed. */
async function bookUnderLock(
  context: InChange<Context>,
  booking: Booking,
  hasProofOfWork: boolean,
  now: Instant,
): Promise<Booked> {
  const { database } = context;
  const { artist, request, wanted, sender } = booking;
  const { network } = sender;
  const counted = { artistId: artist.id, network, appointmentId: null };
  // Not `own`: the hold that the request replaces is released before the time is judged.
  const load = () => loadBookable(database, { ...wanted, own: null, counted }, now);
  let bookable = await load();
  // A concurrent request with the same key may have booked meanwhile.
  const repeated = await findRepeated(context, booking, bookable.earlierId);
  if (repeated) return { row: repeated, isNew: false, now };
  if (await releaseReplacedHold(database, wanted, now)) bookable = await load();
  const time = judgeBooking(bookable, wanted, now);
  const loadListing = loadListingOnce(database, counted, now);
  const requester = {
    ...counted,
    loadListing,
    email: request.email,
    counts: requireFound(bookable.counts ?? undefined),
    // A request without a time uses up no edition.
    wantsEdition: time !== null && bookable.design !== null && bookable.design.editions !== null,
    hasProofOfWork,
  };
  const proof = await requireProof(context, requester, time, now);
  // Until their expiry is stored, the database would refuse the time.
  if (time && bookable.hasExpiredTimes)
    await expireHolds(context, artist.id, { overlapping: blockedRange(time) }, now);
  const id = await insertBooking(context, booking, { bookable, time, proof, now });
  await raiseAlarmIfSuspicious(context, artist, { appointmentId: id, loadListing }, now);
  const after = await loadClientAppointment(database, id);
  const step = { actor: 'client', what: time ? 'held' : 'requested' } as const;
  await announce(context, step, { before: null, after }, { network, now });
  return { row: after, isNew: true, now };
}

/**
 * @returns whether a valid proof of work came with the request
 * @throws ProofOfWorkRequired without one, when the network sends many requests
 */
async function consumeProof(
  context: Context,
  artistId: string,
  { network, proofOfWork, now }: RequestSender,
): Promise<boolean> {
  if (await consumeProofOfWork(context, artistId, proofOfWork)) return true;
  if (!(await isWithinLimits(context, ['requests_of_network'], { network })))
    throw await createProofOfWorkTask(context, artistId, now);
  return false;
}

async function loadRequestedArtist(
  context: Context,
  username: string | undefined,
  designId: string | null | undefined,
): Promise<PublicArtistRow> {
  if (username !== undefined) return loadPublicArtist(context, username);
  if (!designId) throw new InvalidInput(['query', 'username'], 'Is required without a design_id');
  const ofDesign = requireFound(await findUsernameOfDesign(context.database, designId));
  return loadPublicArtist(context, ofDesign);
}

/** Finds the client's own unconfirmed hold, which the request replaces; undefined for none. */
async function findReplacedHold(
  database: Database,
  artistId: string,
  id: string | null | undefined,
): Promise<AppointmentRow | undefined> {
  if (!id) return undefined;
  const row = await findAppointment(database, artistId, id);
  return row?.status === 'held' ? row : undefined;
}

/**
 * Releases the hold that a request replaces.
 * @returns false when there is none, or it was confirmed or has expired meanwhile
 */
async function releaseReplacedHold(
  transaction: Transaction,
  { artistId, own }: WantedBooking,
  now: Instant,
): Promise<boolean> {
  const row = await findReplacedHold(transaction, artistId, own?.id);
  if (!row || statusAt(toAppointmentState(row), now) !== 'held') return false;
  const { to: status, event: what } = TRANSITIONS.client.release;
  const release = { actor: 'client', what, status, time: 'released' } as const;
  await saveTransition(transaction, row, release, now);
  return true;
}

/** JSON of the fields that a repeated request must not change. Others may differ. */
function subjectOf({ request, wanted: { serviceId, designId, time } }: Booking): string {
  return JSON.stringify([request.email.toLowerCase(), serviceId, designId, time?.start ?? null]);
}

/**
 * Finds the appointment of an earlier request with the same key; undefined if it was deleted meanwhile.
 * @param id of that appointment; null for none
 * @throws Refusal `idempotency_key_reused`
 */
async function findRepeated(
  context: Context,
  booking: Booking,
  id: string | null,
): Promise<ClientAppointmentRow | undefined> {
  const row = id === null ? undefined : await findClientAppointment(context.database, id);
  if (row && row.idempotency_subject !== subjectOf(booking)) throw refuse('idempotency_key_reused');
  return row;
}

/** Says that a repeated request has other details: the client may have edited them since, without the first answer. */
function differenceTo(
  request: BookingRequest,
  row: AppointmentRow,
): Pick<Confirmation, 'differs_from_request'> {
  const stored = { ...detailsOf(row), email: request.email };
  const isEdited = JSON.stringify(detailsOf(request)) !== JSON.stringify(stored);
  return isEdited ? { differs_from_request: true } : {};
}

/** The details of the client and of the tattoo. */
function detailsOf(from: BookingRequest | AppointmentRow) {
  const { location = null, size = null, customer_notes = null } = from;
  return { ...clientDetailsOf(from), location, size, customer_notes };
}

/** What was judged about a booking under the lock, before it is inserted. */
interface JudgedBooking {
  readonly bookable: Bookable;
  /** Null for a request. */
  readonly time: BufferedTime | null;
  readonly proof: { readonly mustProveEmail: boolean; readonly isReserved: boolean };
  readonly now: Instant;
}

/**
 * Inserts an appointment, and its client if the artist has none with this email.
 * @returns the id of the appointment
 */
async function insertBooking(
  { confirmationDeadlines, database }: InChange<Context>,
  booking: Booking,
  { bookable, time, proof, now }: JudgedBooking,
): Promise<string> {
  const { artist, request, wanted, sender } = booking;
  const status = time === null ? 'requested' : 'held';
  const price = priceOfBooking(bookable.design, bookable.service);
  const columns = {
    ...detailsOf(request),
    artist_id: artist.id,
    studio_id: bookable.studioId,
    service_id: wanted.serviceId,
    design_id: wanted.designId,
    status,
    // The terms at the moment of booking.
    price,
    booking_policy: artist.booking_policy,
    deposit: depositOfBooking(price, artist.deposit),
    network: sender.network,
    must_prove_email: proof.mustProveEmail,
    idempotency_key: sender.idempotencyKey ?? null,
    idempotency_subject: sender.idempotencyKey === undefined ? null : subjectOf(booking),
  } as const;
  return insertAppointment(database, {
    columns,
    client: { ...clientDetailsOf(request), artist_id: artist.id },
    event: { actor: 'client', what: status, at: now },
    time: time && {
      ...time,
      expiresAt: holdExpiresAt(time.start, confirmationDeadlines, now),
      zone: bookable.zone,
      isReserved: proof.isReserved,
    },
  });
}
