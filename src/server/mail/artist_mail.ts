import type { AppointmentSnapshot, ArtistMailKind } from '#domain/mail.ts';
import { formatStart, tattooDetails, timeDetails } from './appointment_details.ts';
import type { MailContent } from './mail_content.ts';

/** The content of a mail to an artist about an appointment. */
export function createArtistMail(
  siteUrl: string,
  kind: ArtistMailKind,
  appointment: AppointmentSnapshot,
): MailContent {
  const { id, artist, client, wishes } = appointment;
  const clientName = client.name ?? client.email ?? 'A client';
  const { subject, opening, button } = createTexts(kind, clientName, formatStart(appointment));
  const contactLines = [client.name, client.email, client.phone].filter((line) => line !== null);
  return {
    subject,
    replyTo: client.email,
    blocks: [
      { text: `Hi ${artist.name},` },
      { text: opening },
      {
        details: [
          ...timeDetails(appointment),
          ...tattooDetails(appointment),
          ...(contactLines.length ? [['Client', contactLines] as const] : []),
        ],
      },
      ...(wishes === null ? [] : [{ quote: wishes, by: `${clientName} wrote` }]),
      { button, link: `${siteUrl}/studio/appointments?id=${id}` },
      ...(client.email === null ? [] : [{ text: `An answer to this mail goes to ${clientName}.` }]),
    ],
  };
}

/** @param start the formatted start; null when the appointment has no time */
function createTexts(kind: ArtistMailKind, clientName: string, start: string | null) {
  const time = start ?? 'no time set';
  switch (kind) {
    case 'new_request':
      return {
        subject: `New request from ${clientName}`,
        opening: `${clientName} asks for an appointment. Offer a time, or decline, in your studio.`,
        button: 'Open the Request',
      };
    case 'new_booking':
      return {
        subject: `New booking: ${time}, ${clientName}`,
        opening: `${clientName} has booked a time with you.`,
        button: 'Open the Appointment',
      };
    case 'offer_lapsed':
      return {
        subject: `Not confirmed: ${time}, ${clientName}`,
        opening: `${clientName} did not confirm the time that you offered. It is free for others again; you can offer another one.`,
        button: 'Open the Appointment',
      };
  }
}
