import type { Confirmation, ConfirmationInput } from '#contract/appointment.ts';
import { agreedTimeAt } from '#domain/agreed_time.ts';
import { decideConfirmation, TRANSITIONS } from '#domain/appointment.ts';
import { hasLapsedOffer } from '#domain/appointment_changes.ts';
import type { TimeRange } from '#domain/availability.ts';
import { mayStillReserve } from '#domain/booking_limits.ts';
import { booksAt } from '#domain/books.ts';
import { mailOwner } from '#domain/mail_owner.ts';
import { InvalidInput, refuse, requireFound } from '#domain/refusal.ts';
import { type Instant, MINUTE_MS } from '#domain/time.ts';
import { type ClientViewRow, findClientView } from '#server/database/appointment_events.ts';
import * as appointments from '#server/database/appointments.ts';
import * as calendar from '#server/database/calendar.ts';
import { withCalendarLock } from '#server/database/calendar_lock.ts';
import type { Database } from '#server/database/connect.ts';
import { markMailboxProven } from '#server/database/mailboxes.ts';
import { requireUnblockedClient } from './abuse.ts';
import { loadAppointmentRow } from './appointments.ts';
import {
  requireAvailableDesign,
  requireAvailableService,
  requireAvailableTime,
  requireEdition,
  withAlikeDesigns,
  withNearestTimes,
} from './bookable.ts';
import { isTakingBookings } from './booking_eligibility.ts';
import {
  raiseAlarmIfSuspicious,
  requireFairTime,
  takesFairShare,
  type WantedTime,
} from './booking_limits.ts';
import { notifyAndLoadConfirmation, toClientView } from './client_view.ts';
import { loadArtistIdOfAppointment } from './concerned_artist.ts';
import type { Context } from './context.ts';
import { countRefusedBooking } from './count_bookings.ts';
import { expireHolds, storeLapse } from './expire_holds.ts';
import { updateCalendar } from './invalidating.ts';
import { limitEvent } from './limits.ts';
import { isMailToken } from './mail_tokens.ts';
import { saveTransition } from './save_transition.ts';

/** The client's view of an appointment. No login: only the client and the artist know the id. */
export async function loadConfirmation(
  context: Context,
  id: string,
  now: Instant,
): Promise<Confirmation> {
  const artistId = await loadArtistIdOfAppointment(context, id);
  const row = await loadAppointmentRow(context.database, artistId, id);
  return toClientView(context, context.database, row, now);
}

/**
 * The client confirms a hold or an offer (a time set by the artist). A second call changes nothing.
 * An expired hold is judged as a new booking, and so is one that never reserved its time.
 * @param network the client's
 * @param input `mail_token` is from the mailed link: it proves that the email is the client's, also
 *   when the confirmation is refused
 * @throws Refusal `not_found`, `status_changed`; `appointment_changed` when the client has seen
 *   another version, or names a time that it no longer has; `offer_ended`;
 *   `not_taking_bookings`; `sender_blocked`; `books_closed`; those of a new booking; `email_not_proven` when it takes the mailed link, `mail_token_not_valid`
 *   with another token; `sender_took_share` when this sender has reserved too many times with mailed
 *   links
 * @throws InvalidInput when several times are offered and none is named
 * @throws RateLimited
 */
export async function confirmAppointment(
  context: Context,
  id: string,
  network: string,
  input: ConfirmationInput = {},
): Promise<Confirmation> {
  const artistId = await loadArtistIdOfAppointment(context, id);
  const { mail_token: mailToken } = input;
  const mustProve =
    mailToken !== undefined && (await saveMailLinkUse(context, artistId, id, mailToken));
  const findWanted = async () => {
    const row = await loadAppointmentRow(context.database, artistId, id);
    const time = appointments.toAppointmentTime(row);
    const artist = { id: artistId, time_zone: row.time_zone };
    return time && { artist, time, exceptAppointmentId: id };
  };
  const findDesignId = async () =>
    (await loadAppointmentRow(context.database, artistId, id)).design_id;
  return countRefusedBooking(context, async () => {
    if (!(await calendar.isTimeReserved(context.database, id)))
      await limitEvent(context, ['late_confirmations'], { network });
    return withAlikeDesigns(context, artistId, findDesignId, () =>
      withNearestTimes(context.database, findWanted, Date.now(), () =>
        confirmTime(context, artistId, id, network, { ...input, mustProve }),
      ),
    );
  });
}

