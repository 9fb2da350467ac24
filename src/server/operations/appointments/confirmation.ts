/** The client's confirmation of a hold or an offer, and what the mailed link proves. */
import type { Confirmation, ConfirmationInput } from '#contract/appointment.ts';
import { decideConfirmation, TRANSITIONS } from '#domain/appointments/appointment.ts';
import { hasExpiredOffer } from '#domain/appointments/appointment_changes.ts';
import { type BufferedTime, blockedRange } from '#domain/booking/availability.ts';
import { checkEdition, checkTime, judgeRebooking } from '#domain/booking/booking_checks.ts';
import { mailOwner } from '#domain/mail/mail_owner.ts';
import { InvalidInput, refuse, requireFound } from '#domain/refusal.ts';
import { agreedTimeAt } from '#domain/studio/agreed_time.ts';
import type { Instant } from '#domain/time/time.ts';
import {
  type AppointmentTransition,
  saveTransition,
} from '#server/database/appointment_transitions.ts';
import { setAppointmentColumns } from '#server/database/appointment_updates.ts';
import {
  type AppointmentRow,
  type ClientAppointmentRow,
  findReservation,
  toAppointmentState,
  toBufferedTime,
} from '#server/database/appointments.ts';
import { markMailboxProven } from '#server/database/mailboxes.ts';
import { requireUnblockedClient } from '../booking/abuse.ts';
import { countRefusedBooking, withAlternatives } from '../booking/bookable.ts';
import {
  loadListingOnce,
  raiseAlarmIfSuspicious,
  requireFairTime,
  takesFairShare,
} from '../booking/booking_limits.ts';
import { calendarScope, change } from '../change.ts';
import type { Context, InChange } from '../context.ts';
import { limitEvent } from '../limits.ts';
import { readLink } from '../mail/mail_tokens.ts';
import { announce } from '../mail/notify.ts';
import { requireArtist } from '../public_artist.ts';
import {
  type Caller,
  loadClientAppointment,
  loadOwnAppointment,
  loadRebooking,
  requireConfirmable,
  toClientView,
  toWanted,
} from './client_view.ts';
import { expireHolds, storeExpiry } from './expire_holds.ts';

/** The client's view of an appointment. No login: only the client and the artist know the id. */
export async function loadConfirmation(
  context: Context,
  id: string,
  now: Instant,
): Promise<Confirmation> {
  return toClientView(context, await loadOwnAppointment(context, id), now);
}

/**
 * The client confirms a hold or an offer (a time set by the artist). A second call changes nothing.
 * An expired hold is judged as a new booking, and so is one that never reserved its time.
 * @param input `mail_token` is from the mailed link: it proves that the email is the client's, also
 *   when the confirmation is refused
 * @throws Refusal `appointment_changed` when the client has seen another version, or names a time that it no longer
 *   has; `email_not_proven` when it takes the mailed link, `mail_token_not_valid` with another token;
 *   `sender_took_share` when this sender has reserved too many times with mailed links
 * @throws InvalidInput when several times are offered and none is named
 * @throws RateLimited
 */
export async function confirmAppointment(
  context: Context,
  id: string,
  caller: Caller,
  input: ConfirmationInput = {},
): Promise<Confirmation> {
  const reservation = requireFound(await findReservation(context.database, id));
  const { artist_id: artistId } = reservation;
  requireArtist(context, { id: artistId });
  const { mail_token: mailToken } = input;
  const mustProve =
    mailToken !== undefined && (await saveMailLinkUse(context, artistId, id, mailToken));
  try {
    if (!isTimeReserved(reservation, caller.now))
      await limitEvent(context, ['late_confirmations'], { network: caller.network });
    const scope = calendarScope(artistId);
    const confirmed = await change(context, scope, (context, now) =>
      confirm(context, id, { ...input, mustProve, network: caller.network }, now),
    );
    if (confirmed.isNew) context.metrics.countBooking('confirmed');
    // Not under the lock, for which others wait.
    return await toClientView(context, confirmed.row, confirmed.now);
  } catch (error) {
    countRefusedBooking(context, error);
    const loadWanted = async () => toWanted(await loadClientAppointment(context.database, id));
    throw await withAlternatives(context, loadWanted, error, caller.now);
  }
}

/** Whether it occupies its time, and its client may still confirm it. */
function isTimeReserved(
  { occupies, expires_at }: Pick<AppointmentRow, 'occupies' | 'expires_at'>,
  now: Instant,
): boolean {
  return occupies === true && (expires_at === null || expires_at.getTime() > now);
}

interface ConfirmationOfCaller extends ConfirmationInput {
  readonly network: string;
  /** Whether the client came with a mailed link, and had to prove their email with it. */
  readonly mustProve: boolean;
}

/** A confirmed appointment, with the time at which it was loaded. `isNew`: false if nothing was changed. */
interface Confirmed {
  readonly row: ClientAppointmentRow;
  readonly isNew: boolean;
  readonly now: Instant;
}

