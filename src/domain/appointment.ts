import type { TimeRange } from './availability.ts';
import { InvalidInput, refuse } from './refusal.ts';
import type { Instant } from './time.ts';
import { MINUTE_MS } from './time.ts';

/** All that an appointment can be (design, An appointment's life). */
export const APPOINTMENT_STATUSES = [
  'requested',
  'held',
  'offered',
  'confirmed',
  'declined',
  'expired',
  'cancelled',
  'completed',
  'no_show',
] as const;
export type AppointmentStatus = (typeof APPOINTMENT_STATUSES)[number];

/** The states that an artist moves an appointment to by name; the others come of times and clients. */
export const ARTIST_STATUSES = ['declined', 'cancelled', 'completed', 'no_show'] as const;
export type ArtistStatus = (typeof ARTIST_STATUSES)[number];

/** What clients are asked about their tattoo (specification, section 3). */
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

/** A time that an appointment keeps, or kept. */
export interface AppointmentTime extends TimeRange {
  /** When an unconfirmed pick or offer stops keeping the time; null when it does not lapse. */
  readonly expiresAt: Instant | null;
}

/** As much of an appointment as its rules need. `status` is the stored one and may have lapsed. */
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

/** What the appointment is at `now`: a hold or an offer that has lapsed is expired, swept or not. */
export function statusAt({ status, time }: Appointment, now: Instant): AppointmentStatus {
  const unconfirmed = status === 'held' || status === 'offered';
  const expiresAt = time?.expiresAt ?? null;
  return unconfirmed && expiresAt !== null && expiresAt <= now ? 'expired' : status;
}

/** Whether an appointment in this state keeps its time free of others. */
export function occupiesCalendar(status: AppointmentStatus): boolean {
  return status === 'held' || status === 'offered' || status === 'confirmed';
}

/** Whether clients see it as booked. */
export function isConfirmed(status: AppointmentStatus): boolean {
  return status === 'confirmed' || status === 'completed' || status === 'no_show';
}

/** When a client's pick, made now, lapses: nobody confirms a time that has begun. */
export function holdExpiresAt(start: Instant, terms: ConfirmationDeadlines, now: Instant): Instant {
  return Math.min(now + terms.holdMinutes * MINUTE_MS, start);
}

/**
 * A client confirms. Twice is harmless; an expired one still confirms while its time lies ahead.
 * @returns whether there is anything to change
 * @throws Refusal `state_moved` in any other state, `time_taken` when an expired time has begun
 */
export function decideConfirmation(appointment: Appointment, now: Instant): 'confirm' | 'already' {
  const status = statusAt(appointment, now);
  if (isConfirmed(status)) return 'already';
  if (status === 'held' || status === 'offered') return 'confirm';
  if (status !== 'expired') throw refuse('state_moved');
  if (appointment.time === null || appointment.time.start <= now) throw refuse('time_taken');
  return 'confirm';
}

/**
 * The artist names a state.
 * @throws Refusal `state_moved` when the appointment cannot go there from where it is
 */
export function transition(
  appointment: Appointment,
  next: ArtistStatus,
  now: Instant,
): ArtistStatus {
  if (!ALLOWED_FROM[next].includes(statusAt(appointment, now))) throw refuse('state_moved');
  return next;
}

/**
 * The artist deletes what came to nothing.
 * @throws Refusal `not_over` for anything but a declined, expired or cancelled one
 */
export function refuseUnlessDeletable(appointment: Appointment, now: Instant): void {
  const status = statusAt(appointment, now);
  if (status !== 'declined' && status !== 'expired' && status !== 'cancelled')
    throw refuse('not_over');
}

/**
 * The artist sets a time: on a request this is an offer, on a kept time a move that keeps the state.
 * @returns the state afterwards, and when the time lapses
 * @throws Refusal `state_moved` in any other state
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
    throw refuse('state_moved');
  if (start <= now) throw new InvalidInput(['body', 'start'], 'Must lie in the future');
  if (status === 'held') return { status, expiresAt: holdExpiresAt(start, terms, now) };
  const expiresAt = Math.min(now + terms.offerHours * 60 * MINUTE_MS, start);
  return { status: 'offered', expiresAt };
}
