/** The actions of clients with their appointments, besides confirming. No login: only they know the id. */
import { randomUUID } from 'node:crypto';
import type {
  ClientCancellation,
  ClientEmail,
  ClientEmailProof,
  ClientMove,
  Confirmation,
} from '#contract/appointment.ts';
import {
  type ClientAction,
  clientTransition,
  statusAt,
  TRANSITIONS,
} from '#domain/appointments/appointment.ts';
import { hasExpiredOffer, lastEventKind } from '#domain/appointments/appointment_changes.ts';
import { blockedRange, fromSlot, type TimeRange } from '#domain/booking/availability.ts';
import { checkLength, checkService, checkTime } from '#domain/booking/booking_checks.ts';
import { clientDetailsOf } from '#domain/clients/client_details.ts';
import { type ClientEmailChange, isSameEmail, waitingEmail } from '#domain/clients/client_email.ts';
import { toMailbox } from '#domain/mail/mailbox.ts';
import { refuse } from '#domain/refusal.ts';
import type { Instant } from '#domain/time/time.ts';
import { deleteTimes } from '#server/database/appointment_times.ts';
import {
  type AppointmentTransition,
  saveMove,
  saveTransition,
} from '#server/database/appointment_transitions.ts';
import { updateClientOfAppointment } from '#server/database/appointment_updates.ts';
import {
  type AppointmentRow,
  type ClientAppointmentRow,
  hasTime,
  toAppointmentState,
  toBufferedTime,
} from '#server/database/appointments.ts';
import { lockArtist } from '#server/database/artists.ts';
import {
  markClientEmailChangeApplied,
  saveClientEmailChange,
} from '#server/database/client_email_changes.ts';
import { deleteUnusedClient, upsertClient } from '#server/database/clients.ts';
import { updateQueuedAddresses } from '#server/database/mails.ts';
import { requireRoomForClient } from '../account_limits.ts';
import { requireUnblocked, requireUnblockedClient } from '../booking/abuse.ts';
import { loadBookable, withAlternatives } from '../booking/bookable.ts';
import { requireFairTime } from '../booking/booking_limits.ts';
import { calendarScope, change } from '../change.ts';
import type { Context, InChange } from '../context.ts';
import { limitEvent } from '../limits.ts';
import { readLink } from '../mail/mail_tokens.ts';
import { announce, notify, toAppointmentSnapshot } from '../mail/notify.ts';
import {
  type Caller,
  loadClientAppointment,
  loadClientTerms,
  loadOwnAppointment,
  toClientView,
  toWanted,
} from './client_view.ts';
import { countFromNow, loadConfirmation, saveMailLinkUse } from './confirmation.ts';
import { expireHolds, storeExpiry } from './expire_holds.ts';

/** The action that a client wants. */
interface WantedAction {
  readonly action: Exclude<ClientAction, 'confirm'>;
  /** The version that the client has seen. */
  readonly version?: number | undefined;
  readonly network: string;
  /** Whether the client has done it before. */
  readonly isDone?: (stored: ClientAppointmentRow, now: Instant) => boolean;
}

/** An action that is allowed. */
interface AllowedAction {
  /** The appointment before the action. */
  readonly row: ClientAppointmentRow;
  /** The event and the next status, by the table of transitions. */
  readonly step: Pick<AppointmentTransition, 'actor' | 'what' | 'status'>;
}

/**
 * Does what a client wants, under the lock of the calendar. First stores that the deadline of the appointment
 * has passed, if it has. Nothing is changed if the action is done already, whatever version the client has seen.
 * @param work does the action, which is allowed
 * @throws Refusal `appointment_changed` when the client has seen another version, `sender_blocked`, and those of
 *   `clientTransition`
 */
function changeIfAllowed(
  context: Context,
  { id, artist_id: artistId }: AppointmentRow,
  { action, version, network, isDone }: WantedAction,
  work: (context: InChange<Context>, allowed: AllowedAction, now: Instant) => Promise<Confirmation>,
): Promise<Confirmation> {
  return change(context, calendarScope(artistId), async (context, now) => {
    const { database } = context;
    const load = () => loadClientAppointment(database, id);
    const stored = await load();
    // Before an expiry is stored: a repeated action must change nothing.
    if (isDone?.(stored, now)) return toClientView(context, stored, now);
    // A mail about a new email does not say that the deadline has passed.
    const isChangeMailed = action !== 'change_email';
    const row = await storeExpiry(context, stored, load, { isChangeMailed, now });
    if (version !== undefined && version !== row.version) throw refuse('appointment_changed');
    const terms = await loadClientTerms(context, row, now);
    const status = clientTransition(toAppointmentState(row), action, terms, now);
    // A blocked client may still give up what they have.
    if (action === 'move' || action === 'change_email')
      await requireUnblockedClient(database, row, network);
    const step = { actor: 'client', what: TRANSITIONS.client[action].event, status } as const;
    return work(context, { row, step }, now);
  });
}

