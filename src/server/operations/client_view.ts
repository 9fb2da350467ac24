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
import { requireFound } from '#domain/refusal.ts';
import { type Instant, MINUTE_MS } from '#domain/time.ts';
import {
  type AppointmentRow,
  type ClientAppointmentRow,
  findClientAppointment,
  toAppointmentState,
} from '#server/database/appointments.ts';
import type { Database } from '#server/database/connect.ts';
import { isTakingBookings } from './booking_eligibility.ts';
import { requireArtist } from './concerned_artist.ts';
import type { Context } from './context.ts';
import { enqueueMails, toAppointmentSnapshot } from './notify.ts';
import { toConfirmation } from './to_appointment.ts';

/** A client who calls: no login, only the client and the artist know the id of an appointment. */
export interface Caller {
  readonly network: string;
  readonly now: Instant;
}

type ViewContext = Pick<Context, 'database' | 'payments' | 'images'>;

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
  const mayConfirm = allowed.includes('confirm') && (await canConfirm(context, row, now));
  const can = allowed.filter((action) => action !== 'confirm' || mayConfirm);
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

/**
 * Whether confirming could succeed, beyond the status. An expired hold is judged as a new booking,
 * except for its time: the refusal of a taken time names others.
 */
async function canConfirm(
  context: Pick<Context, 'database' | 'payments'>,
  row: ClientAppointmentRow,
  now: Instant,
): Promise<boolean> {
  if (!row.is_active) return false;
  const appointment = toAppointmentState(row);
  const { time } = appointment;
  if (time === null || statusAt(appointment, now) !== 'expired') return true;
  const minutes = (time.end - time.start) / MINUTE_MS;
  const bookable = bookableMinutes(row);
  const hasService = bookable !== null && (bookable === minutes || row.is_set_by_artist);
  const hasDesign =
    row.design_id === null ||
    (row.design_status === 'available' &&
      row.design_deleted_at === null &&
      // It does not count itself, because it has expired.
      editionsLeft(row.editions, row.edition_use?.used ?? 0) !== 0);
  return (
    hasService &&
    hasDesign &&
    row.scheduling_type === 'service' &&
    mayStillReserve(row.created_at.getTime(), now) &&
    booksAt(row, now).isOpen &&
    (await isTakingBookings(context, row.artist_id, now))
  );
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
