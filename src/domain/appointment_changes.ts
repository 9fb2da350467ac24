/** What happened to an appointment while its client had its page open, in words. */
import type { Actor, AppointmentEventKind, AppointmentStatus } from './appointment.ts';
import { formatShortDayAndTime, formatTime, localDateAt } from './format_time.ts';
import { compareStudios, type StudioLocation, studioChangeText } from './studio_change.ts';

/** An appointment as its client has seen it. */
export interface SeenAppointment {
  readonly status: AppointmentStatus;
  /** Grows with each change that somebody makes; a passed deadline changes only the status. */
  readonly version: number;
  /** RFC 3339; null without a time. */
  readonly start: string | null;
  /** The artist's words. */
  readonly note: string | null;
  /** The oldest first. */
  readonly history: readonly SeenEvent[];
  /** The artist. */
  readonly user: { readonly full_name: string; readonly studio: SeenStudio };
}

interface SeenEvent {
  readonly by: Actor;
  readonly what: AppointmentEventKind;
}

type SeenStudio = StudioLocation & { readonly time_zone: string };

/**
 * Says what changed, such as "Ana moved this to 7:20 AM." A new version always has words.
 * @returns null when nothing changed, or when the page says it by itself: a deadline passed
 */
export function describeChange(before: SeenAppointment, after: SeenAppointment): string | null {
  const last = after.history.slice(before.history.length).at(-1);
  const sentences = [describeEvent(last, before, after), describeStudio(before, after)];
  const text = sentences.filter((sentence) => sentence !== null).join(' ');
  if (text !== '') return text;
  const isPassedDeadline = last?.what === 'expired' || last?.what === 'offer_lapsed';
  if (isPassedDeadline || before.version === after.version) return null;
  return before.note === after.note
    ? 'This appointment has changed. Please look at it again.'
    : `${after.user.full_name} changed the note.`;
}

/** Says what happened last; null when its words are not known. */
function describeEvent(
  last: SeenEvent | undefined,
  before: SeenAppointment,
  { start, user }: SeenAppointment,
): string | null {
  const artist = user.full_name;
  const isByArtist = last?.by === 'artist';
  const time = formatNewTime(before.start, start, user.studio.time_zone);
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

/** Says that the studio has another address or time zone: the history does not. */
function describeStudio(before: SeenAppointment, after: SeenAppointment): string | null {
  const change = compareStudios(before.user.studio, after.user.studio);
  if (!change.hasNewAddress && !change.hasNewZone) return null;
  const { news } = studioChangeText(change, 'moments');
  return `The studio has ${news}.`;
}

/** With the day, if it differs; null without a new time. */
function formatNewTime(before: string | null, after: string | null, zone: string): string | null {
  if (after === null || after === before) return null;
  const isSameDay = before !== null && localDateAt(zone, before) === localDateAt(zone, after);
  return isSameDay ? formatTime(after, zone) : formatShortDayAndTime(after, zone);
}

/** What happened last to an appointment, without changes of the email. */
export function lastEventKind(
  history: readonly Pick<SeenEvent, 'what'>[],
): AppointmentEventKind | undefined {
  return history.filter(({ what }) => what !== 'email_changed').at(-1)?.what;
}

/** Whether the last thing that happened to a request is that its offer ended. */
export function hasLapsedOffer({
  status,
  history,
}: {
  readonly status: AppointmentStatus;
  readonly history: readonly Pick<SeenEvent, 'what'>[];
}): boolean {
  if (status !== 'requested') return false;
  const last = lastEventKind(history);
  // A lapse may be read before it is in the history.
  return last === 'offer_lapsed' || last === 'offered' || last === 'moved';
}
