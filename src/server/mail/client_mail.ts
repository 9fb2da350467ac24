import { confirmationUrl, formatAddressLines } from '#domain/calendar_event.ts';
import { formatTimeWithZone } from '#domain/format_time_with_zone.ts';
import type { AppointmentSnapshot, ClientMailKind } from '#domain/mail.ts';
import { studioChangeText } from '#domain/studio_change.ts';
import { formatStart, termsDetails, timeDetails } from './appointment_details.ts';
import { greeting } from './greeting.ts';
import type {
  ContentBlock,
  MailContent,
  MailOptions,
  MailPicture,
  NoticeTrust,
} from './mail_content.ts';

const LINK_IS_SAFE_TEXT =
  'Opening it changes nothing; the time is yours once you press Confirm there.';
/** Stands for the name of an artist whose email is not proven. */
export const NAMELESS_ARTIST = 'your artist';

/**
 * The content of a mail to a client about their appointment. Anyone can type anyone's address: until
 * its owner has used the mailed link of this appointment, the mail has no text that the client typed but
 * their first name. It has the artist's note once they have used any link of this artist.
 */
export function createClientMail(
  siteUrl: string,
  kind: ClientMailKind,
  appointment: AppointmentSnapshot,
  options: MailOptions,
): MailContent {
  const { artist, client, studio, wishes, isGone } = appointment;
  const { isAppointmentProven, shownArtistEmail } = options;
  const texts = createTexts(kind, appointment, options);
  const appointmentUrl = confirmationUrl(siteUrl, appointment.id);
  const provingUrl = appointmentLink(siteUrl, appointment, options.mailTokenOf);
  return {
    subject: texts.subject,
    replyTo: shownArtistEmail,
    picture: shownPicture(artist.name, options),
    blocks: [
      { text: greeting(client.name, isAppointmentProven) },
      ...texts.opening.map((text) => ({ text })),
      ...noteBlocks(kind, appointment, options),
      // `isGone`: it was deleted with the artist's account, so it has no page.
      ...(isGone ? [] : [{ button: texts.button, link: provingUrl }]),
      ...(texts.closing ? [{ text: texts.closing }] : []),
      // With `?artist`, this URL redirects to the artist's public page.
      ...(texts.offersRebooking
        ? [{ button: 'Book Another Time', link: `${appointmentUrl}?artist` }]
        : []),
      {
        details: [
          ...timeDetails(appointment),
          // Words of an artist who has not proven their email are in no mail.
          ...(KINDS_WITH_TERMS.includes(kind) && options.isArtistProven
            ? termsDetails(appointment, options)
            : []),
          ...(KINDS_WITH_PAYMENT.includes(kind)
            ? [['Payment', ['Due at the appointment']] as const]
            : []),
          ...(options.isArtistProven ? [['With', [artist.name]] as const] : []),
          ...(options.isArtistProven
            ? [['Where', [studio.name, ...formatAddressLines(studio)]] as const]
            : []),
        ],
      },
      ...(wishes !== null && isAppointmentProven && kind === 'request_received'
        ? [{ quote: wishes, by: 'You wrote' }]
        : []),
      ...answerBlocks(appointmentUrl, appointment, options),
    ],
  };
}

/** The picture of an artist whose email is proven. */
export function shownPicture(
  name: string,
  { artistPicture, isArtistProven }: NoticeTrust,
): MailPicture | undefined {
  return artistPicture !== null && isArtistProven ? [artistPicture, name] : undefined;
}

/** How the client reaches the artist: by an answer, or by the contact page of who shows no email. */
function answerBlocks(
  appointmentUrl: string,
  { artist, isGone }: AppointmentSnapshot,
  { shownArtistEmail, isArtistProven }: MailOptions,
): ContentBlock[] {
  const question = 'Questions, or a change of plans?';
  if (shownArtistEmail !== null)
    return [{ text: `${question} Answer this mail: it goes to ${artist.name}.` }];
  if (!isArtistProven || isGone) return [];
  return [
    { text: `${question} Write to ${artist.name} here. An answer to this mail is not read.` },
    // With `?contact`, this URL redirects to the artist's contact page.
    { button: `Write to ${artist.name}`, link: `${appointmentUrl}?contact` },
  ];
}

/**
 * The link to an appointment's page. Its token proves that the client reads this mailbox, or that they
 * want the change of the email.
 */
export function appointmentLink(
  siteUrl: string,
  appointment: AppointmentSnapshot,
  mailTokenOf: MailOptions['mailTokenOf'],
): string {
  const url = confirmationUrl(siteUrl, appointment.id);
  const mailToken = mailTokenOf(appointment);
  if (mailToken === null) return url;
  return `${url}?${appointment.newEmail === undefined ? 'mail_token' : 'email_change'}=${mailToken}`;
}

/** The artist's words, or where to read them. */
function noteBlocks(
  kind: ClientMailKind,
  { artist, note, by, isGone }: AppointmentSnapshot,
  { isKnownToArtist, isArtistProven }: MailOptions,
): ContentBlock[] {
  if (note === null || by === 'client') return [];
  if (kind !== 'declined' && kind !== 'cancelled' && kind !== 'offer') return [];
  if (isKnownToArtist && isArtistProven) return [{ quote: note, by: `A note from ${artist.name}` }];
  if (isGone) return [];
  return [
    {
      text: `${isArtistProven ? artist.name : 'Your artist'} left a note for you: you can read it on the page of your appointment.`,
    },
  ];
}

/** The mails that ask the client to confirm, or say that it is booked. */
const KINDS_WITH_TERMS: readonly ClientMailKind[] = ['hold', 'offer', 'booked'];
/** The mails about what is booked. */
const KINDS_WITH_PAYMENT: readonly ClientMailKind[] = ['booked', 'moved', 'reminder'];

