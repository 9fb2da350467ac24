import type { LinkedStatus } from '#domain/appointments/appointment_links.ts';
import type { LinkedAppointment, LinksMailData } from '#domain/mail/mail.ts';
import { formatTimeWithZone } from '#domain/time/format_time_with_zone.ts';
import { timeDetails } from './appointment_details.ts';
import { appointmentLink, shownPicture } from './client_mail.ts';
import { commonGreeting, greeting } from './greeting.ts';
import {
  type ContentBlock,
  type MailContent,
  type MailOptions,
  type Site,
  toBlocks,
} from './mail_content.ts';

/**
 * The content of a mail with the links of a client's appointments with one artist. Anyone can type
 * anyone's address, so it has no text that a client typed but a first name, if it is the same in all.
 */
export function createLinksMail(
  site: Site,
  { artist, appointments }: LinksMailData,
  options: MailOptions,
): MailContent {
  const { mailTokenOf, shownArtistEmail } = options;
  const greetings = appointments.map(({ appointment }) =>
    greeting(appointment.client.name, { isTrusted: false }),
  );
  return {
    subject: `Your appointments with ${artist.name}`,
    replyTo: shownArtistEmail,
    picture: shownPicture(site, artist.name, options),
    blocks: toBlocks([
      commonGreeting(greetings),
      `Someone, hopefully you, asked for the links of your appointments with ${artist.name}.`,
      ...appointments.flatMap((linked): ContentBlock[] => {
        const { status, appointment } = linked;
        const [, button] = LABELS[status];
        return [
          { details: [['Status', [statusText(linked)]], ...timeDetails(appointment)] },
          { button, link: appointmentLink(site.siteUrl, appointment, mailTokenOf) },
        ];
      }),
      'If it was not you, ignore this mail: nothing has changed.',
    ]),
  };
}

/** The status in words, and the label of the link. */
const LABELS: Readonly<Record<LinkedStatus, readonly [status: string, button: string]>> = {
  requested: ['Requested', 'See Your Request'],
  held: ['Not confirmed yet', 'Confirm Appointment'],
  offered: ['Not confirmed yet', 'Confirm Appointment'],
  confirmed: ['Booked', 'See Your Appointment'],
  past: ['Past', 'See Your Appointment'],
  declined: ['Declined', 'See Your Request'],
  cancelled: ['Cancelled', 'See Your Appointment'],
};

function statusText({ status, appointment }: LinkedAppointment): string {
  const { expiresAt, isReserved, studio } = appointment;
  const [text] = LABELS[status];
  const isWaiting = status === 'held' || status === 'offered';
  return isWaiting && isReserved && expiresAt !== null
    ? `${text}; kept for you until ${formatTimeWithZone(expiresAt, studio.time_zone)}`
    : text;
}
