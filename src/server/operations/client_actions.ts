/** What clients do with their appointments, besides confirming. No login: only they know the id. */
import { randomUUID } from 'node:crypto';
import type {
  ClientCancellation,
  ClientEmail,
  ClientEmailProof,
  ClientMove,
  Confirmation,
  OfferDecline,
} from '#contract/appointment.ts';
import {
  type AppointmentStatus,
  type ClientAction,
  clientTransition,
  isPossibleIn,
  statusAt,
  TRANSITIONS,
} from '#domain/appointment.ts';
import { hasLapsedOffer, lastEventKind } from '#domain/appointment_changes.ts';
import { type ClientEmailChange, isSameEmail, waitingEmail } from '#domain/client_email.ts';
import { toMailbox } from '#domain/mailbox.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import { type Instant, MINUTE_MS } from '#domain/time.ts';
import { type ClientViewRow, findClientView } from '#server/database/appointment_events.ts';
import * as appointments from '#server/database/appointments.ts';
import { lockArtist } from '#server/database/artists.ts';
import * as calendar from '#server/database/calendar.ts';
import {
  markClientEmailChangeApplied,
  saveClientEmailChange,
} from '#server/database/client_email_changes.ts';
import { deleteUnusedClient, upsertClient } from '#server/database/clients.ts';
import type { Database } from '#server/database/connect.ts';
import { updateQueuedAddresses } from '#server/database/mails.ts';
import { requireUnblocked, requireUnblockedClient } from './abuse.ts';
import { requireRoomForClient } from './account_limits.ts';
import { loadAppointmentRow, reserveWithBuffer } from './appointments.ts';
import { requireAvailableService, requireAvailableTime, withNearestTimes } from './bookable.ts';
import { requireEndOfService } from './booking.ts';
import { requireFairTime } from './booking_limits.ts';
import {
  bookableMinutes,
  type ClientActionMails,
  loadClientTerms,
  notifyAndLoadConfirmation,
  toClientView,
} from './client_view.ts';
import { loadArtistIdOfAppointment } from './concerned_artist.ts';
import { countFromNow, loadConfirmation, saveMailLinkUse, toWantedTime } from './confirmation.ts';
import type { Context } from './context.ts';
import { storeAndMailLapse, storeLapse } from './expire_holds.ts';
import { updateCalendar } from './invalidating.ts';
import { limitEvent } from './limits.ts';
import { isClientEmailChange, isMailToken } from './mail_tokens.ts';
import { notify, toAppointmentSnapshot } from './notify.ts';
import { type AppointmentTransition, saveTransition } from './save_transition.ts';

/** What a blocked client still does: they give up what they have. */
const BLOCKED_MAY: readonly ClientAction[] = ['release', 'decline', 'cancel'];

/** An appointment as it was loaded under the calendar lock. */
interface LoadedAppointment {
  readonly row: appointments.AppointmentRow;
  readonly view: ClientViewRow;
  /** The status at `now`. */
  readonly status: AppointmentStatus;
  readonly now: Instant;
}

/** What an action changes besides the status, and the mails about it. */
type ActionEffect = Pick<AppointmentTransition, 'start' | 'note' | 'artistNote'> &
  Omit<ClientActionMails, 'network'>;

/** An action of a client, with what is special about it. */
interface ClientActionPlan {
  readonly action: Exclude<ClientAction, 'confirm'>;
  /** The version that the client has seen. */
  readonly version?: number | undefined;
  /** Whether the result already stands, so that nothing is to be done. */
  readonly isDone: (appointment: LoadedAppointment) => boolean;
  /** Runs when the action is allowed, before the appointment is changed. Null: it stays as it is. */
  readonly prepare: (
    transaction: Database,
    appointment: LoadedAppointment,
  ) => Promise<ActionEffect | null>;
}

/** The client gives up a hold; its time is free again. */
export function releaseHold(context: Context, id: string, network: string): Promise<Confirmation> {
  return actAsClient(context, id, network, {
    action: 'release',
    isDone: ({ status }) => status === 'cancelled' || status === 'expired',
    prepare: async (transaction, { row }) => {
      await calendar.releaseTime(transaction, row.artist_id, id);
      return { mailKinds: [] };
    },
  });
}

