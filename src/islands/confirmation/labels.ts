import type { Confirmation } from '#contract/appointment.ts';
import { OFFER_ENDED_TEXT } from '#contract/booking_refusals.ts';
import { hasLapsedOffer } from '#domain/appointment_changes.ts';
import { formatShortDayAndTime, formatTimeWithZone } from '#domain/format_time.ts';

const TIME_NOT_KEPT = 'The time is no longer kept for you. You are welcome to book another.';
/** Beside a notice that the time is taken. */
const TIME_TAKEN = 'You are welcome to book another time.';

/**
 * The texts for each status (specification, section 4; design, An appointment's life).
 * @param neededLink the link of our mail, which alone confirms, and with which this page was not
 *   opened; `cut`: only with a part of it; false when it is not needed
 * @param isTimeTaken whether the time was refused just now, so that the client must pick another
 */
export function confirmationLabels(
  confirmation: Confirmation,
  neededLink: 'missing' | 'cut' | false,
  isTimeTaken = false,
): { readonly heading: string; readonly text: string; readonly hint?: string | undefined } {
  const { status, lapses_at, client, user } = confirmation;
  const artist = user.full_name;
  switch (status) {
    case 'requested':
      if (neededLink === 'cut')
        return { heading: mailHeading(neededLink), text: mailText(confirmation, neededLink) };
      return {
        heading: ['Thanks for your request', client.first_name].filter(Boolean).join(', '),
        text: hasLapsedOffer(confirmation)
          ? lapsedOfferText(confirmation)
          : `${artist} will receive the request to review and reach out soon.`,
      };
    case 'held':
      if (neededLink)
        return {
          heading: mailHeading(neededLink),
          text: `${mailText(confirmation, neededLink)} ${
            lapses_at === null
              ? 'Until you confirm, others can still take this time.'
              : `This time is kept for you until ${formatTimeWithZone(Date.parse(lapses_at), user.studio.time_zone)}.`
          }`,
          hint: mailHint(neededLink),
        };
      return { heading: 'Confirm your appointment.', text: heldText(confirmation, isTimeTaken) };
    case 'offered':
      if (neededLink)
        return {
          heading: mailHeading(neededLink),
          text: `${artist} offers you this time. ${mailText(confirmation, neededLink)}`,
          hint: mailHint(neededLink),
        };
      return {
        heading: 'Confirm your appointment.',
        text: `${artist} offers you this time. It is yours once you confirm.`,
      };
    case 'confirmed':
      return { heading: "You're booked!", text: `${artist} will see you then.` };
    case 'declined':
      return {
        heading: 'Your request was declined.',
        text: `${artist} cannot take this one. You are welcome to ask for another appointment.`,
      };
    case 'expired':
      return {
        heading: 'This appointment was not confirmed in time.',
        text: isTimeTaken
          ? TIME_TAKEN
          : confirmation.can.includes('confirm')
            ? `The time is no longer kept for you. If it is still free, you can confirm it ${neededLink ? 'with the link that we mailed to you' : 'now'}.`
            : TIME_NOT_KEPT,
      };
    case 'cancelled':
      return {
        heading: 'This appointment was cancelled.',
        text:
          confirmation.history.at(-1)?.what === 'released'
            ? 'You gave this time up, or chose another one instead.'
            : TIME_NOT_KEPT,
      };
    case 'completed':
      return { heading: 'This appointment is done.', text: `${artist} thanks you for coming.` };
    case 'no_show':
      return {
        heading: 'You missed this appointment.',
        text: `Reach out to ${artist} if you would like another.`,
      };
  }
}

/** Names the time that was offered. */
function lapsedOfferText({ history, user }: Confirmation): string {
  const start = history.filter((event) => event.start !== null).at(-1)?.start;
  if (!start) return OFFER_ENDED_TEXT;
  const time = formatShortDayAndTime(start, user.studio.time_zone);
  return `The offer of ${time} has ended. Your request is still open.`;
}

/** Of a hold that the client can confirm on this page. */
function heldText({ lapses_at }: Confirmation, isTimeTaken: boolean): string {
  if (isTimeTaken) return TIME_TAKEN;
  return lapses_at === null
    ? 'It is yours once you confirm. Until then, others can still take this time.'
    : 'This time is kept for you for a short while. It is yours once you confirm.';
}

function mailHeading(neededLink: 'missing' | 'cut'): string {
  return neededLink === 'cut'
    ? 'This link is not complete.'
    : 'One more step: look into your mail.';
}

function mailText({ email_hint }: Confirmation, neededLink: 'missing' | 'cut'): string {
  if (neededLink === 'cut')
    return `Please open the link in our mail to ${email_hint} once more, and confirm there.`;
  return `We mail a link to ${email_hint}. Open it and confirm there.`;
}

function mailHint(neededLink: 'missing' | 'cut'): string | undefined {
  return neededLink === 'cut'
    ? undefined
    : 'The mail may take a minute; look into the spam folder, too. An address that has had many mails today gets it tomorrow. If you have stopped our mail, the link at the end of an earlier mail allows it again.';
}
