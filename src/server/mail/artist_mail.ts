import type { AppointmentSnapshot, ArtistMailKind } from '#domain/mail.ts';
import { formatShortTime, tattooDetails, timeDetails } from './appointment_details.ts';
import type { MailContent } from './mail_content.ts';

/** What an artist reads of an appointment. */
export function createArtistMail(
  siteUrl: string,
  kind: ArtistMailKind,
  appointment: AppointmentSnapshot,
): MailContent {
  const { id, artist, client, wishes } = appointment;
  const who = client.name ?? client.email ?? 'A client';
  const { subject, opening, button } = textsFor(kind, who, formatShortTime(appointment));
  const reach = [client.name, client.email, client.phone].filter((line) => line !== null);
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
          ...(reach.length ? [['Client', reach] as const] : []),
        ],
      },
      ...(wishes === null ? [] : [{ quote: wishes, by: `${who} wrote` }]),
      { button, link: `${siteUrl}/studio/appointments?id=${id}` },
      ...(client.email === null ? [] : [{ text: `An answer to this mail goes to ${who}.` }]),
    ],
  };
}

function textsFor(kind: ArtistMailKind, who: string, when: string | null) {
  const time = when ?? 'no time set';
  switch (kind) {
    case 'new_request':
      return {
        subject: `New request from ${who}`,
        opening: `${who} asks for an appointment. Offer a time, or decline, in your studio.`,
        button: 'Open the Request',
      };
    case 'new_booking':
      return {
        subject: `New booking: ${time}, ${who}`,
        opening: `${who} has booked a time with you.`,
        button: 'Open the Appointment',
      };
    case 'offer_lapsed':
      return {
        subject: `Not confirmed: ${time}, ${who}`,
        opening: `${who} did not confirm the time that you offered. It is free for others again; you can offer another one.`,
        button: 'Open the Appointment',
      };
  }
}