/** The client declines the offer that they saw: the request is open again, and the time is free. */
export function declineOffer(
  context: Context,
  id: string,
  network: string,
  { note, version }: OfferDecline = {},
): Promise<Confirmation> {
  return actAsClient(context, id, network, {
    action: 'decline',
    version,
    isDone: ({ status, view: { events } }) =>
      hasLapsedOffer({ status, history: events }) ||
      (status === 'requested' && lastEventKind(events) === 'offer_declined'),
    // The time is deleted after the mail, which names it.
    prepare: async () => ({ mailKinds: ['offer_declined'], note, start: null, artistNote: null }),
  });
}

/** The client cancels a request, or an appointment within the artist's notice. */
export function cancelAsClient(
  context: Context,
  id: string,
  network: string,
  { note, version }: ClientCancellation = {},
): Promise<Confirmation> {
  return actAsClient(context, id, network, {
    action: 'cancel',
    version,
    isDone: ({ status }) => status === 'cancelled',
    prepare: async (transaction, { row, status }) => {
      const wasBooked = status === 'confirmed';
      await calendar.releaseTime(transaction, row.artist_id, id);
      const clientMails = wasBooked ? (['cancelled'] as const) : [];
      return { mailKinds: [...clientMails, 'client_cancelled'], wasBooked, note };
    },
  });
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
  network: string,
  move: ClientMove,
): Promise<Confirmation> {
  const { database } = context;
  const artistId = await loadArtistIdOfAppointment(context, id);
  const row = await loadAppointmentRow(database, artistId, id);
  const isDone = isMoved(row, move, Date.now());
  if (!isDone) {
    await limitEvent(context, ['client_moves'], { appointment: id });
    await limitEvent(context, ['late_confirmations'], { network });
  }
  const { mail_token: mailToken } = move;
  if (mailToken !== undefined) await saveMailLinkUse(context, artistId, id, mailToken);
  // What is not counted changes nothing, also if the time is another one by now.
  if (isDone) return loadConfirmation(context, id, Date.now());
  const findWanted = async () => {
    const { time_zone } = await loadAppointmentRow(database, artistId, id);
    const time = { start: Date.parse(move.start), end: Date.parse(move.end) + MINUTE_MS };
    return { artist: { id: artistId, time_zone }, time, exceptAppointmentId: id };
  };
  return withNearestTimes(database, findWanted, Date.now(), () =>
    moveTime(context, id, network, move),
  );
}

/** Whether the appointment is booked at the time to which its client moves it. */
function isMoved(
  row: appointments.AppointmentRow,
  { start, end }: ClientMove,
  now: Instant,
): boolean {
  return (
    statusAt(appointments.toAppointmentState(row), now) === 'confirmed' &&
    row.start?.getTime() === Date.parse(start) &&
    row.end?.getTime() === Date.parse(end) + MINUTE_MS
  );
}

function moveTime(
  context: Context,
  id: string,
  network: string,
  move: ClientMove,
): Promise<Confirmation> {
  const { start, end, version } = move;
  const newStart = Date.parse(start);
  return actAsClient(context, id, network, {
    action: 'move',
    version,
    isDone: ({ row, now }) => isMoved(row, move, now),
    prepare: async (transaction, { row, view, now }) => {
      const { artist_id: artistId, service_id: serviceId } = row;
      if (serviceId !== null) await requireAvailableService(transaction, artistId, serviceId);
      const minutes = bookableMinutes(row);
      // `clientTransition` has refused what lists no times.
      if (minutes === null) throw refuse('moving_not_allowed');
      requireEndOfService({ start, end }, minutes);
      const time = { start: newStart, end: newStart + minutes * MINUTE_MS };
      const artist = { id: artistId, time_zone: row.time_zone };
      const options = { exceptAppointmentId: id };
      const buffer = await requireAvailableTime(transaction, artist, time, now, options);
      // The artist knows the client of an appointment that they entered.
      const isOfClient = view.events.every(({ what }) => what !== 'entered');
      if (isOfClient) {
        const blocked = { start: newStart, end: time.end + buffer * MINUTE_MS };
        const replaced = toWantedTime(row)?.blocked ?? null;
        const wanted = { durationMinutes: minutes, blocked, replaced };
        await requireFairTime(context, transaction, row, { wanted, network }, now);
      }
      await reserveWithBuffer(context, transaction, row, { ...time, expiresAt: null }, now);
      if (isOfClient) await countFromNow(context, transaction, row, network, now);
      return {
        mailKinds: ['moved', 'client_moved'],
        wasBooked: true,
        movedFrom: row.start?.getTime() ?? null,
        start: newStart,
      };
    },
  });
}

