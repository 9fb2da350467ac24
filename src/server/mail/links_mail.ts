import type { LinkedStatus } from '#domain/appointment_links.ts';
import { formatTimeWithZone } from '#domain/format_time_with_zone.ts';
import type { LinkedAppointment, LinksMailData } from '#domain/mail.ts';
import { timeDetails } from './appointment_details.ts';
import { appointmentLink, shownPicture } from './client_mail.ts';
import { commonGreeting, greeting } from './greeting.ts';
import type { ContentBlock, MailContent, MailOptions } from './mail_content.ts';

/**
 * The content of a mail with the links of a client's appointments with one artist. Anyone can type
 * anyone's address, so it has no text that a client typed but a first name, if it is the same in all.
 */
export function createLinksMail(
  siteUrl: string,
  { artist, appointments }: LinksMailData,
  options: MailOptions,
): MailContent {
  const { mailTokenOf, shownArtistEmail } = options;
  const greetings = appointments.map(({ appointment }) => greeting(appointment.client.name, false));
  return {
    subject: `Your appointments with ${artist.name}`,
    replyTo: shownArtistEmail,
    picture: shownPicture(artist.name, options),
    blocks: [
      { text: commonGreeting(greetings) },
      {
        text: `Someone, hopefully you, asked for the links of your appointments with ${artist.name}.`,
      },
      ...appointments.flatMap(({ status, appointment }): ContentBlock[] => [
        { details: [['Status', [statusText(status, appointment)]], ...timeDetails(appointment)] },
        { button: BUTTONS[status], link: appointmentLink(siteUrl, appointment, mailTokenOf) },
      ]),
      { text: 'If it was not you, ignore this mail: nothing has changed.' },
    ],
  };
}

const BUTTONS: Record<LinkedStatus, string> = {
  requested: 'See Your Request',
  held: 'Confirm Appointment',
  offered: 'Confirm Appointment',
  confirmed: 'See Your Appointment',
  past: 'See Your Appointment',
  declined: 'See Your Request',
  cancelled: 'See Your Appointment',
};

function statusText(
  status: LinkedStatus,
  { expiresAt, isReserved, studio }: LinkedAppointment['appointment'],
): string {
  switch (status) {
    case 'requested':
      return 'Requested';
    case 'held':
    case 'offered':
      return expiresAt === null || !isReserved
        ? 'Not confirmed yet'
        : `Not confirmed yet; kept for you until ${formatTimeWithZone(expiresAt, studio.time_zone)}`;
    case 'confirmed':
      return 'Booked';
    case 'past':
      return 'Past';
    case 'declined':
      return 'Declined';
    case 'cancelled':
      return 'Cancelled';
  }
}
