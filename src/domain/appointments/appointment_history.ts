import { formatShortDateAndTime } from '../time/format_time.ts';
import type { Zone } from '../time/zone_offsets.ts';
import type { Actor, AppointmentEventKind } from './appointment.ts';

/** The part of an event that its sentence needs; times are RFC 3339. */
interface HistoryEvent {
  readonly by: Actor;
  readonly what: AppointmentEventKind;
  /** The start before and after; null without a time. */
  readonly from_start: string | null;
  readonly to_start: string | null;
  /** The words to the other side, if any. */
  readonly note: string | null;
}

/**
 * An event of an appointment as a sentence without the full stop, such as
 * 'You offered Tue, Dec 1, 2026, 10:00 AM'.
 * @param names of both sides, at the start of a sentence: 'You' for an artist who reads it; null for a
 *   client whose name is not known
 * @param zone the studio's
 */
export function formatHistoryEvent(
  { by, what, from_start, to_start, note }: HistoryEvent,
  names: { readonly artist: string; readonly client: string | null },
  zone: Zone,
): string {
  const client = names.client ?? 'the client';
  const Client = names.client ?? 'The client';
  const isByArtist = by === 'artist';
  const from = formatStart(from_start, zone);
  const to = formatStart(to_start, zone);
  const who = isByArtist ? names.artist : Client;
  switch (what) {
    case 'requested':
      return `${who} asked for an appointment`;
    case 'held':
      return `${who} picked ${to}`;
    case 'entered':
      return `${who} entered the appointment for ${to}`;
    case 'offered':
      return `${who} offered ${to}`;
    case 'moved':
      if (from_start === to_start)
        return note === null
          ? // The end is another one, or the note is removed.
            `${who} changed it, and it still starts ${to}`
          : `${who} wrote a new note about ${to}`;
      return from_start === null
        ? `${who} moved it to ${to}`
        : `${who} moved it from ${from} to ${to}`;
    case 'rules_changed':
      return `${from_start === to_start ? 'Left' : 'Kept'} at ${to} after the clock rules changed`;
    case 'zone_changed':
      // No time: the zone may be another one by now.
      return 'It kept its time on the clock in the studio’s new time zone';
    case 'change_undone':
      return `${who} undid this, and it starts ${to} again`;
    case 'edited':
      return `${who} changed the details`;
    case 'confirmed':
      return `${who} confirmed ${to}`;
    case 'released':
      return `${who} gave up ${from}`;
    case 'expired':
      return `${Client} did not confirm ${from} in time`;
    case 'offer_declined':
      return `${who} declined the offer of ${from}`;
    case 'offer_lapsed':
      return `The offer of ${from} ended`;
    case 'declined':
      return `${who} declined the request`;
    case 'cancelled':
      return by === 'system' ? 'It was cancelled' : `${who} cancelled it`;
    case 'email_changed':
      return `${who} changed the email`;
    case 'completed':
      return `${who} marked it as completed`;
    case 'no_show':
      return `${who} noted that ${client} did not come`;
    case 'reopened':
      return `${who} marked it as booked again`;
  }
}

function formatStart(start: string | null, zone: Zone): string {
  return start === null ? 'a time' : formatShortDateAndTime(start, zone);
}
