/** Which of a client's appointments a mail with their links lists. */
import { type Appointment, isConfirmed, isOver, statusAt } from './appointment.ts';
import type { Instant } from './time.ts';

/** At most this many that are not over: a mail stays short. */
const MAX_OPEN = 20;

/** The status of a listed appointment; `past`: it was booked and is over. */
export type LinkedStatus = 'requested' | 'held' | 'offered' | 'confirmed' | 'past';

/** The status under which a mail with links lists an appointment at `now`; null if it does not. */
export function linkedStatus(appointment: Appointment, now: Instant): LinkedStatus | null {
  const status = statusAt(appointment, now);
  if (isConfirmed(status)) return isOver(appointment, now) ? 'past' : 'confirmed';
  return status === 'requested' || status === 'held' || status === 'offered' ? status : null;
}

/**
 * Chooses those that are not over, the soonest first and requests without a time last, and after them
 * the last past one.
 */
export function chooseLinked<
  Linked extends { readonly status: LinkedStatus; start: Instant | null },
>(appointments: readonly Linked[]): Linked[] {
  const byStart = appointments.toSorted(
    (a, b) => (a.start ?? Infinity) - (b.start ?? Infinity) || 0,
  );
  const open = byStart.filter(({ status }) => status !== 'past').slice(0, MAX_OPEN);
  const lastPast = byStart.findLast(({ status }) => status === 'past');
  return lastPast ? [...open, lastPast] : open;
}
