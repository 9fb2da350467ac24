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
  const [subject, ...paragraphs] = TEXTS[kind](appointment, wordsOf(appointment, options));
  const closing = CLOSINGS[kind];
  const appointmentUrl = confirmationUrl(siteUrl, appointment.id);
  const provingUrl = appointmentLink(siteUrl, appointment, options.mailTokenOf);
  return {
    subject,
    replyTo: shownArtistEmail,
    picture: shownPicture(artist.name, options),
    blocks: [
      { text: greeting(client.name, isAppointmentProven) },
      ...paragraphs.map((text) => ({ text })),
      ...noteBlocks(kind, appointment, options),
      // `isGone`: it was deleted with the artist's account, so it has no page.
      ...(isGone ? [] : [{ button: labelOf(kind, appointment), link: provingUrl }]),
      ...(closing === undefined ? [] : [{ text: closing }]),
      // With `?artist`, this URL redirects to the artist's public page.
      ...(kind === 'expired'
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
          ...(options.isArtistProven
            ? ([
                ['With', [artist.name]],
                ['Where', [studio.name, ...formatAddressLines(studio)]],
              ] as const)
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

/** The words that depend on the appointment and on trust in its artist. */
interface Words {
  /** Names the request, in a subject. */
  readonly request: string;
  /** At the start of a sentence. */
  readonly theArtist: string;
  /** The start of the appointment, and with whom it is. */
  readonly when: string;
  /** Until when the time is reserved; null for no deadline. */
  readonly deadline: string | null;
  readonly isArtistProven: boolean;
}

function wordsOf(appointment: AppointmentSnapshot, { isArtistProven }: MailOptions): Words {
  const { artist, studio, expiresAt, isReserved } = appointment;
  return {
    request: `Your request to ${artist.name}${studio.name === '' ? '' : ` at ${studio.name}`}`,
    theArtist: isArtistProven ? artist.name : 'Your artist',
    when: `${formatStart(appointment) ?? 'your appointment'} with ${artist.name}`,
    deadline:
      expiresAt === null || !isReserved ? null : formatTimeWithZone(expiresAt, studio.time_zone),
    isArtistProven,
  };
}

const TEXTS: Readonly<
  Record<
    ClientMailKind,
    (
      appointment: AppointmentSnapshot,
      words: Words,
    ) => readonly [subject: string, ...paragraphs: string[]]
  >
> = {
  request_received: (_, { request, theArtist }) => [
    request,
    `${theArtist} has your request, and will reach out soon.`,
  ],
  // The client chose the time; it is reserved until the deadline to confirm it.
  hold: ({ isReserved }, { when, deadline }) => [
    `Please confirm: ${when}`,
    isReserved
      ? `This time is kept for you${deadline === null ? '' : ` until ${deadline}`}. It is yours once you confirm.`
      : 'This time is yours once you confirm, if nobody else has taken it by then.',
  ],
  // The artist chose the time; it is reserved until the client's deadline to confirm it.
  offer: (_, { theArtist, when, deadline }) => [
    `A time for you: ${when}`,
    `${theArtist} offers you this time. It is yours once you confirm.`,
    ...(deadline === null ? [] : [`It is kept for you until ${deadline}.`]),
  ],
  booked: (_, { when, isArtistProven }) => [
    `Booked: ${when}`,
    isArtistProven
      ? "You're booked! The appointment comes with this mail, for your calendar."
      : "You're booked!",
    'If your plans change, the page of your appointment says what you can do.',
  ],
  moved: ({ by, studioChange }, { theArtist, when, isArtistProven }) => {
    const entry = '; the calendar entry that comes with this mail replaces the earlier one';
    const news = `This is when and where it is now${isArtistProven ? entry : ''}.`;
    if (!studioChange) {
      const whoHas = by === 'client' ? 'You have' : `${theArtist} has`;
      return [`Moved: ${when}`, `${whoHas} moved your appointment. ${news}`];
    }
    const change = studioChangeText(studioChange, studioChange.kept);
    return [
      `${change.title}: ${when}`,
      `${theArtist}’s studio has ${change.news}. ${change.consequence}`,
      news,
    ];
  },
  declined: (_, { request, theArtist }) => [
    `${request} was declined`,
    `${theArtist} cannot take this one. You are welcome to ask for another appointment.`,
  ],
  cancelled: ({ by, time, isGone }, { request, theArtist, when }) => {
    if (time !== null)
      return [
        `Cancelled: ${when}`,
        isGone
          ? 'This appointment was cancelled. The time is no longer kept for you.'
          : `${by === 'client' ? 'You' : theArtist} cancelled this appointment. The time is no longer kept for you, and you are welcome to book another.`,
      ];
    // A request has no time that could have been kept.
    return isGone
      ? [
          `${request} has ended`,
          `${theArtist} no longer takes requests here, so your request has ended.`,
        ]
      : [
          `${request} was cancelled`,
          `${theArtist} cancelled your request. You are welcome to send another.`,
        ];
  },
  expired: (appointment, { when }) => [
    `Not confirmed in time: ${when}`,
    `This appointment was not confirmed in time, so the time is no longer kept for you. ${
      isOver(appointment)
        ? 'You are welcome to book another.'
        : 'If it is still free, you can confirm it now; if not, you are welcome to book another.'
    }`,
  ],
  offer_ended: (_, { theArtist, when }) => [
    `This offer has ended: ${when}`,
    `The time was not confirmed before the offer ended, so it is no longer kept for you. Your request is still open: ${theArtist} can offer you another time.`,
  ],
  email_change_link: ({ newEmail }, { when }) => [
    `Another email for ${when}?`,
    `Somebody, hopefully you, wants the mails about this appointment at ${newEmail ?? 'another email'} instead of here.`,
  ],
  reminder: ({ artist }, { when }) => [
    `Reminder: ${when}`,
    `Your appointment with ${artist.name} is coming up.`,
  ],
};

/** Below the link of the mails that ask for a decision. */
const CLOSINGS: Readonly<Partial<Record<ClientMailKind, string>>> = {
  hold: LINK_IS_SAFE_TEXT,
  offer: LINK_IS_SAFE_TEXT,
  email_change_link: 'Opening it changes nothing. If it was not you, ignore this mail.',
};

/** The label of the link to the appointment's page. */
function labelOf(kind: ClientMailKind, appointment: AppointmentSnapshot): string {
  if (kind === 'email_change_link') return 'Look at the Change';
  if (kind === 'hold' || kind === 'offer' || (kind === 'expired' && !isOver(appointment)))
    return 'Confirm Appointment';
  const isRequest = kind === 'request_received' || kind === 'declined' || kind === 'offer_ended';
  const isOfRequest = isRequest || (kind === 'cancelled' && appointment.time === null);
  return isOfRequest ? 'See Your Request' : 'See Your Appointment';
}

/** Whether an appointment that was not confirmed in time had begun by its deadline. */
function isOver({ time, expiresAt }: AppointmentSnapshot): boolean {
  return time !== null && expiresAt !== null && expiresAt >= time.start;
}