interface ConfirmationWithProof extends ConfirmationInput {
  /** Whether the client came with a mailed link, and had to prove their email with it. */
  readonly mustProve: boolean;
}

async function confirmTime(
  context: Context,
  artistId: string,
  id: string,
  network: string,
  { version, time_id: timeId, mail_token: mailToken, mustProve }: ConfirmationWithProof,
): Promise<Confirmation> {
  let isConfirmed = false;
  const confirmation = await updateCalendar(context, artistId, async (transaction, now) => {
    const stored = await loadAppointmentRow(transaction, artistId, id);
    const row = await storeLapse(transaction, stored, now);
    const view = requireFound(await findClientView(transaction, artistId, id));
    const appointment = appointments.toAppointmentState(row);
    const { time } = appointment;
    const isProven = row.email_proven;
    // Without an email to prove, the client wants to confirm the offer.
    if (!mustProve && hasLapsedOffer({ status: row.status, history: view.events }))
      throw refuse('offer_ended');
    // A request has no time to confirm: its mailed link only proves the email.
    if (row.status === 'requested' && mailToken !== undefined) {
      if (!isProven) throw refuse('mail_token_not_valid');
      return toClientView(context, transaction, row, now, view);
    }
    const decision = decideConfirmation(appointment, now);
    if (decision === 'already') return toClientView(context, transaction, row, now, view);
    if (version !== undefined && version !== row.version) throw refuse('appointment_changed');
    requireOneTime(view, timeId);
    // A lapsed hold of an erased client is not booked again.
    if (view.data_erased_at !== null) throw refuse('status_changed');
    if (!view.is_active) throw refuse('not_taking_bookings');
    await requireUnblockedClient(transaction, row, network);
    if (row.must_prove_email && !isProven)
      throw refuse(mailToken === undefined ? 'email_not_proven' : 'mail_token_not_valid');
    const { books, booking_range } = view;
    // Holds and offers that still wait for their confirmation go on.
    if (decision === 'book_again' && !booksAt({ ...row, books, booking_range }, now).isOpen)
      throw refuse('books_closed');
    const wanted = toWantedTime(row);
    // This check only narrows the types: a hold or an offer always has a time.
    if (time === null || wanted === null) throw refuse('status_changed');
    const isReserved = row.occupies === true && decision === 'confirm';
    if (decision === 'book_again' || !(isReserved || row.is_set_by_artist))
      await requireBookable(context, transaction, row, time, decision, now);
    else if (!isReserved) await requireEditionOf(transaction, row, now);
    if (!isReserved && !row.is_set_by_artist) {
      const requestedAt = row.created_at.getTime();
      if (context.hasLimitsPerTime && !mayStillReserve(requestedAt, now))
        throw refuse('time_taken');
      await requireFairTime(context, transaction, row, { wanted, network }, now);
    }
    // Releases the times of others whose deadlines have passed.
    await expireHolds(context, transaction, artistId, { overlapping: wanted.blocked }, now);
    // The database refuses a time that another appointment occupies.
    const agreed = agreedTimeAt(row.time_zone, time.start);
    await calendar.confirmTime(transaction, artistId, id, agreed);
    const { to: status, event: what } = TRANSITIONS.client.confirm;
    await saveTransition(transaction, row, { actor: 'client', what, status }, now);
    if (!isReserved) await countFromNow(context, transaction, row, network, now);
    isConfirmed = true;
    const mailKinds = ['booked', 'new_booking'] as const;
    return notifyAndLoadConfirmation(context, transaction, row, { mailKinds, network }, now);
  });
  // After the commit.
  if (isConfirmed) context.metrics.countBooking('confirmed');
  return confirmation;
}

