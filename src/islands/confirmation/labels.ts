import type { Confirmation } from '#contract/appointment.ts';
import { OFFER_ENDED_TEXT } from '#contract/booking_refusals.ts';
import { hasExpiredOffer } from '#domain/appointments/appointment_changes.ts';
import { formatShortDayAndTime, toExclusiveEnd } from '#domain/time/format_time.ts';
import type { Instant } from '#domain/time/time.ts';
import type { RefusedConfirm } from '#stores/confirmation.ts';
import { formatDeadline, isSameClock, type StudioClock } from './studio_clock.ts';

const TIME_NOT_KEPT = 'The time is no longer kept for you. You are welcome to book another.';

/** What the texts depend on, beside the appointment. */
interface Circumstances {
  /** The token of the mailed link with which the page was opened; null without. */
  readonly mailToken: string | null;
  /** Whether that link was cut, so that it has no token. */
  readonly isLinkIncomplete: boolean;
  /** The last Confirm that was refused; null if none was. */
  readonly refusedConfirm: RefusedConfirm | null;
  readonly clock: StudioClock;
  readonly now: Instant;
}

/** The texts of the page about the appointment, and whether the client can confirm it. */
export function appointmentView(confirmation: Confirmation, circumstances: Circumstances) {
  const { mailToken, isLinkIncomplete, refusedConfirm, clock, now } = circumstances;
  const { status, end, version, must_prove_email } = confirmation;
  // A booked appointment stays booked with another email.
  const needsMail = must_prove_email && mailToken === null && !confirmation.confirmed;
  const refusal = refusedConfirm?.version === version ? refusedConfirm : null;
  const isPast = status === 'confirmed' && end !== null && toExclusiveEnd(end) <= now;
  // An offer whose Confirm was refused may have ended: the request then stays open, with its next steps.
  const isRefused = refusal !== null && status !== 'requested';
  const canConfirm = confirmation.can.includes('confirm') && !needsMail && refusal === null;
  // A request has no time to confirm; its mailed link proves the email.
  const canProveEmail = status === 'requested' && must_prove_email && mailToken !== null;
  let neededLink: NeededLink | null = null;
  if (needsMail) neededLink = isLinkIncomplete ? 'cut' : 'missing';
  let confirmLabel: string | null = null;
  if (canConfirm) confirmLabel = 'Confirm Appointment';
  else if (canProveEmail) confirmLabel = 'Confirm Your Email';
  return {
    refusal,
    isPast,
    labels: isPast
      ? {
          heading: 'This appointment is over.',
          text: `Write to ${confirmation.user.full_name} about anything that is left to say.`,
        }
      : confirmationLabels(confirmation, clock, neededLink, refusal),
    /** The label of the button that confirms; null for no button. */
    confirmLabel,
    steps: isPast || needsMail || isRefused ? [] : nextSteps(confirmation, clock, now),
    tooLate: isPast ? null : lateText(confirmation, clock),
  };
}

/** Why the client must open the link of our mail: the page was opened without it, or with a part of it. */
type NeededLink = 'missing' | 'cut';

interface ConfirmationLabels {
  readonly heading: string;
  readonly text: string;
  readonly hint?: string | undefined;
}

/** The texts for each status. @param neededLink null when the client needs no link of a mail to confirm */
function confirmationLabels(
  confirmation: Confirmation,
  clock: StudioClock,
  neededLink: NeededLink | null,
  refusal: RefusedConfirm | null,
): ConfirmationLabels {
  const { status, client, user } = confirmation;
  const artist = user.full_name;
  if (refusal && !neededLink && (status === 'held' || status === 'offered'))
    return { heading: 'This appointment is not confirmed.', text: refusedText(artist, refusal) };
  switch (status) {
    case 'requested':
      if (neededLink === 'cut') return mailLabels(confirmation, neededLink);
      return {
        heading: ['Thanks for your request', client.first_name].filter(Boolean).join(', '),
        text: hasExpiredOffer(confirmation)
          ? expiredOfferText(confirmation, clock)
          : `${artist} will receive the request to review and reach out soon.`,
      };
    case 'held':
      if (neededLink)
        return mailLabels(confirmation, neededLink, { after: notReservedText(confirmation) });
      return {
        heading: 'Confirm your appointment.',
        text: `It is yours once you confirm. ${notReservedText(confirmation)}`.trim(),
      };
    case 'offered':
      if (neededLink)
        return mailLabels(confirmation, neededLink, { before: `${artist} offers you this time.` });
      return {
        heading: 'Confirm your appointment.',
        text: `${artist} offers you this time. It is yours once you confirm.`,
      };
    case 'confirmed':
      return { heading: "You're booked!", text: `See you at ${user.studio.name}.` };
    case 'declined':
      return {
        heading: 'Your request was declined.',
        text: `${artist} cannot take this one. You are welcome to ask for another appointment.`,
      };
    case 'expired':
      return {
        heading: 'This appointment was not confirmed in time.',
        text: refusal ? refusedText(artist, refusal) : expiredText(confirmation, neededLink),
      };
    case 'cancelled':
      return { heading: 'This appointment was cancelled.', text: cancelledText(confirmation) };
    case 'completed':
      return { heading: 'This appointment is done.', text: `${artist} thanks you for coming.` };
    case 'no_show':
      return {
        heading: 'You missed this appointment.',
        text: `Reach out to ${artist} if you would like another.`,
      };
  }
}

