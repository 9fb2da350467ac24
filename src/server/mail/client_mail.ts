import { confirmationUrl, formatAddressLines } from '#domain/appointments/calendar_event.ts';
import type { AppointmentSnapshot, ClientMailKind } from '#domain/mail/mail.ts';
import { studioChangeText } from '#domain/studio/studio_change.ts';
import { formatTimeWithZone } from '#domain/time/format_time_with_zone.ts';
import { formatStart, termsDetails, timeDetails } from './appointment_details.ts';
import { greeting } from './greeting.ts';
import {
  type ContentBlock,
  type DetailLine,
  type MailContent,
  type MailOptions,
  type MailPicture,
  type MailTexts,
  type NoticeTrust,
  type Site,
  toBlocks,
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
  site: Site,
  kind: ClientMailKind,
  appointment: AppointmentSnapshot,
  options: MailOptions,
): MailContent {
  const { siteUrl } = site;
  const { artist, client, wishes } = appointment;
  const { isAppointmentProven, shownArtistEmail } = options;
  const [subject, ...blocks] = TEXTS[kind](appointment, wordsOf(siteUrl, appointment, options));
  return {
    subject,
    replyTo: shownArtistEmail,
    picture: shownPicture(site, artist.name, options),
    blocks: [
      { text: greeting(client.name, { isTrusted: isAppointmentProven }) },
      ...toBlocks(blocks),
      { details: detailsOf(kind, appointment, options) },
      ...(wishes !== null && isAppointmentProven && kind === 'request_received'
        ? [{ quote: wishes, by: 'You wrote' }]
        : []),
      ...answerBlocks(confirmationUrl(siteUrl, appointment.id), appointment, options),
    ],
  };
}

/** The mails with deposit and policy: those that ask the client to confirm, or say that it is booked. */
const KINDS_WITH_TERMS: readonly ClientMailKind[] = ['hold', 'offer', 'booked'];
const KINDS_WITH_PAYMENT: readonly ClientMailKind[] = ['booked', 'moved', 'reminder'];

/** Words of an artist who has not proven their email are in no mail. */
function detailsOf(
  kind: ClientMailKind,
  appointment: AppointmentSnapshot,
  options: MailOptions,
): DetailLine[] {
  const { artist, studio } = appointment;
  const { isArtistProven } = options;
  const details = timeDetails(appointment);
  if (isArtistProven && KINDS_WITH_TERMS.includes(kind))
    details.push(...termsDetails(appointment, options));
  if (KINDS_WITH_PAYMENT.includes(kind)) details.push(['Payment', ['Due at the appointment']]);
  if (isArtistProven) {
    details.push(['With', [artist.name]]);
    details.push(['Where', [studio.name, ...formatAddressLines(studio)]]);
  }
  return details;
}

/** The picture of an artist whose email is proven, a square JPEG; undefined for other artists. */
export function shownPicture(
  { apiUrl }: Site,
  name: string,
  { avatar, isArtistProven }: NoticeTrust,
): MailPicture | undefined {
  if (avatar === null || !isArtistProven) return undefined;
  // The id makes another URL for another picture.
  return [`${apiUrl}/api/v1/users/artist/${avatar.username}/mail-picture?v=${avatar.id}`, name];
}

/** How the client reaches the artist: by an answer, or on the contact page of an artist who shows no email. */
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
  { artist, note, by, isGone }: AppointmentSnapshot,
  { isKnownToArtist, isArtistProven }: MailOptions,
): ContentBlock[] {
  if (note === null || by === 'client') return [];
  if (isKnownToArtist && isArtistProven) return [{ quote: note, by: `A note from ${artist.name}` }];
  if (isGone) return [];
  return [
    {
      text: `${isArtistProven ? artist.name : 'Your artist'} left a note for you: you can read it on the page of your appointment.`,
    },
  ];
}

/** The words and blocks that depend on the appointment and on trust in its artist. */
type Words = ReturnType<typeof wordsOf>;

function wordsOf(siteUrl: string, appointment: AppointmentSnapshot, options: MailOptions) {
  const { id, artist, studio, expiresAt, isReserved, isGone } = appointment;
  const { isArtistProven, mailTokenOf } = options;
  return {
    /** Names the request, in a subject. */
    request: `Your request to ${artist.name}${studio.name === '' ? '' : ` at ${studio.name}`}`,
    /** At the start of a sentence. */
    theArtist: isArtistProven ? artist.name : 'Your artist',
    /** The start of the appointment, and the artist. */
    when: `${formatStart(appointment) ?? 'your appointment'} with ${artist.name}`,
    /** Until when the time is reserved; null for no deadline. */
    deadline:
      expiresAt === null || !isReserved ? null : formatTimeWithZone(expiresAt, studio.time_zone),
    isArtistProven,
    note: noteBlocks(appointment, options),
    /** The link to the appointment's page. If it was deleted with the artist's account, it has none. */
    link: (button: string) =>
      isGone ? [] : [{ button, link: appointmentLink(siteUrl, appointment, mailTokenOf) }],
    // With `?artist`, this URL redirects to the artist's public page.
    artistUrl: `${confirmationUrl(siteUrl, id)}?artist`,
  };
}

