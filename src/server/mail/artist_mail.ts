import type { AppointmentSnapshot, ArtistMailKind } from '#domain/mail/mail.ts';
import { nameOrEmail, shownEmail } from '#domain/text/link_text.ts';
import { formatStart, tattooDetails, timeDetails } from './appointment_details.ts';
import { greeting } from './greeting.ts';
import type { MailContent, MailOptions } from './mail_content.ts';

const NO_TIME = 'no time set';

/**
 * The content of a mail to an artist about an appointment. Until the artist's email is proven it may
 * be a stranger's, so the mail has nothing that the client typed, and no name.
 */
export function createArtistMail(
  siteUrl: string,
  kind: ArtistMailKind,
  appointment: AppointmentSnapshot,
  { isArtistProven }: Pick<MailOptions, 'isArtistProven'>,
): MailContent {
  const { id, artist } = appointment;
  const nobody = { name: null, email: null, phone: null };
  const client = isArtistProven ? appointment.client : nobody;
  const wishes = isArtistProven ? appointment.wishes : null;
  // Otherwise the note is the artist's own.
  const isFromClient = appointment.by === 'client' && kind !== 'new_booking';
  const note = isArtistProven && isFromClient ? appointment.note : null;
  // The service and the design are named by the artist, who may have signed up with this address.
  const shown = isArtistProven ? appointment : { ...appointment, service: null, design: null };
  const email = client.email && shownEmail(client.email);
  const clientName = nameOrEmail(client);
  const [subject, opening, button] = TEXTS[kind](clientName, formatStart(appointment));
  const contactLines = [client.name, email, client.phone].filter((line) => line !== null);
  return {
    subject,
    replyTo: client.email,
    blocks: [
      { text: greeting(isArtistProven ? artist.name : null, { isTrusted: true }) },
      { text: opening },
      ...(note === null ? [] : [{ quote: note, by: `${clientName} wrote` }]),
      { button, link: `${siteUrl}/studio/appointments?id=${id}` },
      {
        details: [
          ...timeDetails(shown),
          ...tattooDetails(appointment),
          ...(contactLines.length ? [['Client', contactLines] as const] : []),
        ],
      },
      ...(wishes === null
        ? []
        : [{ quote: wishes, by: `${clientName} wrote${note === null ? '' : ' earlier'}` }]),
      ...(client.email === null ? [] : [{ text: `An answer to this mail goes to ${clientName}.` }]),
    ],
  };
}

type Texts = readonly [subject: string, opening: string, button: string];

/** The texts about a client, and the start of the appointment; it is null when the appointment has no time. */
const TEXTS: Readonly<Record<ArtistMailKind, (name: string, start: string | null) => Texts>> = {
  new_request: (name) => [
    `New request from ${name}`,
    `${name} asks for an appointment. Offer a time, or decline, in your studio.`,
    'Open the Request',
  ],
  new_booking: (name, start) => [
    `New booking: ${start ?? NO_TIME}, ${name}`,
    `${name} has booked a time with you.`,
    'Open the Appointment',
  ],
  offer_lapsed: (name, start) => [
    `Not confirmed: ${start ?? NO_TIME}, ${name}`,
    `${name} did not confirm the time that you offered. It is free for others again, and the request is still open; you can offer another time.`,
    'Open the Request',
  ],
  offer_declined: (name, start) => [
    `Declined: ${start ?? NO_TIME}, ${name}`,
    `${name} cannot make the time that you offered. It is free for others again, and the request is still open; you can offer another time.`,
    'Open the Request',
  ],
  client_cancelled: (name, start) => [
    `Cancelled: ${start ?? NO_TIME}, ${name}`,
    `${name} has cancelled. ${start === null ? 'The request has ended.' : 'The time is free for others again.'}`,
    'Open the Appointment',
  ],
  client_moved: (name, start) => [
    `Moved: ${start ?? NO_TIME}, ${name}`,
    `${name} has moved the appointment to another listed time. The earlier time is free for others again.`,
    'Open the Appointment',
  ],
};