/** How a client gives up what they have. */
type GivingUp = Extract<ClientAction, 'release' | 'decline' | 'cancel'>;

/**
 * The client releases a hold, declines an offer, or cancels. Nothing is changed if they have done so before,
 * whatever version they saw.
 */
export async function giveUp(
  context: Context,
  id: string,
  { network }: Caller,
  { action, note, version }: ClientCancellation & { readonly action: GivingUp },
): Promise<Confirmation> {
  const own = await loadOwnAppointment(context, id);
  const isDone = (row: ClientAppointmentRow, now: Instant) => isGivenUp(row, action, now);
  const wanted = { action, version, network, isDone };
  return changeIfAllowed(context, own, wanted, async (context, { row, step }, now) => {
    const { database } = context;
    const isDeclined = action === 'decline';
    // A declined offer is an open request again, without a note.
    const effect = isDeclined
      ? ({ start: null, columns: { artist_note: null } } as const)
      : ({ time: 'released' } as const);
    await saveTransition(database, row, { ...step, ...effect, note }, now);
    const after = await loadClientAppointment(database, id);
    await announce(context, step, { before: row, after, note }, { network, now });
    // After the mail, which names the time.
    if (isDeclined) await deleteTimes(database, row.artist_id, [id]);
    return toClientView(context, after, now);
  });
}

/** Whether the client has given it up before, or a deadline has. */
function isGivenUp(row: ClientAppointmentRow, action: GivingUp, now: Instant): boolean {
  const status = statusAt(toAppointmentState(row), now);
  const history = row.events;
  if (action === 'decline') {
    const isDeclined = status === 'requested' && lastEventKind(history) === 'offer_declined';
    return isDeclined || hasExpiredOffer({ status, history });
  }
  return status === 'cancelled' || (action === 'release' && status === 'expired');
}

/**
 * The client moves a booked appointment to another listed time of its service.
 * @param move `mail_token` is from the mailed link, as for `confirmAppointment`
 * @throws Refusal `time_taken` with the nearest free times; `move_not_proven`, `sender_took_share`
 * @throws InvalidInput `service_changed` when the times do not have the length of the service
 * @throws RateLimited after twenty times in a day
 */
export async function moveAsClient(
  context: Context,
  id: string,
  caller: Caller,
  move: ClientMove,
): Promise<Confirmation> {
  const row = await loadOwnAppointment(context, id);
  const time = fromSlot(move);
  const isDone = isBookedAt(row, time, caller.now);
  if (!isDone) {
    const causer = { appointment: id, network: caller.network };
    await limitEvent(context, ['client_moves', 'late_confirmations'], causer);
  }
  const { mail_token: mailToken } = move;
  if (mailToken !== undefined) await saveMailLinkUse(context, row.artist_id, id, mailToken);
  // A call that was not counted must change nothing, even if the appointment was moved since.
  if (isDone) return loadConfirmation(context, id, caller.now);
  try {
    return await moveTo(context, row, caller, { time, version: move.version });
  } catch (error) {
    throw await withAlternatives(
      context,
      async () => ({ ...toWanted(row), time }),
      error,
      caller.now,
    );
  }
}

/** Whether the appointment is booked at the time to which its client moves it. */
function isBookedAt(row: AppointmentRow, time: TimeRange, now: Instant): boolean {
  return statusAt(toAppointmentState(row), now) === 'confirmed' && hasTime(row, time);
}

/** Moves the appointment under the lock, unless it is booked at this time already. */
function moveTo(
  context: Context,
  own: ClientAppointmentRow,
  { network }: Caller,
  { time, version }: { readonly time: TimeRange; readonly version: number | undefined },
): Promise<Confirmation> {
  const isDone = (row: ClientAppointmentRow, now: Instant) => isBookedAt(row, time, now);
  const action = { action: 'move', version, network, isDone } as const;
  return changeIfAllowed(context, own, action, async (context, { row, step }, now) => {
    const { database } = context;
    const wanted = { ...toWanted(row), time };
    const bookable = await loadBookable(database, wanted, now);
    checkService(bookable, wanted);
    checkLength(bookable, time);
    const free = checkTime(bookable, time, now);
    // Limits do not count an appointment that the artist has entered, because they know its client.
    const isEntered = row.events.some(({ what }) => what === 'entered');
    if (!isEntered) {
      const wantedTime = { ...free, replaced: toBufferedTime(row) };
      await requireFairTime(context, row, { wanted: wantedTime, network, isMove: true }, now);
    }
    // Until their expiry is stored, the database would refuse the time.
    if (bookable.hasExpiredTimes)
      await expireHolds(context, row.artist_id, { overlapping: blockedRange(free) }, now);
    const move = { ...step, time: { ...free, expiresAt: null } };
    await saveMove(database, row, move, now);
    if (!isEntered) await countFromNow(context, row, network, now);
    const after = await loadClientAppointment(database, row.id);
    await announce(context, step, { before: row, after }, { network, now });
    return toClientView(context, after, now);
  });
}

