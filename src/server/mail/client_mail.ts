import { formatTimeWithZone } from '#domain/format_time.ts';
import type { AppointmentSnapshot, ClientMailKind } from '#domain/mail.ts';
import { formatShortTime, studioDetails, timeDetails } from './appointment_details.ts';
import type { ContentBlock, MailContent } from './mail_content.ts';

const OPENING_IS_SAFE_TEXT =
  'Opening it changes nothing; the time is yours once you press Confirm there.';
const PAYMENT_TEXT = 'Payment is due at the appointment.';

/** What a client reads of their appointment. */
export function createClientMail(
  siteUrl: string,
  kind: ClientMailKind,
  appointment: AppointmentSnapshot,
): MailContent {
  const { artist, client } = appointment;
  const words = textsFor(kind, appointment);
  // The page finds the artist by itself, so that links outlive a change of their username.
  const page = `${siteUrl}/confirmation/${appointment.id}`;
  const greeting = client.name === null ? 'Hi,' : `Hi ${client.name},`;
  return {
    subject: words.subject,
    replyTo: artist.email,
    blocks: [
      { text: greeting },
      ...words.opening.map((text) => ({ text })),
      ...noteBlocks(appointment, kind),
      {
        details: [
          ...timeDetails(appointment),
          ['With', [artist.name]],
          ...studioDetails(appointment),
        ],
      },
      ...wishesBlocks(appointment, kind),
      ...(appointment.isGone ? [] : [{ button: words.button, link: page }]),
      ...words.closing.map((text) => ({ text })),
      ...(words.offersRebooking ? [{ button: 'Book Another Time', link: `${page}?artist` }] : []),
      { text: `Questions, or a change of plans? Answer this mail: it goes to ${artist.name}.` },
    ],
  };
}

interface ClientMailTexts {
  readonly subject: string;
  readonly opening: readonly string[];
  readonly button: string;
  readonly closing: readonly string[];
  readonly offersRebooking?: boolean;
}

function textsFor(kind: ClientMailKind, appointment: AppointmentSnapshot): ClientMailTexts {
  const { artist, studio, lapsesAt, isGone } = appointment;
  const when = `${formatShortTime(appointment) ?? 'your appointment'} with ${artist.name}`;
  const until = lapsesAt === null ? null : formatTimeWithZone(lapsesAt, studio.time_zone);
  const toConfirm = { button: 'Confirm Appointment', closing: [OPENING_IS_SAFE_TEXT] };
  const toSee = { button: 'See Your Appointment', closing: [] };
  switch (kind) {
    case 'request_received':
      return {
        subject: `Your request to ${artist.name} at ${studio.name}`,
        opening: [`${artist.name} has your request, and will reach out soon.`],
        button: 'See Your Request',
        closing: [],
      };
    case 'hold':
      return {
        subject: `Please confirm: ${when}`,
        opening: [
          until === null
            ? 'This time is kept for you. It is yours once you confirm.'
            : `This time is kept for you until ${until}. It is yours once you confirm.`,
        ],
        ...toConfirm,
      };
    case 'offer':
      return {
        subject: `A time for you: ${when}`,
        opening: [
          `${artist.name} offers you this time. It is yours once you confirm.`,
          ...(until === null ? [] : [`It is kept for you until ${until}.`]),
        ],
        ...toConfirm,
      };
    case 'booked':
      return {
        subject: `Booked: ${when}`,
        opening: ["You're booked! The appointment comes with this mail, for your calendar."],
        ...toSee,
        closing: [PAYMENT_TEXT],
      };
    case 'moved':
      return {
        subject: `Moved: ${when}`,
        opening: [
          `${artist.name} has moved your appointment. This is when and where it is now; the calendar entry that comes with this mail replaces the earlier one.`,
        ],
        ...toSee,
        closing: [PAYMENT_TEXT],
      };
    case 'declined':
      return {
        subject: `Your request to ${artist.name} at ${studio.name} was declined`,
        opening: [
          `${artist.name} cannot take this one. You are welcome to ask for another appointment.`,
        ],
        button: 'See Your Request',
        closing: [],
      };
    case 'cancelled':
      return {
        subject: `Cancelled: ${when}`,
        opening: [
          isGone
            ? 'This appointment was cancelled. The time is no longer kept for you.'
            : 'This appointment was cancelled. The time is no longer kept for you, and you are welcome to book another.',
        ],
        ...toSee,
      };
    case 'expired': {
      const { time } = appointment;
      // One that was kept until its start cannot be confirmed any more.
      const hasBegun = time !== null && lapsesAt !== null && lapsesAt >= time.start;
      const now = hasBegun
        ? 'You are welcome to book another.'
        : 'If it is still free, you can confirm it now; if not, you are welcome to book another.';
      return {
        subject: `Not confirmed in time: ${when}`,
        opening: [
          `This appointment was not confirmed in time, so the time is no longer kept for you. ${now}`,
        ],
        ...(hasBegun ? toSee : { ...toConfirm, closing: [] }),
        offersRebooking: true,
      };
    }
    case 'reminder':
      return {
        subject: `Reminder: ${when}`,
        opening: [`Your appointment with ${artist.name} is coming up.`],
        ...toSee,
        closing: [PAYMENT_TEXT],
      };
  }
}

/** What the artist wrote with declining or cancelling. */
function noteBlocks({ note, artist }: AppointmentSnapshot, kind: ClientMailKind): ContentBlock[] {
  const isTold = note !== null && (kind === 'declined' || kind === 'cancelled');
  return isTold ? [{ quote: note, by: `A note from ${artist.name}` }] : [];
}

/** A receipt repeats what the client wrote. */
function wishesBlocks({ wishes }: AppointmentSnapshot, kind: ClientMailKind): ContentBlock[] {
  return kind === 'request_received' && wishes !== null ? [{ quote: wishes, by: 'You wrote' }] : [];
}