/** Confirms under the lock of the calendar. */
async function confirm(
  context: InChange<Context>,
  id: string,
  input: ConfirmationOfCaller,
  now: Instant,
): Promise<Confirmed> {
  const { database } = context;
  const { version, time_id: timeId, mail_token: mailToken, mustProve, network } = input;
  const load = () => loadClientAppointment(database, id);
  const stored = await load();
  // An expired hold is booked again here, which is mailed; an expired offer becomes a request.
  const isChangeMailed = stored.status === 'held';
  const row = await storeExpiry(context, stored, load, { isChangeMailed, now });
  // The client wanted to confirm the offer, unless they came to prove their email.
  if (!mustProve && hasExpiredOffer({ status: row.status, history: row.events }))
    throw refuse('offer_ended');
  // A request has no time to confirm: its mailed link only proves the email.
  const isProof = row.status === 'requested' && mailToken !== undefined;
  if (isProof && !row.email_proven) throw refuse('mail_token_not_valid');
  const decision = isProof ? 'already' : decideConfirmation(toAppointmentState(row), now);
  if (decision === 'already') return { row, isNew: false, now };
  if (version !== undefined && version !== row.version) throw refuse('appointment_changed');
  requireOneTime(row, timeId);
  requireConfirmable(row);
  await requireUnblockedClient(database, row, network);
  if (row.must_prove_email && !row.email_proven)
    throw refuse(mailToken === undefined ? 'email_not_proven' : 'mail_token_not_valid');
  const wanted = toBufferedTime(row);
  // This check only narrows the type: a hold or an offer always has a time.
  if (wanted === null) throw refuse('status_changed');
  const isReserved = row.occupies === true && decision === 'confirm';
  // A reserved time was judged before, and belongs to this appointment.
  if (!isReserved) {
    await judgeUnreserved(context, row, { wanted, network }, now);
    await expireHolds(context, row.artist_id, { overlapping: blockedRange(wanted) }, now);
  }
  // The database refuses a time that another appointment occupies.
  const time = agreedTimeAt(row.time_zone, wanted.start);
  const { to: status, event: what } = TRANSITIONS.client.confirm;
  const step = { actor: 'client', what, status, time } as const;
  await saveTransition(database, row, step, now);
  if (!isReserved) await countFromNow(context, row, network, now);
  const after = isReserved ? confirmedRow(row, { ...step, now }) : await load();
  await announce(context, step, { before: row, after }, { network, now });
  return { row: after, isNew: true, now };
}

/** The row after `saveTransition` has confirmed a reserved time: it need not be read again. */
function confirmedRow(
  row: ClientAppointmentRow,
  {
    status,
    actor,
    what,
    now,
  }: Pick<AppointmentTransition, 'status' | 'actor' | 'what'> & { now: Instant },
): ClientAppointmentRow {
  const event = { actor, what, at: now, start: row.start?.getTime() ?? null };
  return {
    ...row,
    status,
    version: row.version + 1,
    expires_at: null,
    events: [...row.events, event],
  };
}

/**
 * Judges a time that is not reserved. Until its deadline, a time that the artist has set only needs an edition.
 * @throws Refusal `design_not_available`; for other times also those of `judgeRebooking` and `requireFairTime`,
 *   and `time_taken` for one that the artist does not list
 */
async function judgeUnreserved(
  context: InChange<Context>,
  row: ClientAppointmentRow,
  { wanted, network }: { readonly wanted: BufferedTime; readonly network: string },
  now: Instant,
): Promise<void> {
  const rebooking = await loadRebooking(context, row, wanted, now);
  const { bookable, isExpired, isSetByArtist } = rebooking;
  if (isSetByArtist && !isExpired) {
    checkEdition(bookable);
    return;
  }
  judgeRebooking(rebooking, now);
  // The artist's notice counts from the client's pick while they look for our mail.
  checkTime(bookable, wanted, now, isExpired ? now : row.created_at.getTime());
  if (!isSetByArtist) await requireFairTime(context, row, { wanted, network, isMove: false }, now);
}

/**
 * Lets limits count an appointment from now, because it has reserved a time again. Warns the artist if there are
 * suspiciously many.
 */
export async function countFromNow(
  context: InChange<Context>,
  row: AppointmentRow,
  callerNetwork: string,
  now: Instant,
): Promise<void> {
  const { database } = context;
  const { id, artist_id: artistId } = row;
  await setAppointmentColumns(database, artistId, id, {
    counted_at: new Date(now),
    network: row.network ?? callerNetwork,
  });
  const loadListing = loadListingOnce(database, { artistId, appointmentId: null }, now);
  const artist = { id: artistId, full_name: row.full_name, email: row.artist_email };
  await raiseAlarmIfSuspicious(context, artist, { appointmentId: id, loadListing }, now);
}

/** Refuses a named time that the appointment does not have, and a call that names none of several. */
function requireOneTime({ times }: ClientAppointmentRow, timeId: string | undefined): void {
  if (timeId === undefined && times.length > 1)
    throw new InvalidInput(['body', 'time_id'], 'Please choose one of the times');
  if (timeId !== undefined && !times.some(({ id }) => id === timeId))
    throw refuse('appointment_changed');
}

/**
 * Stores that the client has used the mailed link, if the token is the link's.
 * @returns whether the client had to prove their email until now
 */
export function saveMailLinkUse(
  context: Context,
  artistId: string,
  id: string,
  mailToken: string,
): Promise<boolean> {
  // Under the lock, because other bookings change the share of the times that this client takes.
  return change(context, calendarScope(artistId, []), async (context, now) => {
    const { database, tokenKeys } = context;
    const row = await loadClientAppointment(database, id);
    const { email, network } = row;
    const mustProve = row.must_prove_email && !row.email_proven;
    if (email === null || row.mail_link_used) return mustProve;
    if (!readLink(tokenKeys, 'appointment', mailToken, [id, email])) return mustProve;
    const wanted = toBufferedTime(row);
    const sender = { artistId, appointmentId: id, network };
    const isFair = !wanted || (await takesFairShare(context, { ...sender, email }, wanted, now));
    await setAppointmentColumns(database, artistId, id, {
      email_proven: true,
      mail_link_used: true,
      // A fair booking with a mailbox at a public provider does not count: nobody easily gets many of these.
      counts_for_limits: !(isFair && mailOwner(email).isAtPublicProvider),
    });
    await markMailboxProven(database, email, artistId, now);
    return mustProve;
  });
}
