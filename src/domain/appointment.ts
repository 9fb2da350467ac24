import type { TimeRange } from './availability.ts';
import { InvalidInput, refuse } from './refusal.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from './time.ts';

export const APPOINTMENT_STATUSES = [
  'requested', // The client asked for an appointment; it has no time yet.
  'held', // A hold: the client chose a time and must still confirm it.
  'offered', // An offer: the artist set a time and the client must still confirm it.
  'confirmed',
  'declined', // The artist declined the request.
  'expired', // The client did not confirm the hold or offer before its deadline.
  'cancelled',
  'completed',
  'no_show',
] as const;
export type AppointmentStatus = (typeof APPOINTMENT_STATUSES)[number];

/** The statuses that an artist sets directly; setting a time or confirming it causes the others. */
export const ARTIST_STATUSES = ['declined', 'cancelled', 'completed', 'no_show'] as const;
export type ArtistStatus = (typeof ARTIST_STATUSES)[number];

/** Where on the body the tattoo goes (specification, section 3). */
export const BODY_LOCATIONS = [
  'arms',
  'legs',
  'torso',
  'chest',
  'back',
  'hands',
  'head',
  'neck',
  'shoulder',
  'other',
] as const;
export type BodyLocation = (typeof BODY_LOCATIONS)[number];

export const TATTOO_SIZES = ['small', 'medium', 'large', 'extra-large', 'other'] as const;
export type TattooSize = (typeof TATTOO_SIZES)[number];

export const PREFERRED_CONTACTS = ['email', 'phone', 'text'] as const;
export type PreferredContact = (typeof PREFERRED_CONTACTS)[number];

export interface AppointmentTime extends TimeRange {
  /** The deadline to confirm a hold or an offer; null when there is none. */
  readonly expiresAt: Instant | null;
}

/** The fields that the rules need. `status` is as stored: `held` or `offered` may have expired. */
export interface Appointment {
  readonly status: AppointmentStatus;
  readonly time: AppointmentTime | null;
}

/** How long clients have to confirm. */
export interface ConfirmationDeadlines {
  readonly holdMinutes: number;
  readonly offerHours: number;
}

const ALLOWED_FROM: Record<ArtistStatus, readonly AppointmentStatus[]> = {
  declined: ['requested'],
  cancelled: ['requested', 'held', 'offered', 'confirmed'],
  completed: ['confirmed'],
  no_show: ['confirmed'],
};

/** The status at `now`: a hold or offer past its deadline is expired, even if not stored as such. */
export function statusAt({ status, time }: Appointment, now: Instant): AppointmentStatus {
  const unconfirmed = status === 'held' || status === 'offered';
  const expiresAt = time?.expiresAt ?? null;
  return unconfirmed && expiresAt !== null && expiresAt <= now ? 'expired' : status;
}

/** Whether an appointment in this status blocks its time for others. */
export function occupiesCalendar(status: AppointmentStatus): boolean {
  return status === 'held' || status === 'offered' || status === 'confirmed';
}

/** Whether clients see it as booked. */
export function isConfirmed(status: AppointmentStatus): boolean {
  return status === 'confirmed' || status === 'completed' || status === 'no_show';
}

/** The deadline of a hold made at `now`: never after the start of the appointment. */
export function holdExpiresAt(start: Instant, terms: ConfirmationDeadlines, now: Instant): Instant {
  return Math.min(now + terms.holdMinutes * MINUTE_MS, start);
}

/**
 * A client confirms. Confirming twice is harmless; an expired time can be confirmed until it begins.
 * @returns whether there is anything to change
 * @throws Refusal `status_changed` in any other status, `time_taken` when an expired time has begun
 */
export function decideConfirmation(appointment: Appointment, now: Instant): 'confirm' | 'already' {
  const status = statusAt(appointment, now);
  if (isConfirmed(status)) return 'already';
  if (status === 'held' || status === 'offered') return 'confirm';
  if (status !== 'expired') throw refuse('status_changed');
  if (appointment.time === null || appointment.time.start <= now) throw refuse('time_taken');
  return 'confirm';
}

/**
 * The artist sets a status directly.
 * @throws Refusal `status_changed` when the current status does not allow it
 */
export function transition(current: Appointment, next: ArtistStatus, now: Instant): ArtistStatus {
  if (!ALLOWED_FROM[next].includes(statusAt(current, now))) throw refuse('status_changed');
  return next;
}

/** @throws Refusal `not_deletable` unless the appointment is declined, expired or cancelled */
export function refuseUnlessDeletable(appointment: Appointment, now: Instant): void {
  const status = statusAt(appointment, now);
  if (status !== 'declined' && status !== 'expired' && status !== 'cancelled')
    throw refuse('not_deletable');
}

/**
 * The artist sets a time. A request becomes an offer; an appointment with a time keeps its status.
 * @returns the new status, and the deadline to confirm
 * @throws Refusal `status_changed` in any other status
 * @throws InvalidInput when a client would be asked to confirm a time that has begun
 */
export function setTime(
  appointment: Appointment,
  start: Instant,
  terms: ConfirmationDeadlines,
  now: Instant,
): { status: 'held' | 'offered' | 'confirmed'; expiresAt: Instant | null } {
  const status = statusAt(appointment, now);
  if (status === 'confirmed') return { status, expiresAt: null };
  if (status !== 'requested' && status !== 'offered' && status !== 'held')
    throw refuse('status_changed');
  if (start <= now) throw new InvalidInput(['body', 'start'], 'Must lie in the future');
  if (status === 'held') return { status, expiresAt: holdExpiresAt(start, terms, now) };
  return { status: 'offered', expiresAt: Math.min(now + terms.offerHours * HOUR_MS, start) };
}
