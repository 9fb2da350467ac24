import { createEvent } from 'ics';
import { calendarUid, toCalendarEvent } from '#domain/calendar_event.ts';
import type { AppointmentSnapshot, MailKind } from '#domain/mail.ts';
import { MINUTE_MS, toRfc3339 } from '#domain/time.ts';
import type { CalendarAttachment } from './mailer.ts';
import { toOneLine } from './nodemailer_message.ts';

/**
 * What a notice changes in the client's calendar: an entry made or replaced, or taken out again if
 * it was ever there (RFC 5546, 3.2.2 and 3.2.5). Undefined when it changes nothing.
 */
export async function createCalendarAttachment(
  kind: MailKind,
  appointment: AppointmentSnapshot,
): Promise<CalendarAttachment | undefined> {
  const { artist, client, time, wasBooked } = appointment;
  const isKept = kind === 'booked' || kind === 'moved';
  const isTakenOut = kind === 'cancelled' && wasBooked;
  if (time === null || client.email === null || !(isKept || isTakenOut)) return undefined;
  const method = isKept ? 'REQUEST' : 'CANCEL';
  const end = toRfc3339(time.end - MINUTE_MS);
  const { error, value } = createEvent({
    ...toCalendarEvent(toRfc3339(time.start), end, appointment.studio),
    startInputType: 'utc',
    endInputType: 'utc',
    startOutputType: 'utc',
    endOutputType: 'utc',
    // The file on the confirmation page has the same one.
    uid: await calendarUid(appointment.id),
    sequence: appointment.version,
    method,
    status: isKept ? 'CONFIRMED' : 'CANCELLED',
    busyStatus: isKept ? 'BUSY' : 'FREE',
    organizer: { name: withoutQuotes(artist.name), email: artist.email },
    attendees: [
      {
        name: withoutQuotes(client.name ?? client.email),
        email: client.email,
        role: 'REQ-PARTICIPANT',
        partstat: 'ACCEPTED',
        rsvp: false,
      },
    ],
  });
  if (value === null) throw new Error('The calendar file could not be written', { cause: error });
  return { method, content: value };
}

/** A name as a parameter may have it (RFC 5545, 3.2): there is no way to write its quotes. */
function withoutQuotes(name: string): string {
  return toOneLine(name).replaceAll('"', "'");
}
