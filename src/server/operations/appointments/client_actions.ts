/** What clients do with their appointments, besides confirming. No login: only they know the id. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type {
  ClientCancellation,
  ClientEmail,
  ClientEmailProof,
  ClientMove,
  Confirmation,
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
import { fromSlot, type TimeRange } from '#domain/availability.ts';
import { checkService, checkTime } from '#domain/booking_checks.ts';
import { clientDetailsOf } from '#domain/client_details.ts';
import { type ClientEmailChange, isSameEmail, waitingEmail } from '#domain/client_email.ts';
import { toMailbox } from '#domain/mailbox.ts';
import { refuse } from '#domain/refusal.ts';
import type { Instant } from '#domain/time.ts';
import * as appointments from '#server/database/appointments.ts';
import { lockArtist } from '#server/database/artists.ts';
import * as calendar from '#server/database/calendar.ts';
import { saveClientEmailChange } from '#server/database/client_email_changes.ts';
import { deleteUnusedClient, upsertClient } from '#server/database/clients.ts';
import type { Database } from '#server/database/connect.ts';
import { updateQueuedAddresses } from '#server/database/mails.ts';
import { requireUnblocked, requireUnblockedClient } from '../accounts/abuse.ts';
import { requireRoomForClient } from '../accounts/account_limits.ts';
import { loadBookable, withAlternatives } from '../booking/bookable.ts';
import { checkLength } from '../booking/booking.ts';
import { requireFairTime } from '../booking/booking_limits.ts';
import { calendarScope, change } from '../change.ts';
import type { Context } from '../context.ts';
import { limitEvent } from '../limits.ts';
import { isClientEmailChange, isMailToken } from '../mail/mail_tokens.ts';
import { enqueueMails, toAppointmentSnapshot } from '../mail/notify.ts';
import {
  bookableMinutes,
  type Caller,
  type ClientActionMails,
  loadClientAppointment,
  loadClientTerms,
  loadOwnAppointment,
  notifyAndLoadConfirmation,
  toClientView,
} from './client_view.ts';
import {
  countFromNow,
  loadConfirmation,
  saveMailLinkUse,
  toWanted,
  toWantedTime,
} from './confirmation.ts';
import { expireHolds, storeLapse } from './expire_holds.ts';

/** An appointment as it was loaded under the lock of the calendar, and its status at `now`. */
interface LoadedAppointment extends Caller {
  readonly row: appointments.ClientAppointmentRow;
  readonly status: AppointmentStatus;
}

/** What an action changes besides the status, and the mails about it. */
type ActionEffect = Pick<
  appointments.AppointmentTransition,
  'start' | 'time' | 'note' | 'columns'
> &
  Omit<ClientActionMails, keyof Caller>;

/** An action of a client, with what is special about it. */
interface ClientActionPlan {
  readonly action: Exclude<ClientAction, 'confirm'>;
  /** The version that the client has seen. */
  readonly version?: number | undefined;
  /** Whether the result already stands, so that nothing is to be done. */
  readonly isDone: (appointment: LoadedAppointment) => boolean;
  /**
   * Changes what belongs to the appointment (its time, email, counts), before its row is changed. Null: nothing
   * is to be changed.
   */
  readonly apply: (
    context: Context,
    appointment: LoadedAppointment,
  ) => Promise<ActionEffect | null>;
}

/** How a client gives up what they have. A blocked client does it too. */
type GivingUp = Extract<ClientAction, 'release' | 'decline' | 'cancel'>;

const GIVING_UP: Readonly<
  Record<
    GivingUp,
    Pick<ClientActionPlan, 'isDone'> & {
      readonly toEffect: (status: AppointmentStatus, note: string | undefined) => ActionEffect;
    }
  >
