/** Texts about changes of an appointment while its client has the page open. */

import { compareStudios, type StudioLocation, studioChangeText } from '../studio/studio_change.ts';
import { type DateConventions, US_CONVENTIONS } from '../time/date_conventions.ts';
import {
  formatDayWithYear,
  formatShortDayAndTime,
  formatTime,
  localDateAt,
} from '../time/format_time.ts';
import { timeZoneCity } from '../time/time_zone.ts';
import type { Actor, AppointmentEventKind, AppointmentStatus } from './appointment.ts';

/** An appointment as its client has seen it. */
export interface SeenAppointment {
  readonly status: AppointmentStatus;
  /** Grows with each change that somebody makes; a passed deadline changes only the status. */
  readonly version: number;
  /** RFC 3339; null without a time. */
  readonly start: string | null;
  readonly note: string | null;
  /** The oldest first. */
  readonly history: readonly SeenEvent[];
  readonly user: { readonly full_name: string; readonly studio: SeenStudio };
}

interface SeenEvent {
  readonly by: Actor;
  readonly what: AppointmentEventKind;
}

type SeenStudio = StudioLocation & { readonly time_zone: string };

/**
 * Describes the changes, such as "Ana moved this to 7:20 AM.", the time first.
 * @returns null only when nothing changed, or when the page itself shows the last event: a deadline
 *   passed. Every other new version has words
 */
export function describeChange(
  before: SeenAppointment,
  after: SeenAppointment,
  conventions = US_CONVENTIONS,
): string | null {
  const events = after.history.slice(before.history.length);
  const sentences = [
    describeTime(events, before, after, conventions),
    describeLast(events, after.user.full_name),
    describeStudio(before, after, conventions),
  ];
  const text = sentences.filter((sentence) => sentence !== null).join(' ');
  if (text !== '') return text;
  const last = lastEventKind(events);
  if (last === 'expired' || last === 'offer_lapsed') return null;
  const hasNewVersion = before.version !== after.version;
  if (hasNewVersion && before.note !== after.note)
    return `${after.user.full_name} changed the note.`;
  if (events.some(({ what }) => what === 'edited'))
    return `${after.user.full_name} changed the details.`;
  // Only the email was changed: all events are edits, and `edited` has returned above.
  if (last === undefined && events.length > 0) return 'The email of this appointment was changed.';
  return hasNewVersion ? 'This appointment has changed. Please look at it again.' : null;
}

/** Names a new time; null without one, and when the appointment takes place at no time. */
function describeTime(
  events: readonly SeenEvent[],
  before: SeenAppointment,
  after: SeenAppointment,
  conventions: DateConventions,
): string | null {
  const time = formatNewTime(before, after, conventions);
  if (time === null || isCancelledOrDeclined(after)) return null;
  const artist = after.user.full_name;
  const event = events.findLast(({ what }) => what === 'moved' || what === 'offered');
  if (event?.what === 'offered') return `${artist} offers you ${time}.`;
  if (event?.what === 'moved')
    return `${event.by === 'artist' ? `${artist} moved this` : 'This was moved'} to ${time}.`;
  // Without an event in the history: the client's history leaves out some.
  return before.start === null ? null : `The time is now ${time}.`;
}

/** Describes the last event, if it is not a new time; null when its words are not known. */
function describeLast(events: readonly SeenEvent[], artist: string): string | null {
  const last = withoutEdits(events).at(-1);
  switch (last?.what) {
    case 'cancelled':
      return last.by === 'artist' ? `${artist} cancelled this.` : 'This was cancelled already.';
    case 'released':
      return 'This time was given up already.';
    case 'declined':
      return `${artist} declined this.`;
    case 'offer_declined':
      return 'This offer was declined already.';
    case 'confirmed':
      return 'This was confirmed already.';
    default:
      return null;
  }
}

/** Says that the studio has another address or time zone: the history does not. */
function describeStudio(
  before: SeenAppointment,
  after: SeenAppointment,
  conventions: DateConventions,
): string | null {
  const change = compareStudios(before.user.studio, after.user.studio);
  if (!change.hasNewAddress && !change.hasNewZone) return null;
  // The kind of change ('moments') does not matter for `news`.
  const news = `The studio has ${studioChangeText(change, 'moments').news}.`;
  if (after.start === null || isCancelledOrDeclined(after) || !hasKeptClockTime(before, after))
    return news;
  const zone = after.user.studio.time_zone;
  const day = formatDayWithYear(after.start, zone, conventions);
  const time = formatTime(after.start, zone, conventions);
  return `${news} The time is ${day} at ${time} (${timeZoneCity(zone)}).`;
}

/** With the day, if the client saw another one; null without a time that is new on the clock. */
function formatNewTime(
  before: SeenAppointment,
  after: SeenAppointment,
  conventions: DateConventions,
): string | null {
  const { start } = after;
  const zone = after.user.studio.time_zone;
  if (start === null || start === before.start || hasKeptClockTime(before, after)) return null;
  return before.start !== null &&
    localDateAt(before.user.studio.time_zone, before.start) === localDateAt(zone, start)
    ? formatTime(start, zone, conventions)
    : formatShortDayAndTime(start, zone, conventions);
}

/** Whether the studio's new time zone has the same day and clock time for another moment. */
function hasKeptClockTime(before: SeenAppointment, after: SeenAppointment): boolean {
  const clockTime = ({ start, user }: SeenAppointment) =>
    start && formatShortDayAndTime(start, user.studio.time_zone);
  return (
    before.user.studio.time_zone !== after.user.studio.time_zone &&
    before.start !== after.start &&
    clockTime(before) === clockTime(after)
  );
}

function isCancelledOrDeclined({ status }: SeenAppointment): boolean {
  return status === 'cancelled' || status === 'declined';
}

/** The last event of an appointment, except changes of the email or the details. */
export function lastEventKind(
  history: readonly Pick<SeenEvent, 'what'>[],
): AppointmentEventKind | undefined {
  return withoutEdits(history).at(-1)?.what;
}

function withoutEdits<Event extends Pick<SeenEvent, 'what'>>(history: readonly Event[]): Event[] {
  return history.filter(({ what }) => what !== 'email_changed' && what !== 'edited');
}

/** Whether an event may give an appointment with a time another one. */
export function isNewTime(what: AppointmentEventKind): boolean {
  return ['moved', 'rules_changed', 'zone_changed', 'change_undone'].includes(what);
}

/** Whether the last thing that happened to a request is that its offer ended. */
export function hasExpiredOffer(request: {
  readonly status: AppointmentStatus;
  readonly history: readonly Pick<SeenEvent, 'what'>[];
}): boolean {
  if (request.status !== 'requested') return false;
  const last = lastEventKind(request.history);
  // Until a passed deadline is in the history, the offer or its last new time is the last event.
  return last === 'offer_lapsed' || last === 'offered' || (last !== undefined && isNewTime(last));
}
