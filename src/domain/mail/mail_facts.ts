/**
 * The facts in a mail about an appointment. A mail is stored with the facts of its event. When it
 * is sent, also again, it says how the appointment is then, and keeps the facts of the event itself.
 */

import { compareStudios } from '../studio/studio_change.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from '../time/time.ts';
import { isSameZone } from '../time/zone_data.ts';
import type { AppointmentMailData, AppointmentSnapshot } from './mail.ts';
import { isReminderOfClockTime, type Reminder } from './reminders.ts';

/** Mails that say how an appointment is, and not how it was. */
const KINDS_WITH_CURRENT_FACTS: ReadonlySet<AppointmentMailData['kind']> = new Set([
  'request_received',
  'hold',
  'offer',
  'booked',
  'moved',
  'reminder',
  'new_booking',
  'client_moved',
]);

/** More than the clocks of two servers differ. */
const CLOCK_DIFFERENCE_MS = 5 * MINUTE_MS;

/**
 * The mail as it is sent: with the appointment's current time and studio. No newer mail may correct it: artists get no
 * mail about their own changes, and clients none about a change of the studio that is not mailed yet.
 * @param current the present appointment, with the mail's facts about its event (`by`, `wasBooked`)
 */
export function withCurrentFacts(
  mail: AppointmentMailData,
  current: AppointmentSnapshot,
  now: Instant,
): AppointmentMailData {
  const { kind, appointment } = mail;
  const isCancelled = kind === 'cancelled' || kind === 'client_cancelled';
  if (!KINDS_WITH_CURRENT_FACTS.has(kind) && !isCancelled) return mail;
  if (current.version < appointment.version) return mail;
  if (mail.kind === 'reminder' && !isReminderOf(current, mail, now)) return mail;
  const movedFrom = earlierStart(appointment, current);
  if (isCancelled) {
    // Only an undone change of the studio alters a cancelled time.
    const { studio, time } = current;
    const facts = { ...appointment, studio, time: time ?? appointment.time, movedFrom };
    return { ...mail, appointment: facts };
  }
  const { beforeMove, note, studioChange, time, expiresAt } = appointment;
  const facts: AppointmentSnapshot = {
    ...current,
    note,
    movedFrom,
    ...(beforeMove && { beforeMove }),
    ...(studioChange && isStudioChangeOf(current, appointment) && { studioChange }),
    // The appointment may have the time of an expired offer, as in `factsOfEvent`.
    ...(kind === 'request_received' && { time, expiresAt }),
  };
  return { ...mail, appointment: facts };
}

/**
 * The mail as the artist sends it again: with all current facts, such as the artist's note, except those of
 * the event (`factsOfEvent`). One about a change of the studio becomes that about the booking if the studio or
 * the time changed again: its sentences about the change may be wrong now.
 * @param current as for `withCurrentFacts`
 */
export function withFactsToSendAgain(
  mail: AppointmentMailData,
  current: AppointmentSnapshot,
): AppointmentMailData {
  const { studio, studioChange } = mail.appointment;
  const facts = { ...current, ...factsOfEvent(mail, current) };
  if (studioChange === undefined) return { ...mail, appointment: facts };
  const isSameStudio =
    isStudioChangeOf(current, mail.appointment) &&
    current.studio.name === studio.name &&
    !compareStudios(studio, current.studio).hasNewAddress;
  return isSameStudio
    ? { ...mail, appointment: { ...facts, studioChange } }
    : { kind: 'booked', appointment: facts };
}

/** The facts of the event that a mail reports, which the appointment may no longer have. */
function factsOfEvent(
  { kind, appointment }: AppointmentMailData,
  current: AppointmentSnapshot,
): Partial<AppointmentSnapshot> {
  const { note, time, expiresAt, newEmail } = appointment;
  const movedFrom = earlierStart(appointment, current);
  switch (kind) {
    case 'request_received':
    case 'new_request':
      // The appointment may have the time of an expired offer.
      return { time, expiresAt };
    case 'client_cancelled':
    case 'client_moved':
      return { note, movedFrom };
    case 'offer_declined':
      return { note, movedFrom, time };
    case 'email_change_link':
      return newEmail === undefined ? {} : { newEmail };
    default:
      return {};
  }
}

/** The start before a move; null if the appointment has it again. */
function earlierStart({ movedFrom }: AppointmentSnapshot, { time }: AppointmentSnapshot) {
  return movedFrom === time?.start ? null : movedFrom;
}

/** Whether the last change of the studio's zone and of the start is the one that a mail reports. */
function isStudioChangeOf(
  current: AppointmentSnapshot,
  { studio, time }: AppointmentSnapshot,
): boolean {
  // Since the mail was queued, the zone may have got another name.
  return (
    isSameZone(studio.time_zone, current.studio.time_zone) && current.time?.start === time?.start
  );
}

/**
 * Whether a reminder is one of the appointment's start now: of the same start, or of the same clock
 * time after a new time zone, if it is due. A reminder of another start is sent on its own.
 */
function isReminderOf(current: AppointmentSnapshot, reminder: Reminder, now: Instant): boolean {
  const start = current.time?.start;
  if (start === undefined) return false;
  if (start === reminder.appointment.time?.start) return true;
  const dueAt = start - reminder.hours * HOUR_MS;
  return isReminderOfClockTime(reminder.appointment, current) && dueAt <= now + CLOCK_DIFFERENCE_MS;
}
