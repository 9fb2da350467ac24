/** An appointment for its client: loads it, and says what the client may do. */
import type { Confirmation } from '#contract/appointment.ts';
import {
  allowedClientActions,
  type ClientTerms,
  clientDeadlines,
  isConfirmed,
  statusAt,
} from '#domain/appointments/appointment.ts';
import type { TimeRange } from '#domain/booking/availability.ts';
import {
  judgeRebooking,
  type Rebooking,
  type WantedBooking,
} from '#domain/booking/booking_checks.ts';
import { mayStillReserve } from '#domain/booking/booking_limits.ts';
import { Refusal, refuse, requireFound } from '#domain/refusal.ts';
import type { Instant } from '#domain/time/time.ts';
import {
  type AppointmentRow,
  type ClientAppointmentRow,
  findClientAppointment,
  toAppointmentState,
  toAppointmentTime,
} from '#server/database/appointments.ts';
import type { Database } from '#server/database/connect.ts';
import { loadBookable } from '../booking/bookable.ts';
import { isTakingBookings } from '../booking/booking_eligibility.ts';
import type { Context } from '../context.ts';
import { requireArtist } from '../public_artist.ts';
import { toConfirmation } from './to_appointment.ts';

/** A client who calls, without a login. */
export interface Caller {
  readonly network: string;
  /** When the call came in. Changes have a later `now`: that after the lock was taken. */
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

/** Loads an appointment of any artist with what its client sees. @throws Refusal `not_found` */
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
  const mayConfirm = allowed.includes('confirm') && (await isConfirmable(context, row, now));
  const can = allowed.filter((action) => action !== 'confirm' || mayConfirm);
  const { time } = state;
  // Clients read before they confirm until when they can cancel.
  const deadlines =
    time !== null && (status === 'confirmed' || status === 'held' || status === 'offered')
      ? clientDeadlines(time, terms)
      : { cancelUntil: null, moveUntil: null };
  return toConfirmation(context.images, row, { can, ...deadlines }, now);
}

/** Whether the page offers Confirm. A taken time keeps it, because its refusal says what to do. */
async function isConfirmable(
  context: ViewContext,
  row: ClientAppointmentRow,
  now: Instant,
): Promise<boolean> {
  const { status, time } = toAppointmentState(row);
  try {
    requireConfirmable(row);
    if (time === null || statusAt({ status, time }, now) !== 'expired') return true;
    judgeRebooking(await loadRebooking(context, row, time, now), now);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** The rules by which the artist lets the client change an appointment. */
export async function loadClientTerms(
  context: Pick<Context, 'database' | 'payments'>,
  row: ClientAppointmentRow,
  now: Instant,
): Promise<ClientTerms> {
  const mayMove = row.client_move_notice_hours !== null && isConfirmed(row.status);
  const listsTimes =
    mayMove &&
    row.is_active &&
    isSubjectListed(row) &&
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

/** Whether clients can book its service, or its design without a service. */
function isSubjectListed(row: AppointmentRow): boolean {
  if (row.service_id !== null) return row.is_available === true && row.service_deleted_at === null;
  const isShown = row.design_status === 'available' || row.design_status === 'claimed';
  return isShown && row.design_deleted_at === null && row.design_minutes !== null;
}

/**
 * Refuses to confirm an appointment of an erased client, or of a deactivated artist.
 * @throws Refusal `status_changed`, `not_taking_bookings`
 */
export function requireConfirmable(row: ClientAppointmentRow): void {
  // An expired hold of an erased client is not booked again.
  if (row.data_erased_at !== null) throw refuse('status_changed');
  if (!row.is_active) throw refuse('not_taking_bookings');
}

/** The booking that confirms or moves an appointment, for the checks of a new one. */
export function toWanted(row: AppointmentRow): WantedBooking {
  return {
    artistId: row.artist_id,
    zone: row.time_zone,
    serviceId: row.service_id,
    designId: row.design_id,
    time: toAppointmentTime(row),
    own: row,
  };
}

/** Loads what decides whether a client can confirm an appointment although its time is not reserved. */
export async function loadRebooking(
  context: ViewContext,
  row: AppointmentRow,
  time: TimeRange,
  now: Instant,
): Promise<Rebooking> {
  const wanted = { ...toWanted(row), time };
  return {
    bookable: await loadBookable(context.database, wanted, now),
    wanted,
    isExpired: statusAt(toAppointmentState(row), now) === 'expired',
    isSetByArtist: row.is_set_by_artist,
    isTakingBookings: await isTakingBookings(context, row.artist_id, now),
    isTooOld:
      !row.is_set_by_artist &&
      context.hasLimitsPerTime &&
      !mayStillReserve(row.created_at.getTime(), now),
  };
}
