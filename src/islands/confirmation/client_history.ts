import type { Confirmation } from '#contract/appointment.ts';
import type { DateConventions } from '#domain/time/date_conventions.ts';
import { formatShortDayAndTime } from '#domain/time/format_time.ts';

type ClientEvent = Confirmation['history'][number];

/** An event in words for the client. Times are in the studio's zone. */
export function describeEvent(
  { what, by, start }: ClientEvent,
  { full_name: artist, studio }: Confirmation['user'],
  conventions: DateConventions,
): string {
  const time = start && formatShortDayAndTime(start, studio, conventions);
  const who = by === 'client' ? 'You' : artist;
  switch (what) {
    case 'requested':
      return 'You sent the request.';
    case 'held':
      return `You chose ${time ?? 'a time'}.`;
    case 'entered':
      return `${artist} entered the appointment${time ? ` for ${time}` : ''}.`;
    case 'offered':
      return `${artist} offered ${time ?? 'a time'}.`;
    case 'moved':
      return `${who} moved it${time ? ` to ${time}` : ''}.`;
    case 'rules_changed':
      return `The clock rules changed: it starts ${time ?? 'as before'}.`;
    case 'zone_changed':
      return 'It kept its time on the clock in the studio’s new time zone.';
    case 'change_undone':
      return `This was undone: it starts ${time ?? 'as before'} again.`;
    case 'edited':
      return `${artist} changed the details.`;
    case 'confirmed':
      return `${who} confirmed it.`;
    case 'released':
      return 'You gave the time up.';
    case 'expired':
      return 'The time was not confirmed, so it was no longer kept.';
    case 'offer_declined':
      return 'You declined the offer.';
    case 'offer_lapsed':
      return 'The offer ended.';
    case 'declined':
      return `${artist} declined the request.`;
    case 'cancelled':
      return `${who} cancelled it.`;
    case 'email_changed':
      return `${who} changed the email.`;
    case 'completed':
      return `${artist} marked it as done.`;
    case 'no_show':
      return `${artist} marked it as missed.`;
    case 'reopened':
      return `${artist} corrected the state: it is booked.`;
  }
}
