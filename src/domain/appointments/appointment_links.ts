/** Which of a client's appointments a mail with their links lists. */

import type { Instant } from '../time/time.ts';
import { type Appointment, type AppointmentStatus, isOver, statusAt } from './appointment.ts';

/** At most this many appointments that are not over are listed, so that the mail stays short. */
const MAX_OPEN = 20;

/** The status of a listed appointment; `past`: it was booked and is over. */
export type LinkedStatus = Exclude<AppointmentStatus, 'expired' | 'completed' | 'no_show'> | 'past';

/** The status under which a mail with links lists an appointment at `now`; null if it does not. */
export function linkedStatus(appointment: Appointment, now: Instant): LinkedStatus | null {
  const status = statusAt(appointment, now);
  switch (status) {
    case 'expired':
      return null;
    case 'confirmed':
    case 'completed':
    case 'no_show':
      return isOver(appointment, now) ? 'past' : 'confirmed';
    default:
      return status;
  }
}

/**
 * Chooses those that are not over, by their starts; requests without a time follow. At the end are the last past
 * one and the last one that was declined or cancelled.
 * @param appointments in the order of their last changes
 */
export function chooseLinked<
  Linked extends { readonly status: LinkedStatus; start: Instant | null },
>(appointments: readonly Linked[]): Linked[] {
  const byStart = appointments.toSorted(
    // `|| 0`: the difference of two infinities is not a number.
    (a, b) => (a.start ?? Infinity) - (b.start ?? Infinity) || 0,
  );
  const isClosed = ({ status }: Linked) => status === 'declined' || status === 'cancelled';
  const isPast = ({ status }: Linked) => status === 'past';
  const open = byStart.filter((one) => !isPast(one) && !isClosed(one)).slice(0, MAX_OPEN);
  const last = [byStart.findLast(isPast), appointments.findLast(isClosed)];
  return [...open, ...last.filter((one) => one !== undefined)];
}
