/**
 * Editions: how often a design may be tattooed, once, N times or without limit. Each project (the
 * sessions of one tattoo) uses up one edition.
 */
import {
  type Appointment,
  isConfirmed,
  occupiesCalendar,
  statusAt,
} from '../appointments/appointment.ts';
import type { Instant } from '../time/time.ts';

/** The fields of an appointment that decide whether it uses up an edition. */
export interface EditionUse extends Appointment {
  readonly isReserved: boolean;
  /** Whether a cancelled appointment still uses up its edition, because the artist wants it so. */
  readonly keepsEdition: boolean;
}

/**
 * Whether an appointment uses up an edition of its design: reserved holds and offers until their
 * deadline, and bookings. Requests do not, nor holds that reserve no time yet.
 */
export function usesEdition(use: EditionUse, now: Instant): boolean {
  if (use.keepsEdition) return true;
  const status = statusAt(use, now);
  return isConfirmed(status) || (use.isReserved && occupiesCalendar(status));
}

/**
 * How many more projects may have the design; null without limit, never below 0.
 * @param editions how often it may be tattooed; null without limit
 * @param used how many projects use up an edition
 */
export function editionsLeft(editions: number | null, used: number): number | null {
  return editions === null ? null : Math.max(0, editions - used);
}
