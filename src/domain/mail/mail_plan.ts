/**
 * Plans the order and the waits of the mails about one appointment to one person. Mails that are
 * still queued when a newer one comes are merged into it.
 */

import { type Instant, MINUTE_MS } from '../time/time.ts';
import {
  type AppointmentMailData,
  type AppointmentSnapshot,
  isClientMailKind,
  type MailData,
} from './mail.ts';

/**
 * Mails with the same thread go out one after another: those about one appointment to its client, or
 * to its artist. A link that changes the email has a thread of its own: it must not replace other mails,
 * nor be replaced. Null for a mail about no appointment.
 */
export function mailThread(mail: MailData): string | null {
  if (!('appointment' in mail)) return null;
  if (mail.kind === 'email_change_link') return `${mail.appointment.id}:email`;
  return `${mail.appointment.id}:${isClientMailKind(mail.kind) ? 'client' : 'artist'}`;
}

/** A queued mail of a thread. */
export interface ThreadMail {
  readonly id: string;
  readonly notice: AppointmentMailData;
  /** Whether it was handed to the mail server, or may have been: the result is not known yet. */
  readonly isClaimed: boolean;
}

interface ThreadPlan {
  /** The mails to send, in this order, with their current facts; those that are claimed come first, unchanged. */
  readonly toSend: readonly ThreadMail[];
  /** The ids of the mails that are merged into another one, or are no longer true. */
  readonly toDrop: readonly string[];
}

/**
 * Decides which queued mails of a thread are sent. The older ones are merged into the newest; a reminder is dropped if
 * any other mail follows it. A move that the artist has undone is not reported, and neither is its undo.
 * @param queued in the order of the events
 */
export function planThread(queued: readonly ThreadMail[]): ThreadPlan {
  const claimed = queued.filter(({ isClaimed }) => isClaimed);
  const waiting = queued.filter(({ isClaimed }) => !isClaimed);
  const news = waiting.filter(({ notice }) => notice.kind !== 'reminder');
  const newest = toNewest(news);
  // Of several reminders, the last is the nearest to the start.
  const lastReminder = waiting.findLast(({ notice }) => notice.kind === 'reminder');
  const isReminderOutdated = newest !== undefined && waiting.at(-1) !== lastReminder;
  const toSend = [
    ...claimed,
    ...(newest ? [newest] : []),
    ...(lastReminder && !isReminderOutdated ? [lastReminder] : []),
  ];
  const sentIds = new Set(toSend.map(({ id }) => id));
  return { toSend, toDrop: queued.map(({ id }) => id).filter((id) => !sentIds.has(id)) };
}

/** The newest of these mails, with the older ones merged into it; undefined if nothing is to be reported. */
function toNewest(news: readonly ThreadMail[]): ThreadMail | undefined {
  const newest = news.at(-1);
  if (newest === undefined) return undefined;
  const notice = news.map((mail) => mail.notice).reduce(mergeNotice);
  return isUndoneMove(notice) ? undefined : { ...newest, notice };
}

/** Merges an older mail, which the recipient has not got, into a newer one. */
function mergeNotice(older: AppointmentMailData, newer: AppointmentMailData): AppointmentMailData {
  // The recipient does not know of the moves before a cancellation.
  if (newer.kind === 'cancelled' || newer.kind === 'client_cancelled') {
    const movedFrom = lastKnownStart(older, newer.appointment);
    return { ...newer, appointment: { ...newer.appointment, movedFrom } };
  }
  const isMove = newer.kind === 'moved' || newer.kind === 'client_moved';
  const setsTime = isMove || newer.kind === 'hold' || newer.kind === 'offer';
  if (!setsTime) return newer;
  const announced = older.kind === 'booked' || older.kind === 'new_booking';
  const { beforeMove, ...facts } = newer.appointment;
  // Only after a move by the artist does the recipient know the state before it.
  const knownState = beforeMove && older.appointment.beforeMove;
  return {
    // A recipient who does not know of a booking gets the mail about it, at its new time.
    kind: isMove && announced ? older.kind : newer.kind,
    appointment: {
      ...facts,
      ...(knownState && { beforeMove: knownState }),
      movedFrom: lastKnownStart(older, newer.appointment),
      ...(isMove && { wasBooked: older.appointment.wasBooked }),
    },
  };
}

/** The start that the recipient knows, if it differs from the new one. */
function lastKnownStart(
  { kind, appointment: older }: AppointmentMailData,
  newer: AppointmentSnapshot,
): AppointmentSnapshot['movedFrom'] {
  // The recipient knows the older time if only the place or the end changed in the older mail, or if they chose or
  // confirmed the time by themselves.
  const isOlderTimeKnown =
    ((kind === 'moved' || kind === 'client_moved') && older.movedFrom === null) ||
    (isClientMailKind(kind) && older.by === 'client');
  const known = older.movedFrom ?? (isOlderTimeKnown ? newer.movedFrom : null);
  return known === newer.time?.start ? null : known;
}

/**
 * Whether a mail reports a move that the artist has undone: the appointment is as it was, and a deadline
 * to confirm it is no earlier.
 */
function isUndoneMove({ appointment }: AppointmentMailData): boolean {
  const { beforeMove, time, note, expiresAt } = appointment;
  return (
    beforeMove !== undefined &&
    beforeMove.start === time?.start &&
    beforeMove.end === time.end &&
    beforeMove.note === note &&
    (expiresAt ?? Number.POSITIVE_INFINITY) >= (beforeMove.expiresAt ?? Number.POSITIVE_INFINITY)
  );
}

/** How long the mail of a hold waits for the client to confirm on the page. */
const CONFIRMATION_WAIT_MS = 2 * MINUTE_MS;
/** A hold that ends sooner is mailed at once. */
const SHORT_HOLD_MS = 10 * MINUTE_MS;

/**
 * Until when the mail of a hold waits for its client, who often confirms within a minute: then the mail
 * about the booking replaces it. Undefined to send it at once.
 * @param mustProveEmail whether only the mailed link confirms the appointment
 */
export function confirmationWaitEnd(
  { expiresAt }: Pick<AppointmentSnapshot, 'expiresAt'>,
  mustProveEmail: boolean,
  now: Instant,
): Instant | undefined {
  const isShort = expiresAt !== null && expiresAt < now + SHORT_HOLD_MS;
  return mustProveEmail || isShort ? undefined : now + CONFIRMATION_WAIT_MS;
}