interface ClientMailTexts {
  readonly subject: string;
  readonly opening: readonly string[];
  /** The label of the link to the appointment's page. */
  readonly button: string;
  readonly closing?: string;
  readonly offersRebooking?: boolean;
}

function createTexts(
  kind: ClientMailKind,
  appointment: AppointmentSnapshot,
  { isArtistProven }: MailOptions,
): ClientMailTexts {
  const { artist, studio, expiresAt, isReserved, isGone, studioChange } = appointment;
  const request = `Your request to ${artist.name}${studio.name === '' ? '' : ` at ${studio.name}`}`;
  // At the start of a sentence.
  const theArtist = isArtistProven ? artist.name : 'Your artist';
  const isByClient = appointment.by === 'client';
  const whoHas = isByClient ? 'You have' : `${theArtist} has`;
  const when = `${formatStart(appointment) ?? 'your appointment'} with ${artist.name}`;
  const deadline =
    expiresAt === null || !isReserved ? null : formatTimeWithZone(expiresAt, studio.time_zone);
  const confirmTexts = { button: 'Confirm Appointment', closing: LINK_IS_SAFE_TEXT };
  const button = 'See Your Appointment';
  switch (kind) {
    case 'request_received':
      return {
        subject: request,
        opening: [`${theArtist} has your request, and will reach out soon.`],
        button: 'See Your Request',
      };
    // The client chose the time; it is reserved until the deadline to confirm it.
    case 'hold':
      return {
        subject: `Please confirm: ${when}`,
        opening: [
          !isReserved
            ? 'This time is yours once you confirm, if nobody else has taken it by then.'
            : `This time is kept for you${deadline === null ? '' : ` until ${deadline}`}. It is yours once you confirm.`,
        ],
        ...confirmTexts,
      };
    // The artist chose the time; it is reserved until the client's deadline to confirm it.
    case 'offer':
      return {
        subject: `A time for you: ${when}`,
        opening: [
          `${theArtist} offers you this time. It is yours once you confirm.`,
          ...(deadline === null ? [] : [`It is kept for you until ${deadline}.`]),
        ],
        ...confirmTexts,
      };
    case 'booked':
      return {
        subject: `Booked: ${when}`,
        opening: [
          !isArtistProven
            ? "You're booked!"
            : "You're booked! The appointment comes with this mail, for your calendar.",
          'If your plans change, the page of your appointment says what you can do.',
        ],
        button,
      };
    case 'moved':
      if (studioChange) {
        const { title, news, consequence } = studioChangeText(studioChange, studioChange.kept);
        return {
          subject: `${title}: ${when}`,
          opening: [
            `${theArtist}’s studio has ${news}. ${consequence}`,
            !isArtistProven
              ? 'This is when and where it is now.'
              : 'This is when and where it is now; the calendar entry that comes with this mail replaces the earlier one.',
          ],
          button,
        };
      }
      return {
        subject: `Moved: ${when}`,
        opening: [
          !isArtistProven
            ? `${whoHas} moved your appointment. This is when and where it is now.`
            : `${whoHas} moved your appointment. This is when and where it is now; the calendar entry that comes with this mail replaces the earlier one.`,
        ],
        button,
      };
    case 'declined':
      return {
        subject: `${request} was declined`,
        opening: [
          `${theArtist} cannot take this one. You are welcome to ask for another appointment.`,
        ],
        button: 'See Your Request',
      };
    case 'cancelled':
      // A request has no time that could have been kept.
      if (appointment.time === null)
        return {
          subject: isGone ? `${request} has ended` : `${request} was cancelled`,
          opening: [
            isGone
              ? `${theArtist} no longer takes requests here, so your request has ended.`
              : `${theArtist} cancelled your request. You are welcome to send another.`,
          ],
          button: 'See Your Request',
        };
      return {
        subject: `Cancelled: ${when}`,
        opening: [
          isGone
            ? 'This appointment was cancelled. The time is no longer kept for you.'
            : `${isByClient ? 'You' : theArtist} cancelled this appointment. The time is no longer kept for you, and you are welcome to book another.`,
        ],
        button,
      };
    case 'expired': {
      const { time } = appointment;
      // The deadline has passed, so a start that is not later than the deadline has passed too.
      const hasStarted = time !== null && expiresAt !== null && expiresAt >= time.start;
      const nextStep = hasStarted
        ? 'You are welcome to book another.'
        : 'If it is still free, you can confirm it now; if not, you are welcome to book another.';
      return {
        subject: `Not confirmed in time: ${when}`,
        opening: [
          `This appointment was not confirmed in time, so the time is no longer kept for you. ${nextStep}`,
        ],
        button: hasStarted ? button : confirmTexts.button,
        offersRebooking: true,
      };
    }
    case 'offer_ended':
      return {
        subject: `This offer has ended: ${when}`,
        opening: [
          `The time was not confirmed before the offer ended, so it is no longer kept for you. Your request is still open: ${theArtist} can offer you another time.`,
        ],
        button: 'See Your Request',
      };
    case 'email_change_link':
      return {
        subject: `Another email for ${when}?`,
        opening: [
          `Somebody, hopefully you, wants the mails about this appointment at ${appointment.newEmail ?? 'another email'} instead of here.`,
        ],
        button: 'Look at the Change',
        closing: 'Opening it changes nothing. If it was not you, ignore this mail.',
      };
    case 'reminder':
      return {
        subject: `Reminder: ${when}`,
        opening: [`Your appointment with ${artist.name} is coming up.`],
        button,
      };
  }
}
