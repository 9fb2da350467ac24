/** What happened to an appointment while its client had its page open, in words. */
import type { Actor, AppointmentEventKind, AppointmentStatus } from './appointment.ts';
import { formatShortDayAndTime, formatTime, localDateAt } from './format_time.ts';

/** An appointment as its client has seen it. */
export interface SeenAppointment {
  readonly status: AppointmentStatus;
  /** RFC 3339; null without a time. */
  readonly start: string | null;
  /** The oldest first. */
  readonly history: readonly { readonly by: Actor; readonly what: AppointmentEventKind }[];
}

/**
 * Says what changed, such as "Ana moved this to 7:20 AM."
 * @param artist the artist's name
 * @param zone the studio's, in which times are named
 * @returns null when nothing changed, or when the page says it by itself: a deadline passed
 */
export function describeChange(
  before: SeenAppointment,
  after: SeenAppointment,
  artist: string,
  zone: string,
): string | null {
  const last = after.history.slice(before.history.length).at(-1);
  const isByArtist = last?.by === 'artist';
  const time = formatNewTime(before.start, after.start, zone);
  switch (last?.what) {
    case 'moved':
      return time && `${isByArtist ? `${artist} moved this` : 'This was moved'} to ${time}.`;
    case 'offered':
      return time && `${artist} offers you ${time}.`;
    case 'cancelled':
      return isByArtist ? `${artist} cancelled this.` : 'This was cancelled already.';
    case 'released':
      return 'This time was given up already.';
    case 'declined':
      return `${artist} declined this.`;
    case 'offer_declined':
      return 'This offer was declined already.';
    case 'confirmed':
      return 'This was confirmed already.';
    case 'email_changed':
      return 'The email of this appointment was changed.';
    case 'expired':
    case 'offer_lapsed':
      return null;
    default:
      // Not every change is in the client's history.
      return time && before.start !== null ? `The time is now ${time}.` : null;
  }
}

/** With the day, if it differs; null without a new time. */
function formatNewTime(before: string | null, after: string | null, zone: string): string | null {
  if (after === null || after === before) return null;
  const isSameDay = before !== null && localDateAt(zone, before) === localDateAt(zone, after);
  return isSameDay ? formatTime(after, zone) : formatShortDayAndTime(after, zone);
}

/** Whether the last thing that happened to a request is that its offer ended. */
export function hasLapsedOffer({ status, history }: SeenAppointment): boolean {
  if (status !== 'requested') return false;
  const last = history.filter(({ what }) => what !== 'email_changed').at(-1)?.what;
  // A lapse may be read before it is in the history.
  return last === 'offer_lapsed' || last === 'offered' || last === 'moved';
}
