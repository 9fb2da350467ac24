import type { Confirmation } from '#contract/appointment.ts';
import {
  allowedClientActions,
  type ClientTerms,
  clientDeadlines,
  isConfirmed,
  statusAt,
} from '#domain/appointment.ts';
import type { TimeRange } from '#domain/availability.ts';
import { checkRebooking, type Rebooking, type Subject } from '#domain/booking_checks.ts';
import { mayStillReserve } from '#domain/booking_limits.ts';
import type { AppointmentMailKind } from '#domain/mail.ts';
import { confirmationWaitEnd } from '#domain/mail_plan.ts';
import { isAllowed, refuse, requireFound } from '#domain/refusal.ts';
import type { Instant } from '#domain/time.ts';
import {
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
  const { time } = state;
  // A hold or an offer that waits keeps its Confirm, and so does a taken time: their refusals say what to do.
  const rebooking =
    time !== null && status === 'expired' && allowed.includes('confirm')
      ? await loadRebooking(context, row, time, now)
      : null;
  const mayConfirm = isAllowed(() => {
    requireConfirmable(row);
    if (rebooking !== null) checkRebooking(rebooking, now);
  });
  const can = allowed.filter((action) => action !== 'confirm' || mayConfirm);
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
    hasOtherTimes(row) &&
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

/** Whether clients could book other times of its service, or of a design that is booked without one. */
function hasOtherTimes(row: ClientAppointmentRow): boolean {
  const { service } = toSubject(row);
  if (service !== null) return service.isAvailable;
  const isShown = row.design_status === 'available' || row.design_status === 'claimed';
  return isShown && row.design_deleted_at === null && row.design_minutes !== null;
}

/** Without a service or a design, all of its columns are null. */
function toSubject(row: ClientAppointmentRow): Subject {
  const { duration_minutes, design_minutes, editions } = row;
  const hasService = row.is_available === true && row.service_deleted_at === null;
  const hasDesign = row.design_status === 'available' && row.design_deleted_at === null;
  const design = { duration_minutes: design_minutes, editions, used: row.used_by_others };
  return {
    books: row,
    service: duration_minutes === null ? null : { duration_minutes, isAvailable: hasService },
    design: row.design_id === null ? null : { ...design, isAvailable: hasDesign },
  };
}

/** Accepts to confirm an appointment at all. @throws Refusal `status_changed`, `not_taking_bookings` */
export function requireConfirmable(row: ClientAppointmentRow): void {
  // A lapsed hold of an erased client is not booked again.
  if (row.data_erased_at !== null) throw refuse('status_changed');
  if (!row.is_active) throw refuse('not_taking_bookings');
}

/** Loads what `checkRebooking` judges. */
export async function loadRebooking(
  context: ViewContext,
  row: ClientAppointmentRow,
  time: TimeRange,
  now: Instant,
): Promise<Rebooking> {
  return {
    subject: toSubject(row),
    serviceId: row.service_id,
    designId: row.design_id,
    time,
    isExpired: statusAt(toAppointmentState(row), now) === 'expired',
    isSetByArtist: row.is_set_by_artist,
    isTakingBookings: await isTakingBookings(context, row.artist_id, now),
    isTooOld: context.hasLimitsPerTime && !mayStillReserve(row.created_at.getTime(), now),
  };
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