function expiredText({ can }: Confirmation, neededLink: NeededLink | null): string {
  if (!can.includes('confirm')) return TIME_NOT_KEPT;
  const how = neededLink ? 'with the link that we mailed to you' : 'now';
  return `The time is no longer kept for you. If it is still free, you can confirm it ${how}.`;
}

function cancelledText({ history, start }: Confirmation): string {
  const last = history.at(-1);
  if (last?.what === 'released') return 'You gave this time up, or chose another one instead.';
  // A request has no time.
  if (start !== null) return TIME_NOT_KEPT;
  const what = last?.by === 'client' ? 'You withdrew your request.' : 'Your request is closed.';
  return `${what} You are welcome to send another.`;
}

function expiredOfferText({ history, user }: Confirmation, clock: StudioClock): string {
  const start = history.findLast((event) => event.start !== null)?.start;
  if (!start) return OFFER_ENDED_TEXT;
  const time = formatShortDayAndTime(start, clock.zone, clock.conventions);
  return `The offer of ${time}${isSameClock(start, clock) ? '' : ' studio time'} has ended. ${user.full_name} still has your request, and can offer you another.`;
}

/** The next step after a refused Confirm; the toast has said why it was refused. */
function refusedText(artist: string, { reason }: RefusedConfirm): string {
  if (reason === 'time_taken') return 'You are welcome to book another time.';
  return reason === 'sender_blocked'
    ? `Nothing is booked yet. You can reach ${artist} by the email or phone number on their pages.`
    : `Nothing is booked yet. Write to ${artist}, who can still book it for you.`;
}

/** The warning about a hold without a reserved time; '' for other holds. */
function notReservedText({ lapses_at }: Confirmation): string {
  return lapses_at === null ? 'Until you confirm, others can still take this time.' : '';
}

/** For a client who needs the link of our mail; `before` and `after` are sentences around it. */
function mailLabels(
  { email_hint }: Confirmation,
  neededLink: NeededLink,
  { before = '', after = '' } = {},
): ConfirmationLabels {
  const isCut = neededLink === 'cut';
  const text = isCut
    ? `Please open the link in our mail to ${email_hint} once more, and confirm there.`
    : `We mail a link to ${email_hint}. Open it and confirm there.`;
  return {
    heading: isCut ? 'This link is not complete.' : 'One more step: look into your mail.',
    text: `${before} ${text} ${after}`.trim(),
    hint: isCut
      ? undefined
      : 'The mail may take a minute; look into the spam folder, too. An address that has had many mails today gets it tomorrow. If you have stopped our mail, the link at the end of an earlier mail allows it again.',
  };
}

/** The next steps of the appointment, for its client; empty without any. */
function nextSteps(confirmation: Confirmation, clock: StudioClock, now: Instant): string[] {
  const { status, lapses_at, user } = confirmation;
  switch (status) {
    case 'requested':
      return [
        `${user.full_name} mails you a time, or declines.`,
        'You confirm the time here, and it is yours.',
      ];
    case 'held':
      return [
        ...(lapses_at === null ? [] : ['If you do not confirm in time, others can book it.']),
        cancelStep(confirmation, clock, now),
      ];
    case 'offered':
      return [
        'If you decline it with a word, your request stays open.',
        cancelStep(confirmation, clock, now),
      ];
    default:
      return [];
  }
}

/** Says whether the client can cancel once they have confirmed. */
function cancelStep(
  { cancel_until, user }: Confirmation,
  clock: StudioClock,
  now: Instant,
): string {
  if (cancel_until === null || Date.parse(cancel_until) < now)
    return `Once it is booked, you cannot cancel it here: write to ${user.full_name}.`;
  return `Once it is booked, you can cancel it here until ${formatDeadline(cancel_until, clock)}.`;
}

/** Says that a booked appointment cannot be moved or cancelled here, and since when. Null when it can be both. */
function lateText(
  { can, status, cancel_until, move_until, history }: Confirmation,
  clock: StudioClock,
): string | null {
  const canCancel = can.includes('cancel');
  const canMove = can.includes('move');
  if (status !== 'confirmed' || (canCancel && canMove)) return null;
  // Neither is possible, unless one of these conditions holds.
  let verb = 'cancel or move';
  let until = cancel_until ?? move_until;
  if (canCancel) {
    verb = 'move';
    until = move_until;
  } else if (canMove) {
    verb = 'cancel';
    until = cancel_until;
  }
  const ask = `To ${verb} it, write to the artist.`;
  const booked = history.findLast(({ what }) => what === 'confirmed' || what === 'entered');
  if (until === null || (booked && Date.parse(booked.at) > Date.parse(until))) return ask;
  const time = formatDeadline(until, clock);
  const doing = until === cancel_until ? 'Cancelling' : 'Moving';
  return `${doing} here was possible until ${time}. ${ask}`;
}

/**
 * The beginning of a message to the artist about an appointment, or about a request without a time.
 * @param note the client's text for an action that is no longer possible; '' for none
 */
export function draftMessage(
  { start }: Pick<Confirmation, 'start'>,
  { zone, conventions }: StudioClock,
  note: string,
): string {
  const subject =
    start === null
      ? 'request'
      : `appointment on ${formatShortDayAndTime(start, zone, conventions)}`;
  return `About my ${subject}:\n\n${note}`;
}
