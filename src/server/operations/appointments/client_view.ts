import type { Confirmation } from '#contract/appointment.ts';
import {
  allowedClientActions,
  type ClientTerms,
  clientDeadlines,
  isConfirmed,
  statusAt,
} from '#domain/appointment.ts';
import { mayStillReserve } from '#domain/booking_limits.ts';
import { booksAt } from '#domain/books.ts';
import { editionsLeft } from '#domain/editions.ts';
import type { AppointmentMailKind } from '#domain/mail.ts';
import { confirmationWaitEnd } from '#domain/mail_plan.ts';
import { type RefusalReason, requireFound } from '#domain/refusal.ts';
import { type Instant, MINUTE_MS } from '#domain/time.ts';
import {
  type AppointmentRow,
  type ClientAppointmentRow,
  findClientAppointment,
  toAppointmentState,
} from '#server/database/appointments.ts';
import type { Database } from '#server/database/connect.ts';
import { isTakingBookings } from '../booking/booking_eligibility.ts';
import type { Context } from '../context.ts';
import { enqueueMails, toAppointmentSnapshot } from '../mail/notify.ts';
import { requireArtist } from './concerned_artist.ts';
import { toConfirmation } from './to_appointment.ts';

/** A client who calls: no login, only the client and the artist know the id of an appointment. */
export interface Caller {
  readonly network: string;
  readonly now: Instant;
}

type ViewContext = Pick<Context, 'database' | 'payments' | 'images' | 'hasLimitsPerTime'>;

/**
 * Loads the appointment of a client's call, and names its artist in the log.
 * @throws Refusal `not_found`
 */
export async function loadOwnAppointment(
  context: Pick<Context, 'database' | 'noteArtist'>,
  id: string,
): Promise<ClientAppointmentRow> {
  const row = await loadClientAppointment(context.database, id);
  requireArtist(context, { id: row.artist_id });
  return row;
}

/** @throws Refusal `not_found` */
export async function loadClientAppointment(database: Database, id: string) {
  return requireFound(await findClientAppointment(database, id));
}

/** An appointment as its client sees it at `now`. */
export async function toClientView(
  context: ViewContext,
  row: ClientAppointmentRow,
  now: Instant,
): Promise<Confirmation> {
  const terms = await loadClientTerms(context, row, now);
  const state = toAppointmentState(row);
  const status = statusAt(state, now);
  const allowed = allowedClientActions(state, terms, now);
  const isExpired = status === 'expired' && allowed.includes('confirm');
  // A hold or an offer that waits keeps its Confirm, and so does a taken time: their refusals say what to do.
  const refusal =
    closedRefusal(row) ?? (isExpired ? await rebookingRefusal(context, row, now) : null);
  const can = allowed.filter((action) => action !== 'confirm' || refusal === null);
  const { time } = state;
  // Clients read before they confirm until when they can cancel.
  const deadlines =
    time !== null && (status === 'confirmed' || status === 'held' || status === 'offered')
      ? clientDeadlines(time, terms)
      : { cancelUntil: null, moveUntil: null };
  return toConfirmation(context.images, row, { can, ...deadlines }, now);
}

/** What the artist lets the client of an appointment do. */
export async function loadClientTerms(
  context: Pick<Context, 'database' | 'payments'>,
  row: ClientAppointmentRow,
  now: Instant,
): Promise<ClientTerms> {
  const mayMove = row.client_move_notice_hours !== null && isConfirmed(row.status);
  const listsTimes =
    mayMove &&
    row.is_active &&
    bookableMinutes(row) !== null &&
    row.scheduling_type === 'service' &&
    (await isTakingBookings(context, row.artist_id, now));
  const changes = row.events.filter(
    ({ actor, what }) => actor === 'client' && what === 'email_changed',
  );
  return {
    cancelNoticeHours: row.client_cancel_notice_hours,
    moveNoticeHours: row.client_move_notice_hours,
    listsTimes,
    emailChanges: row.email === null ? null : changes.length,
  };
}

/**
 * The length of its service, or of a design that is booked without a service; null if clients cannot
 * book it now.
 */
export function bookableMinutes(row: AppointmentRow): number | null {
  if (row.service_id === null) {
    const isShown = row.design_status === 'available' || row.design_status === 'claimed';
    return isShown && row.design_deleted_at === null ? row.design_minutes : null;
  }
  return row.is_available && row.service_deleted_at === null ? row.duration_minutes : null;
}

/** Why nothing can be confirmed any more; null if it can. */
export function closedRefusal(row: ClientAppointmentRow): RefusalReason | null {
  // A lapsed hold of an erased client is not booked again.
  if (row.data_erased_at !== null) return 'status_changed';
  return row.is_active ? null : 'not_taking_bookings';
}

/**
 * Why a time that is not reserved cannot be confirmed; null if it can, as far as it is free. It is judged as
 * a new booking, but a time that the artist has set may have any length, and no service.
 */
export async function rebookingRefusal(
  context: ViewContext,
  row: ClientAppointmentRow,
  now: Instant,
): Promise<RefusalReason | null> {
  const { time, status } = toAppointmentState(row);
  // This check only narrows the type: a hold or an offer always has a time.
  if (time === null) return 'status_changed';
  const { is_set_by_artist: isSetByArtist, service_id, design_id } = row;
  // Holds and offers that still wait for their confirmation go on.
  if (statusAt({ status, time }, now) === 'expired' && !booksAt(row, now).isOpen)
    return 'books_closed';
  if (service_id !== null && bookableMinutes(row) === null) return 'service_not_available';
  const hasDesign = row.design_status === 'available' && row.design_deleted_at === null;
  if (design_id !== null && !(hasDesign && editionsLeft(row.editions, row.used_by_others) !== 0))
    return 'design_not_available';
  const minutes = row.duration_minutes ?? row.design_minutes;
  if (!isSetByArtist && minutes !== (time.end - time.start) / MINUTE_MS) return 'service_changed';
  if (row.scheduling_type !== 'service' && !(isSetByArtist && service_id === null))
    return 'wrong_scheduling_type';
  if (!(await isTakingBookings(context, row.artist_id, now))) return 'not_taking_bookings';
  const isTooOld = context.hasLimitsPerTime && !mayStillReserve(row.created_at.getTime(), now);
  return isTooOld && !isSetByArtist ? 'time_taken' : null;
}

/** The mails about what a client did, by whom and when. */
export interface ClientActionMails extends Caller {
  readonly mailKinds: readonly AppointmentMailKind[];
  /** Whether it was confirmed before the change that the mails report. */
  readonly wasBooked?: boolean;
  /** The start before a move. */
  readonly movedFrom?: Instant | null;
  /** The client's text to the artist. */
  readonly note?: string | undefined;
}

/** Queues mails about what a client did, and loads the appointment as the client sees it, in a transaction. */
export async function notifyAndLoadConfirmation(
  context: Context,
  id: string,
  { mailKinds, wasBooked = false, movedFrom = null, note, network, now }: ClientActionMails,
): Promise<Confirmation> {
  const row = await loadClientAppointment(context.database, id);
  const snapshot = toAppointmentSnapshot(row, { wasBooked, by: 'client' });
  const appointment = { ...snapshot, movedFrom, note: note || null };
  const mails = mailKinds.map((kind) => ({
    notice: { kind, appointment },
    artistId: row.artist_id,
    source: network,
  }));
  const isHold = mailKinds.includes('hold');
  const waitsUntil = isHold
    ? confirmationWaitEnd(appointment, row.must_prove_email, now)
    : undefined;
  await enqueueMails(context, mails, waitsUntil);
  return toClientView(context, row, now);
}
