import { createEvent } from 'ics';
import { calendarUid, toCalendarEvent } from '#domain/calendar_event.ts';
import type { AppointmentSnapshot, MailKind } from '#domain/mail.ts';
import { MINUTE_MS, toRfc3339 } from '#domain/time.ts';
import type { NoticeTrust } from './mail_content.ts';
import type { CalendarAttachment } from './mailer.ts';
import { toOneLine } from './nodemailer_message.ts';

/**
 * Creates a file that adds, replaces or removes the appointment in the client's calendar
 * (RFC 5546, 3.2.2 and 3.2.5); undefined for a mail that does not change the calendar. A file needs
 * an organizer, so there is none while the artist's email is not proven.
 */
export async function createCalendarAttachment(
  kind: MailKind,
  appointment: AppointmentSnapshot,
  { provenArtistEmail, isAppointmentProven }: NoticeTrust,
): Promise<CalendarAttachment | undefined> {
  const { artist, client, time, wasBooked } = appointment;
  const isBooked = kind === 'booked' || kind === 'moved';
  // Only booked appointments are in the client's calendar.
  const isCancelled = kind === 'cancelled' && wasBooked;
  if (time === null || client.email === null || provenArtistEmail === null) return undefined;
  if (!(isBooked || isCancelled)) return undefined;
  const method = isBooked ? 'REQUEST' : 'CANCEL';
  // `toCalendarEvent` expects the appointment's last minute; `time.end` is the instant after it.
  const end = toRfc3339(time.end - MINUTE_MS);
  const { error, value } = createEvent({
    ...toCalendarEvent(toRfc3339(time.start), end, appointment.studio),
    startInputType: 'utc',
    endInputType: 'utc',
    startOutputType: 'utc',
    endOutputType: 'utc',
    // The same as in the calendar file of the confirmation page, to prevent duplicates.
    uid: await calendarUid(appointment.id),
    sequence: appointment.version,
    method,
    status: isBooked ? 'CONFIRMED' : 'CANCELLED',
    busyStatus: isBooked ? 'BUSY' : 'FREE',
    organizer: { name: toParameterValue(artist.name), email: provenArtistEmail },
    attendees: [
      {
        name: toParameterValue((isAppointmentProven ? client.name : null) ?? client.email),
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

/** iCalendar parameters cannot contain double quotes (RFC 5545, 3.2). */
function toParameterValue(name: string): string {
  return toOneLine(name).replaceAll('"', "'");
}
