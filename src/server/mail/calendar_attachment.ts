import { createEvent } from 'ics';
import {
  type CalendarEvent,
  type CalendarOwner,
  type CalendarPerson,
  calendarUid,
  confirmationUrl,
  foldIcsLines,
  type Organizers,
  toCalendarEvent,
  toIcsFields,
  toIcsPerson,
} from '#domain/appointments/calendar_event.ts';
import {
  type AppointmentSnapshot,
  type ArtistMailKind,
  type ClientMailKind,
  isClientMailKind,
} from '#domain/mail/mail.ts';
import { nameOrEmail } from '#domain/text/link_text.ts';
import { toOneLine } from '#domain/text/one_line.ts';
import { MINUTE_MS, toRfc3339 } from '#domain/time/time.ts';
import type { NoticeTrust, Site } from './mail_content.ts';
import type { CalendarAttachment } from './mailer.ts';

/** The effect of a mail on the recipient's calendar. Other kinds of mails have none. */
const EFFECTS: Partial<
  Record<ClientMailKind | ArtistMailKind, 'set' | 'set if missing' | 'remove'>
> = {
  booked: 'set',
  moved: 'set',
  // The recipient may have a new address.
  reminder: 'set if missing',
  cancelled: 'remove',
  new_booking: 'set',
  client_moved: 'set',
  client_cancelled: 'remove',
};

/** The calendar entry to which earlier mails belong. */
export interface EarlierEntry {
  /** Whether an earlier mail brought the entry to this address: only then it can be removed. */
  readonly isInCalendar: boolean;
  /** Returns the email that all files of an entry name; undefined when the appointment is deleted. */
  readonly keepOrganizer: (
    appointmentId: string,
    owner: CalendarOwner,
    organizers: Organizers,
  ) => Promise<string | undefined>;
}

interface CalendarOptions extends EarlierEntry {
  readonly trust: NoticeTrust;
}

/**
 * Creates a file that adds, replaces or removes the appointment in the recipient's calendar (RFC 5546,
 * 3.2.2 and 3.2.5); undefined for a mail that does not change the calendar. There is none while the
 * artist's email is not proven, because a file names an organizer.
 */
export async function createCalendarAttachment(
  site: Site,
  kind: ClientMailKind | ArtistMailKind,
  appointment: AppointmentSnapshot,
  { trust, isInCalendar, keepOrganizer }: CalendarOptions,
): Promise<CalendarAttachment | undefined> {
  const { time } = appointment;
  const effect = EFFECTS[kind];
  if (time === null || effect === undefined) return undefined;
  const isSetAlready = effect === 'set if missing' && isInCalendar;
  const isMissing = effect === 'remove' && !isInCalendar;
  if (isSetAlready || isMissing) return undefined;
  const entry = isClientMailKind(kind)
    ? toClientEntry(site, appointment, trust)
    : toArtistEntry(site, appointment, trust);
  if (entry === null) return undefined;
  const { owner, organizer } = entry;
  const { senderEmail } = site;
  // The organizer that earlier files named; empty for the address of our mails.
  const named = appointment.organizers?.[owner];
  const current = named === '' ? senderEmail : (named ?? organizer.email);
  const email = await keepOrganizer(appointment.id, owner, { current, senderEmail });
  const isRemoved = effect === 'remove';
  const method = isRemoved ? 'CANCEL' : 'REQUEST';
  const { error, value } = createEvent({
    ...toIcsFields(toEvent(appointment, time, entry), {
      uid: await calendarUid(appointment.id, owner),
      sequence: appointment.version,
      organizer: { ...organizer, email: email ?? current },
    }),
    method,
    status: isRemoved ? 'CANCELLED' : 'CONFIRMED',
    busyStatus: isRemoved ? 'FREE' : 'BUSY',
    attendees: [
      {
        ...toIcsPerson(entry.attendee),
        role: 'REQ-PARTICIPANT',
        partstat: 'ACCEPTED',
        rsvp: false,
      },
    ],
  });
  if (value === null) throw new Error('The calendar file could not be written', { cause: error });
  return { method, content: foldIcsLines(value) };
}

interface Entry {
  readonly title?: string;
  readonly description?: string;
  readonly url: string | null;
  readonly owner: CalendarOwner;
  readonly organizer: CalendarPerson;
  readonly attendee: CalendarPerson;
}

function toClientEntry(
  { siteUrl, senderEmail }: Site,
  { id, artist, client, isGone }: AppointmentSnapshot,
  { shownArtistEmail, isArtistProven, isAppointmentProven }: NoticeTrust,
): Entry | null {
  if (client.email === null || !isArtistProven) return null;
  // Only its organizer can remove an entry, also after the account is deleted. An entry needs one.
  const organizerEmail = (isGone ? artist.publicEmail : shownArtistEmail) ?? senderEmail;
  return {
    owner: 'client',
    // `isGone`: it was deleted with the artist's account, so it has no page.
    url: isGone ? null : confirmationUrl(siteUrl, id),
    organizer: { name: artist.name, email: organizerEmail },
    attendee: {
      name: (isAppointmentProven ? client.name : null) ?? client.email,
      email: client.email,
    },
  };
}

/**
 * The entry in the artist's own calendar. We are its organizer: calendar programs ignore an invitation
 * from someone to themselves.
 */
function toArtistEntry(
  { productName, siteUrl, senderEmail }: Site,
  { id, artist, client, service, design }: AppointmentSnapshot,
  { isArtistProven }: NoticeTrust,
): Entry | null {
  if (!isArtistProven) return null;
  const what = [service, design].filter((name) => name !== null).join(', ');
  const who = nameOrEmail(client);
  return {
    owner: 'artist',
    url: null,
    title: toOneLine(`${who}: ${what || 'tattoo appointment'}`),
    description: `${siteUrl}/studio/appointments?id=${id}`,
    organizer: { name: productName, email: senderEmail },
    attendee: { name: artist.name, email: artist.email },
  };
}

function toEvent(
  { studio }: AppointmentSnapshot,
  { start, end }: NonNullable<AppointmentSnapshot['time']>,
  { title, description, url }: Entry,
): CalendarEvent {
  // `toCalendarEvent` expects the appointment's last minute; `end` is the instant after it.
  const lastMinute = toRfc3339(end - MINUTE_MS);
  const event = toCalendarEvent({ start: toRfc3339(start), end: lastMinute, url }, studio);
  return { ...event, title: title ?? event.title, description: description ?? event.description };
}