/** A mail of each kind, from its subject to its details. */
const TEXTS: Readonly<
  Record<ClientMailKind, (appointment: AppointmentSnapshot, words: Words) => MailTexts>
> = {
  request_received: (_, { request, theArtist, link }) => [
    request,
    `${theArtist} has your request, and will reach out soon.`,
    ...link('See Your Request'),
  ],
  // The client chose the time; it is reserved until the deadline to confirm it.
  hold: ({ isReserved }, { when, deadline, link }) => [
    `Please confirm: ${when}`,
    isReserved
      ? `This time is kept for you${deadline === null ? '' : ` until ${deadline}`}. It is yours once you confirm.`
      : 'This time is yours once you confirm, if nobody else has taken it by then.',
    ...link('Confirm Appointment'),
    LINK_IS_SAFE_TEXT,
  ],
  // The artist chose the time; it is reserved until the client's deadline to confirm it.
  offer: (_, { theArtist, when, deadline, note, link }) => [
    `A time for you: ${when}`,
    `${theArtist} offers you this time. It is yours once you confirm.`,
    ...(deadline === null ? [] : [`It is kept for you until ${deadline}.`]),
    ...note,
    ...link('Confirm Appointment'),
    LINK_IS_SAFE_TEXT,
  ],
  booked: (_, { when, isArtistProven, link }) => [
    `Booked: ${when}`,
    isArtistProven
      ? "You're booked! The appointment comes with this mail, for your calendar."
      : "You're booked!",
    'If your plans change, the page of your appointment says what you can do.',
    ...link('See Your Appointment'),
  ],
  moved: ({ by, studioChange }, { theArtist, when, isArtistProven, link }) => {
    const entry = '; the calendar entry that comes with this mail replaces the earlier one';
    const news = `This is when and where it is now${isArtistProven ? entry : ''}.`;
    const button = link('See Your Appointment');
    if (!studioChange) {
      const whoHas = by === 'client' ? 'You have' : `${theArtist} has`;
      return [`Moved: ${when}`, `${whoHas} moved your appointment. ${news}`, ...button];
    }
    const change = studioChangeText(studioChange, studioChange.kept);
    return [
      `${change.title}: ${when}`,
      `${theArtist}’s studio has ${change.news}. ${change.consequence}`,
      news,
      ...button,
    ];
  },
  declined: (_, { request, theArtist, note, link }) => [
    `${request} was declined`,
    `${theArtist} cannot take this one. You are welcome to ask for another appointment.`,
    ...note,
    ...link('See Your Request'),
  ],
  cancelled: ({ by, time, isGone }, { request, theArtist, when, note, link }) => {
    if (time !== null)
      return [
        `Cancelled: ${when}`,
        isGone
          ? 'This appointment was cancelled. The time is no longer kept for you.'
          : `${by === 'client' ? 'You' : theArtist} cancelled this appointment. The time is no longer kept for you, and you are welcome to book another.`,
        ...note,
        ...link('See Your Appointment'),
      ];
    // A request has no time that could have been kept.
    return [
      `${request} ${isGone ? 'has ended' : 'was cancelled'}`,
      isGone
        ? `${theArtist} no longer takes requests here, so your request has ended.`
        : `${theArtist} cancelled your request. You are welcome to send another.`,
      ...note,
      ...link('See Your Request'),
    ];
  },
  expired: ({ time, expiresAt }, { when, link, artistUrl }) => {
    const hadBegun = time !== null && expiresAt !== null && expiresAt >= time.start;
    return [
      `Not confirmed in time: ${when}`,
      `This appointment was not confirmed in time, so the time is no longer kept for you. ${
        hadBegun
          ? 'You are welcome to book another.'
          : 'If it is still free, you can confirm it now; if not, you are welcome to book another.'
      }`,
      ...link(hadBegun ? 'See Your Appointment' : 'Confirm Appointment'),
      { button: 'Book Another Time', link: artistUrl },
    ];
  },
  offer_ended: (_, { theArtist, when, link }) => [
    `This offer has ended: ${when}`,
    `The time was not confirmed before the offer ended, so it is no longer kept for you. Your request is still open: ${theArtist} can offer you another time.`,
    ...link('See Your Request'),
  ],
  email_change_link: ({ newEmail }, { when, link }) => [
    `Another email for ${when}?`,
    `Somebody, hopefully you, wants the mails about this appointment at ${newEmail ?? 'another email'} instead of here.`,
    ...link('Look at the Change'),
    'Opening it changes nothing. If it was not you, ignore this mail.',
  ],
  reminder: ({ artist }, { when, link }) => [
    `Reminder: ${when}`,
    `Your appointment with ${artist.name} is coming up.`,
    ...link('See Your Appointment'),
  ],
};