> = {
  /** Of a hold: its time is free again. */
  release: {
    isDone: ({ status }) => status === 'cancelled' || status === 'expired',
    toEffect: () => ({ mailKinds: [], time: 'released' }),
  },
  /** Of the offer that they saw: the request is open again, and the time is free. */
  decline: {
    isDone: ({ status, row: { events } }) =>
      hasLapsedOffer({ status, history: events }) ||
      (status === 'requested' && lastEventKind(events) === 'offer_declined'),
    // The time is deleted after the mail, which names it.
    toEffect: (_, note) => {
      const columns = { artist_note: null };
      return { mailKinds: ['offer_declined'], note, start: null, columns };
    },
  },
  /** Of a request, or of an appointment within the artist's notice. */
  cancel: {
    isDone: ({ status }) => status === 'cancelled',
    toEffect: (status, note) => {
      const wasBooked = status === 'confirmed';
      const mailKinds = [...(wasBooked ? ['cancelled' as const] : []), 'client_cancelled' as const];
      return { mailKinds, wasBooked, note, time: 'released' };
    },
  },
};

/** The client releases a hold, declines an offer, or cancels. */
export async function giveUp(
  context: Context,
  id: string,
  caller: Caller,
  { action, note, version }: ClientCancellation & { readonly action: GivingUp },
): Promise<Confirmation> {
  const { isDone, toEffect } = GIVING_UP[action];
  return actAsClient(context, await loadOwnAppointment(context, id), caller, {
    action,
    version,
    isDone,
    apply: async (_, { status }) => toEffect(status, note),
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
    throw await withAlternatives(context, { ...toWanted(row, caller), time }, error, caller.now);
  }
}

/** Whether the appointment is booked at the time to which its client moves it. */
function isBookedAt(
  row: appointments.AppointmentRow,
  { start, end }: TimeRange,
  now: Instant,
): boolean {
  return (
    statusAt(appointments.toAppointmentState(row), now) === 'confirmed' &&
    row.start?.getTime() === start &&
    row.end?.getTime() === end
  );
}

function moveTo(
  context: Context,
  own: appointments.ClientAppointmentRow,
  caller: Caller,
  { time, version }: { readonly time: TimeRange; readonly version: number | undefined },
): Promise<Confirmation> {
  return actAsClient(context, own, caller, {
    action: 'move',
    version,
    isDone: ({ row, now }) => isBookedAt(row, time, now),
    apply: async (context, { row, network, now }) => {
      const wanted = { ...toWanted(row, caller), time };
      const bookable = await loadBookable(context.database, wanted, now);
      checkService(bookable, wanted);
      const minutes = bookableMinutes(row);
      // `clientTransition` has refused what lists no times.
      if (minutes === null) throw refuse('moving_not_allowed');
      checkLength(time, minutes);
      const free = checkTime(bookable, time, now);
      // The artist knows the client of an appointment that they entered.
      const isOfClient = row.events.every(({ what }) => what !== 'entered');
      if (isOfClient) {
        const move = { ...free, replaced: toWantedTime(row)?.blocked };
        await requireFairTime(context, row, { wanted: move, network, isMove: true }, now);
      }
      const { id, artist_id: artistId, studio_id: studioId, time_zone: zone } = row;
      const { blocked } = free;
      if (bookable.hasLapsedTimes)
        await expireHolds(context, artistId, { overlapping: blocked }, now);
      const owner = { appointmentId: id, artistId, studioId, zone };
      const reserved = { ...time, ...owner, blocked, expiresAt: null, isReserved: true };
      await calendar.reserveTime(context.database, reserved);
      if (isOfClient) await countFromNow(context, row, { network, now });
      return {
        mailKinds: ['moved', 'client_moved'],
        wasBooked: true,
        movedFrom: row.start?.getTime() ?? null,
        start: time.start,
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
  caller: Caller,
  { email, mail_token: mailToken }: ClientEmail,
): Promise<Confirmation> {
  const own = await loadOwnAppointment(context, id);
  const { email: present } = own;
  const isOwner =
    mailToken !== undefined &&
    present !== null &&
    isMailToken(context.tokenKeys, mailToken, id, present);
  await limitEvent(context, ['client_emails'], { asker: isOwner ? `${id} owner` : id });
  return actAsClient(context, own, caller, {
    action: 'change_email',
    // The email that it has already is refused like any other: nobody learns by trying which one that is.
    isDone: () => false,
    apply: async (context, appointment) => {
      const { row, network } = appointment;
      await requireUnblocked(context.database, row.artist_id, { email, networks: [network] });
      if (row.email_proven) await askOwnerOfEmail(context, row, { newEmail: email, network });
      else if (row.email === null || !isSameEmail(row.email, email))
        return applyEmail(context.database, appointment, email);
      return null;
    },
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
  caller: Caller,
  { change_token: token }: ClientEmailProof,
): Promise<Confirmation> {
  const isOf = (asked: ClientEmailChange) =>
    isClientEmailChange(context.tokenKeys, token, id, asked);
  return actAsClient(context, await loadOwnAppointment(context, id), caller, {
    action: 'change_email',
    isDone: ({ row: { email, email_change: asked } }) =>
      asked?.isApplied === true && email !== null && isSameEmail(email, asked.to) && isOf(asked),
    apply: async (context, appointment) => {
      const { database } = context;
      const { row, network } = appointment;
      const { email_change: asked } = row;
      const email = waitingEmail(asked, row.email);
      if (asked === null || email === null || !isOf(asked)) throw refuse('link_not_valid');
      await requireUnblocked(database, row.artist_id, { email, networks: [network] });
      await database
        .updateTable('client_email_changes')
        .set({ applied_at: sql<Date>`now()` })
        .where('appointment_id', '=', id)
        .execute();
      return applyEmail(database, appointment, email);
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
  row: appointments.AppointmentRow,
  { newEmail, network }: { newEmail: string; network: string },
): Promise<void> {
  const { id, artist_id: artistId, email } = row;
  if (email === null) return;
  await saveClientEmailChange(context.database, id, { from: email, to: newEmail });
  if (toMailbox(email) === toMailbox(newEmail)) return;
  const wasBooked = row.status === 'confirmed';
  const appointment = { ...toAppointmentSnapshot(row, { wasBooked, by: 'client' }), newEmail };
  const notice = { kind: 'email_change_link', appointment, occasion: randomUUID() } as const;
  await enqueueMails(context, [{ notice, artistId, source: network }]);
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
  const details = { ...clientDetailsOf(row), email };
  const clientId = await upsertClient(transaction, { ...details, artist_id: artistId });
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
 * Does an action of a client. If its result already stands, nothing is done, whatever version they saw.
 * @throws Refusal `not_found`, `appointment_changed` when the client has seen another version,
 *   `sender_blocked`, and those of `clientTransition`
 */
async function actAsClient(
  context: Context,
  { id, artist_id: artistId }: appointments.ClientAppointmentRow,
  { network }: Caller,
  { action, version, isDone, apply }: ClientActionPlan,
): Promise<Confirmation> {
  return change(context, calendarScope(artistId), async (context, now) => {
    const { database } = context;
    const load = () => loadClientAppointment(database, id);
    const stored = await load();
    const status = statusAt(appointments.toAppointmentState(stored), now);
    const caller = { network, now };
    if (isDone({ row: stored, status, ...caller })) return toClientView(context, stored, now);
    // A mail about a new email does not say that the deadline has passed.
    const isChangeMailed = action !== 'change_email';
    const row = await storeLapse(context, stored, load, { isChangeMailed, now });
    if (version !== undefined && version !== row.version) throw refuse('appointment_changed');
    const terms = await loadClientTerms(context, row, now);
    const appointment = appointments.toAppointmentState(row);
    const nextStatus = clientTransition(appointment, action, terms, now);
    if (!(action in GIVING_UP)) await requireUnblockedClient(database, row, network);
    const effect = await apply(context, { row, status, ...caller });
    if (effect === null) return toClientView(context, await load(), now);
    const { start, time, columns, ...mails } = effect;
    const { event: what } = TRANSITIONS.client[action];
    const event = { actor: 'client', what, note: mails.note } as const;
    const transition = { ...event, status: nextStatus, start, time, columns };
    await appointments.saveTransition(database, row, transition, now);
    const confirmation = await notifyAndLoadConfirmation(context, id, { ...mails, ...caller });
    if (nextStatus === 'requested') await calendar.deleteTimes(database, artistId, [id]);
    return confirmation;
  });
}