/** The mail with the state of an appointment. */
const MAIL_KIND_OF_STATUS = {
  requested: 'request_received',
  held: 'hold',
  offered: 'offer',
  confirmed: 'booked',
} as const;

/**
 * The client changes their email, until the appointment begins. The mailed link goes to the new address,
 * which the client must prove again. Knowing the id must not be enough to redirect mails. So a proven
 * email stays until its owner uses the mailed link (`proveEmailChange`).
 * @param input `mail_token` is from the mailed link: strangers cannot use up the asks of its owner
 * @throws Refusal `too_many_email_changes`, `sender_blocked`, `too_many_clients`
 * @throws RateLimited after ten asks in a day, repeats included
 */
export async function changeEmailAsClient(
  context: Context,
  id: string,
  network: string,
  { email, mail_token: mailToken }: ClientEmail,
): Promise<Confirmation> {
  const artistId = await loadArtistIdOfAppointment(context, id);
  const { email: present } = await loadAppointmentRow(context.database, artistId, id);
  const isOwner =
    mailToken !== undefined &&
    present !== null &&
    isMailToken(context.tokenKeys, mailToken, id, present);
  await limitEvent(context, ['client_emails'], { asker: isOwner ? `${id} owner` : id });
  return actAsClient(context, id, network, {
    action: 'change_email',
    // The email that it has already is refused like any other: nobody learns by trying which one that is.
    isDone: () => false,
    prepare: async (transaction, appointment) => {
      const { row } = appointment;
      await requireUnblocked(transaction, row.artist_id, { email, network });
      if (row.email_proven)
        await askOwnerOfEmail(context, transaction, row, {
          newEmail: email,
          network,
        });
      else if (row.email === null || !isSameEmail(row.email, email))
        return applyEmail(transaction, appointment, email);
      return null;
    },
  });
}

/**
 * The owner of the proven email agrees to the change for which they were mailed a link.
 * @throws Refusal `link_not_valid`, also when another change waits or the artist has changed the email;
 *   those of `changeEmailAsClient`
 */
export function proveEmailChange(
  context: Context,
  id: string,
  network: string,
  { change_token: token }: ClientEmailProof,
): Promise<Confirmation> {
  const isOf = (change: ClientEmailChange) =>
    isClientEmailChange(context.tokenKeys, token, id, change);
  return actAsClient(context, id, network, {
    action: 'change_email',
    isDone: ({ row, view: { email_change: change } }) =>
      change?.isApplied === true &&
      row.email !== null &&
      isSameEmail(row.email, change.to) &&
      isOf(change),
    prepare: async (transaction, appointment) => {
      const { row, view } = appointment;
      const { email_change: change } = view;
      const email = waitingEmail(change, row.email);
      if (change === null || email === null || !isOf(change)) throw refuse('link_not_valid');
      await requireUnblocked(transaction, row.artist_id, { email, network });
      await markClientEmailChangeApplied(transaction, id);
      return applyEmail(transaction, appointment, email);
    },
  });
}

/**
 * Mails the owner of the appointment's email the link for another one, each time that somebody asks. The
 * same mailbox in another spelling changes nothing, so it gets no link. All are answered alike: nobody
 * learns by trying which emails these are.
 */