/**
 * The client changes their email, until the appointment begins. The mailed link goes to the new address,
 * which the client must prove again. Knowing the id must not be enough to redirect mails. So a proven
 * email stays until its owner uses the mailed link (`proveEmailChange`).
 * @param input `mail_token` is from the mailed link: strangers cannot use up the asks of its owner
 * @throws RateLimited after ten asks in a day, repeats included
 */
export async function changeEmailAsClient(
  context: Context,
  id: string,
  { network }: Caller,
  { email, mail_token: mailToken }: ClientEmail,
): Promise<Confirmation> {
  const own = await loadOwnAppointment(context, id);
  const { email: present } = own;
  const isOwner =
    mailToken !== undefined &&
    present !== null &&
    readLink(context.tokenKeys, 'appointment', mailToken, [id, present]) !== undefined;
  await limitEvent(context, ['client_emails'], { asker: isOwner ? `${id} owner` : id });
  // The appointment's present email is judged like any other: nobody learns by trying which one that is.
  const action = { action: 'change_email', network } as const;
  return changeIfAllowed(context, own, action, async (context, { row, step }, now) => {
    const { database } = context;
    await requireUnblocked(database, row.artist_id, { email, networks: [network] });
    if (row.email_proven) await askOwnerOfEmail(context, row, { newEmail: email, network });
    else if (row.email === null || !isSameEmail(row.email, email))
      return applyEmail(context, { row, step }, { email, network }, now);
    return toClientView(context, await loadClientAppointment(database, id), now);
  });
}

/**
 * The owner of the proven email agrees to the change for which they were mailed a link.
 * @throws Refusal `link_not_valid`, also when another change waits or the artist has changed the email;
 *   those of `changeEmailAsClient`
 */
export async function proveEmailChange(
  context: Context,
  id: string,
  { network }: Caller,
  { change_token: token }: ClientEmailProof,
): Promise<Confirmation> {
  const own = await loadOwnAppointment(context, id);
  // Whether the token is the one that was mailed for this change.
  const isOf = ({ from, to }: ClientEmailChange) =>
    readLink(context.tokenKeys, 'change client email', token, [id, from, to]) !== undefined;
  const isDone = ({ email_change: last, email }: ClientAppointmentRow) =>
    last?.isApplied === true && email !== null && isSameEmail(email, last.to) && isOf(last);
  const action = { action: 'change_email', network, isDone } as const;
  return changeIfAllowed(context, own, action, async (context, { row, step }, now) => {
    const { database } = context;
    const { email_change: asked, email: present } = row;
    const email = waitingEmail(asked, present);
    if (asked === null || email === null || !isOf(asked)) throw refuse('link_not_valid');
    await requireUnblocked(database, own.artist_id, { email, networks: [network] });
    await markClientEmailChangeApplied(database, id);
    return applyEmail(context, { row, step }, { email, network }, now);
  });
}

/**
 * Mails the owner of the appointment's email the link for another one, each time that somebody asks. The
 * same mailbox in another spelling changes nothing, so it gets no link. All are answered alike: nobody
 * learns by trying which emails these are.
 */
async function askOwnerOfEmail(
  context: InChange<Context>,
  row: AppointmentRow,
  { newEmail, network }: { newEmail: string; network: string },
): Promise<void> {
  const { id, email } = row;
  if (email === null) return;
  await saveClientEmailChange(context.database, id, { from: email, to: newEmail });
  if (toMailbox(email) === toMailbox(newEmail)) return;
  const wasBooked = row.status === 'confirmed';
  const appointment = { ...toAppointmentSnapshot(row, { wasBooked, by: 'client' }), newEmail };
  const notice = { kind: 'email_change_link', appointment, occasion: randomUUID() } as const;
  await notify(context, { notices: [notice], source: network });
}

/**
 * Gives an appointment another email, and the client record of that one: nobody has proven that both emails
 * are one person's. The record of the old email keeps all else, and is deleted if nothing uses it.
 */
async function applyEmail(
  context: InChange<Context>,
  { row, step }: AllowedAction,
  { email, network }: { readonly email: string; readonly network: string },
  now: Instant,
): Promise<Confirmation> {
  const { database } = context;
  const { id, artist_id: artistId } = row;
  // A concurrent request could refer to the client who is deleted below.
  await lockArtist(database, artistId);
  await requireRoomForClient(database, artistId, email);
  const details = { ...clientDetailsOf(row), email };
  const clientId = await upsertClient(database, { ...details, artist_id: artistId });
  await updateClientOfAppointment(database, row, { email, clientId });
  await deleteUnusedClient(database, row);
  // The new mail replaces those to the client, unless it may have been sent already.
  await updateQueuedAddresses(database, artistId, [id], email);
  await saveTransition(database, row, step, now);
  const after = await loadClientAppointment(database, id);
  await announce(context, step, { before: row, after }, { network, now });
  return toClientView(context, after, now);
}
