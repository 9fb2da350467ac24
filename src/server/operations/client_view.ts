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
import type { AppointmentMailKind, MailData } from '#domain/mail.ts';
import { requireFound } from '#domain/refusal.ts';
import { type Instant, MINUTE_MS } from '#domain/time.ts';
import { type ClientViewRow, findClientView } from '#server/database/appointment_events.ts';
import {
  type AppointmentRow,
  findAppointment,
  toAppointmentState,
} from '#server/database/appointments.ts';
import type { Database } from '#server/database/connect.ts';
import { isTakingBookings } from './booking_eligibility.ts';
import type { Context } from './context.ts';
import { notify, toAppointmentSnapshot } from './notify.ts';
import { toConfirmation } from './to_appointment.ts';

/**
 * An appointment as its client sees it at `now`.
 * @param known its history and the artist's terms, if they were read before; otherwise they are read
 */
export async function toClientView(
  context: Context,
  database: Database,
  row: AppointmentRow,
  now: Instant,
  known?: ClientViewRow,
): Promise<Confirmation> {
  const view = known ?? requireFound(await findClientView(database, row.artist_id, row.id));
  const terms = await loadClientTerms({ ...context, database }, row, view, now);
  const state = toAppointmentState(row);
  const status = statusAt(state, now);
  const allowed = allowedClientActions(state, terms, now);
  const mayConfirm =
    allowed.includes('confirm') && (await canConfirm({ ...context, database }, row, view, now));
  const can = allowed.filter((action) => action !== 'confirm' || mayConfirm);
  const { time } = state;
  // Clients read before they confirm until when they can cancel.
  const deadlines =
    time !== null && (status === 'confirmed' || status === 'held' || status === 'offered')
      ? clientDeadlines(time, terms)
      : { cancelUntil: null, moveUntil: null };
  return toConfirmation(context.images, row, view, { can, ...deadlines }, now);
}

/** What the artist lets the client of an appointment do. */
export async function loadClientTerms(
  context: Pick<Context, 'database' | 'payments'>,
  row: AppointmentRow,
  view: ClientViewRow,
  now: Instant,
): Promise<ClientTerms> {
  const mayMove = view.client_move_notice_hours !== null && isConfirmed(row.status);
  const listsTimes =
    mayMove &&
    view.is_active &&
    bookableMinutes(row) !== null &&
    row.scheduling_type === 'service' &&
    (await isTakingBookings(context, row.artist_id, now));
  return {
    cancelNoticeHours: view.client_cancel_notice_hours,
    moveNoticeHours: view.client_move_notice_hours,
    listsTimes,
    emailChanges:
      row.email === null
        ? null
        : view.events.filter(({ actor, what }) => actor === 'client' && what === 'email_changed')
            .length,
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
  row: AppointmentRow,
  { is_active, books, booking_range }: ClientViewRow,
  now: Instant,
): Promise<boolean> {
  if (!is_active) return false;
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
    booksAt({ ...row, books, booking_range }, now).isOpen &&
    (await isTakingBookings(context, row.artist_id, now))
  );
}

/** The mails about what a client did. */
export interface ClientActionMails {
  readonly mailKinds: readonly AppointmentMailKind[];
  /** Whether it was confirmed before the change that the mails report. */
  readonly wasBooked?: boolean;
  /** The start before a move. */
  readonly movedFrom?: Instant | null;
  /** The client's text to the artist. */
  readonly note?: string | undefined;
  /** The network of the client, who causes the mails. */
  readonly network: string;
}

/** Queues mails about what a client did, and loads the appointment as the client sees it. */
export async function notifyAndLoadConfirmation(
  context: Context,
  transaction: Database,
  { id, artist_id }: Pick<AppointmentRow, 'id' | 'artist_id'>,
  { mailKinds, wasBooked = false, movedFrom = null, note, network }: ClientActionMails,
  now: Instant,
): Promise<Confirmation> {
  const row = requireFound(await findAppointment(transaction, artist_id, id));
  const snapshot = toAppointmentSnapshot(row, { wasBooked, by: 'client' });
  const appointment = { ...snapshot, movedFrom, note: note || null };
  const notices = mailKinds.map((kind): MailData => ({ kind, appointment }));
  await notify(context, transaction, artist_id, notices, network);
  return toClientView(context, transaction, row, now);
}