async function askOwnerOfEmail(
  context: Context,
  transaction: Database,
  row: appointments.AppointmentRow,
  { newEmail, network }: { newEmail: string; network: string },
): Promise<void> {
  const { id, artist_id: artistId, email } = row;
  if (email === null) return;
  await saveClientEmailChange(transaction, id, { from: email, to: newEmail });
  if (toMailbox(email) === toMailbox(newEmail)) return;
  const snapshot = toAppointmentSnapshot(row, {
    wasBooked: row.status === 'confirmed',
    by: 'client',
  });
  const appointment = { ...snapshot, newEmail };
  const notice = { kind: 'email_change_link', appointment, occasion: randomUUID() } as const;
  await notify(context, transaction, artistId, [notice], network);
}

/**
 * Gives an appointment another email, and the client record of that one: nobody has proven that both emails
 * are one person's. The record of the old email keeps all else, and is deleted if nothing uses it.
 */
async function applyEmail(
  transaction: Database,
  { row, status }: LoadedAppointment,
  email: string,
): Promise<ActionEffect> {
  const { artist_id: artistId } = row;
  // A concurrent request could refer to the client who is deleted below.
  await lockArtist(transaction, artistId);
  await requireRoomForClient(transaction, artistId, email);
  const { first_name, last_name, pronouns, phone_number, preferred_contact } = row;
  const details = { first_name, last_name, pronouns, phone_number, preferred_contact };
  const clientId = await upsertClient(transaction, { ...details, email, artist_id: artistId });
  await appointments.updateClientOfAppointment(transaction, row, { email, clientId });
  await deleteUnusedClient(transaction, row);
  // The new mail replaces those to the client, unless it may have been sent already.
  await updateQueuedAddresses(transaction, artistId, [row.id], email);
  const kind = isPossibleIn(status, TRANSITIONS.client.change_email)
    ? MAIL_KIND_OF_STATUS[status]
    : null;
  return { mailKinds: kind === null ? [] : [kind], wasBooked: status === 'confirmed' };
}

/**
 * Does an action of a client, unless its result already stands, whatever version they have seen.
 * @throws Refusal `not_found`, `appointment_changed` when the client has seen another version,
 *   `sender_blocked`, and those of `clientTransition`
 */
async function actAsClient(
  context: Context,
  id: string,
  network: string,
  { action, version, isDone, prepare }: ClientActionPlan,
): Promise<Confirmation> {
  const artistId = await loadArtistIdOfAppointment(context, id);
  return updateCalendar(context, artistId, async (transaction, now) => {
    const stored = await loadAppointmentRow(transaction, artistId, id);
    const view = requireFound(await findClientView(transaction, artistId, id));
    const status = statusAt(appointments.toAppointmentState(stored), now);
    if (isDone({ row: stored, view, now, status }))
      return toClientView(context, transaction, stored, now, view);
    // Another email is no news of the appointment itself, and the present one changes nothing.
    const row =
      action === 'change_email'
        ? await storeAndMailLapse(context, transaction, stored, now)
        : await storeLapse(transaction, stored, now);
    if (version !== undefined && version !== row.version) throw refuse('appointment_changed');
    const terms = await loadClientTerms({ ...context, database: transaction }, row, view, now);
    const next = clientTransition(appointments.toAppointmentState(row), action, terms, now);
    if (!BLOCKED_MAY.includes(action)) await requireUnblockedClient(transaction, row, network);
    const loaded = { row, view, now, status };
    const effect = await prepare(transaction, loaded);
    if (effect === null) return toClientView(context, transaction, row, now);
    const { start, note, artistNote, ...mails } = effect;
    const { event: what } = TRANSITIONS.client[action];
    const transition = { actor: 'client', what, status: next, start, note, artistNote } as const;
    await saveTransition(transaction, row, transition, now);
    const news = { ...mails, note, network };
    const confirmation = await notifyAndLoadConfirmation(context, transaction, row, news, now);
    if (next === 'requested') await calendar.deleteTimes(transaction, artistId, [id]);
    return confirmation;
  });
}
