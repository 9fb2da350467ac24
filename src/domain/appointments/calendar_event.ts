/** An appointment as an event in the calendars of the client and the artist: links, addresses, ICS files. */
import { withoutLinks } from '../text/link_text.ts';
import { toOneLine } from '../text/one_line.ts';
import { toExclusiveEnd } from '../time/format_time.ts';
import type { Instant } from '../time/time.ts';

/** The name and the postal address of a studio. */
export interface StudioAddress {
  readonly name: string;
  readonly address_one: string;
  readonly address_two: string | null;
  readonly city: string;
  readonly state: string;
  readonly zip_code: string;
}

/** An appointment as an event in a calendar. */
export interface CalendarEvent {
  readonly title: string;
  readonly description: string;
  readonly location: string;
  readonly start: Instant;
  /** Excluded. */
  readonly end: Instant;
  /** Where the owner of the calendar sees and changes the appointment; null without such a page. */
  readonly url: string | null;
}

/**
 * The address of an appointment's page, for mails and calendars. It has no username, because the
 * artist may change theirs: it redirects to the page.
 * @param siteUrl without a trailing slash
 */
export function confirmationUrl(siteUrl: string, appointmentId: string): string {
  return `${siteUrl}/confirmation/${appointmentId}`;
}

/** Converts an appointment to an event. `start` and `end` are RFC 3339; `end` is the last minute, included. */
export function toCalendarEvent(
  {
    start,
    end,
    url,
  }: { readonly start: string; readonly end: string; readonly url: string | null },
  studio: StudioAddress,
): CalendarEvent {
  return {
    title: 'Tattoo Appointment',
    description: `Tattoo appointment at ${studio.name}.`,
    location: [studio.name, ...formatAddressLines(studio)].join(', '),
    start: Date.parse(start),
    end: toExclusiveEnd(end),
    url,
  };
}

/** The lines of a postal address, without the studio's name. */
export function formatAddressLines(studio: StudioAddress): string[] {
  return [
    studio.address_one,
    studio.address_two ?? '',
    `${studio.city}, ${studio.state} ${studio.zip_code}`,
  ].filter((line) => line !== '');
}

/** The studio on a map, for any device. */
export function studioMapUrl(studio: StudioAddress): string {
  const address = formatAddressLines(studio).join(', ');
  return `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(address)}`;
}

/** Whose calendar an entry is for: each has its own entry of an appointment. */
export type CalendarOwner = 'client' | 'artist';

/**
 * The UID of an appointment in calendar files. It never changes, so a newer file replaces the event.
 * It is a hash because calendars show UIDs to others, and anyone who knows the appointment's id can
 * confirm the appointment.
 */
export async function calendarUid(
  appointmentId: string,
  owner: CalendarOwner = 'client',
): Promise<string> {
  const prefix = owner === 'client' ? 'calendar entry of' : 'artist’s calendar entry of';
  const bytes = new TextEncoder().encode(`${prefix} ${appointmentId.toLowerCase()}`);
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'));
  return `${hex.join('')}@linework`;
}

/** An organizer or attendee. */
export interface CalendarPerson {
  readonly name: string;
  readonly email: string;
}

/** The emails that a calendar file may name as its organizer. */
export interface Organizers {
  /** The organizer of a first file for an appointment. */
  readonly current: string;
  /** The address of our mails. */
  readonly senderEmail: string;
}

/** The fields by which a calendar file replaces an earlier one of the same appointment. */
interface CalendarIdentity {
  readonly uid: string;
  /** The appointment's version. */
  readonly sequence: number;
  /** Null while the artist's email is not proven. */
  readonly organizer: CalendarPerson | null;
}

/** Names the program that wrote a calendar file, on every site. */
const PRODUCT_ID = '-//Linework//Linework//EN';

/**
 * URLs that the package `ics` takes: it writes no file at all with one of another host, such as an
 * IPv6 address or a name with an underscore, or with a port of one digit.
 */
const ICS_URL = /^https?:\/\/[a-z\d]+(?:(?:\.|-+)[a-z\d]+)*(?::\d{2,5})?\//i;

/**
 * The fields that all calendar files of an appointment have, as the package `ics` takes them: the file
 * of the confirmation page and the mailed ones must not differ in them.
 */
export function toIcsFields(
  { url, ...event }: CalendarEvent,
  { organizer, ...identity }: CalendarIdentity,
) {
  const inUtc = 'utc' as const;
  return {
    ...event,
    productId: PRODUCT_ID,
    ...(url !== null && ICS_URL.test(url) && { url }),
    startInputType: inUtc,
    endInputType: inUtc,
    startOutputType: inUtc,
    endOutputType: inUtc,
    ...identity,
    ...(organizer && { organizer: toIcsPerson(organizer) }),
  };
}

/**
 * A person as an iCalendar parameter, which cannot contain double quotes (RFC 5545, 3.2). The email is in
 * a URI, whose query or fragment would begin in it.
 */
export function toIcsPerson({ name, email }: CalendarPerson): { name: string; email: string } {
  return {
    name: toOneLine(withoutLinks(name)).replaceAll('"', "'"),
    email: email.replace(/[%?#^`{|}]/g, (sign) => encodeURIComponent(sign)),
  };
}

/** RFC 5545, 3.1: in bytes of UTF-8, without the line break. */
const MAX_LINE_OCTETS = 75;

/**
 * Folds all lines of a calendar file at 75 octets, never inside a character. The package `ics` counts
 * characters, and leaves URLs as long as they are.
 */
export function foldIcsLines(content: string): string {
  const lines = content.replaceAll(/\r\n[ \t]/g, '').split('\r\n');
  return lines.map(foldLine).join('\r\n');
}

function foldLine(line: string): string {
  const encoder = new TextEncoder();
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (octets + size > MAX_LINE_OCTETS) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}