/** Limits count an appointment from now, because it has reserved a time again. Warns the artist of many. */
export async function countFromNow(
  context: Context,
  transaction: Database,
  { id, artist_id, full_name, artist_email: email, ...row }: appointments.AppointmentRow,
  network: string,
  now: Instant,
): Promise<void> {
  await appointments.updateAppointment(transaction, artist_id, id, {
    counted_at: new Date(now),
    network: row.network ?? network,
  });
  await raiseAlarmIfSuspicious(context, transaction, { id: artist_id, full_name, email }, id, now);
}

/** Refuses a time that the appointment does not have, and no time where it has several. */
function requireOneTime({ times }: ClientViewRow, timeId: string | undefined): void {
  if (timeId === undefined && times.length > 1)
    throw new InvalidInput(['body', 'time_id'], 'Please choose one of the times');
  if (timeId !== undefined && !times.some(({ id }) => id === timeId))
    throw refuse('appointment_changed');
}

/**
 * Judges a time that is not reserved as a new booking: the service, the design, the time, the artist.
 * @throws Refusal as a new request
 */
async function requireBookable(
  context: Context,
  transaction: Database,
  row: appointments.AppointmentRow,
  time: TimeRange,
  decision: 'confirm' | 'book_again',
  now: Instant,
): Promise<void> {
  const { id, artist_id: artistId, service_id: serviceId } = row;
  const service =
    serviceId === null ? null : await requireAvailableService(transaction, artistId, serviceId);
  const design = await requireAvailableDesign(transaction, artistId, row.design_id, now, row);
  const minutes = service?.duration_minutes ?? design?.duration_minutes ?? null;
  const length = (time.end - time.start) / MINUTE_MS;
  if (minutes !== length && !row.is_set_by_artist) throw refuse('service_changed');
  if ((serviceId !== null || !row.is_set_by_artist) && row.scheduling_type !== 'service')
    throw refuse('wrong_scheduling_type');
  if (!(await isTakingBookings({ ...context, database: transaction }, artistId, now)))
    throw refuse('not_taking_bookings');
  const artist = { id: artistId, time_zone: row.time_zone };
  // The artist's notice counts from the client's pick while they look for our mail.
  const listedAt = decision === 'confirm' ? row.created_at.getTime() : now;
  const options = { exceptAppointmentId: id, listedAt };
  await requireAvailableTime(transaction, artist, time, now, options);
}

/** @throws Refusal `design_not_available` when others use up all editions of its design */
async function requireEditionOf(
  transaction: Database,
  row: appointments.AppointmentRow,
  now: Instant,
): Promise<void> {
  if (row.design_id === null) return;
  const design = { id: row.design_id, editions: row.editions };
  await requireEdition(transaction, design, now, row, 'design_not_available');
}

/**
 * Stores that the client has used the mailed link, if the token is the link's.
 * @returns whether the client had to prove their email until now
 */
export async function saveMailLinkUse(
  context: Context,
  artistId: string,
  id: string,
  mailToken: string,
): Promise<boolean> {
  // The lock, because the client's share of the times decides.
  return withCalendarLock(context.database, artistId, async (transaction, now) => {
    const row = await loadAppointmentRow(transaction, artistId, id);
    const { email, network } = row;
    const mustProve = row.must_prove_email && !row.email_proven;
    if (email === null || row.mail_link_used) return mustProve;
    if (!isMailToken(context.tokenKeys, mailToken, id, email)) return mustProve;
    const wanted = toWantedTime(row);
    const sender = { artistId, appointmentId: id, network };
    const isFair =
      !wanted || (await takesFairShare(context, transaction, { ...sender, email }, wanted, now));
    await appointments.updateAppointment(transaction, artistId, id, {
      email_proven: true,
      mail_link_used: true,
      // Not when no sender can make many such emails.
      counts_for_limits: !(isFair && mailOwner(email).isAtPublicProvider),
    });
    await markMailboxProven(transaction, email, artistId, now);
    return mustProve;
  });
}

/** The time of an appointment with its buffer; null without a time. */
export function toWantedTime(row: appointments.AppointmentRow): WantedTime | null {
  const time = appointments.toAppointmentTime(row);
  if (time === null || row.blocked_until === null) return null;
  return {
    durationMinutes: (time.end - time.start) / MINUTE_MS,
    blocked: { start: time.start, end: row.blocked_until.getTime() },
  };
}
