import { isDeepStrictEqual } from 'node:util';
import type { AppointmentMailData, AppointmentSnapshot } from '#domain/mail.ts';
import { isReminderOfClockTime, type Reminder } from '#domain/reminders.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from '#domain/time.ts';
import { isSameZone } from '#domain/zone_data.ts';
import { listAppointmentsByIds } from '#server/database/appointments.ts';
import type { Database } from '#server/database/connect.ts';
import { toAppointmentSnapshot } from './notify.ts';

/** Mails that tell how an appointment is, and not what it was. */
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

/** Mails about the end of an appointment: only an undone change of the studio alters its time. */
const KINDS_WITH_CURRENT_STUDIO: ReadonlySet<AppointmentMailData['kind']> = new Set([
  'cancelled',
  'client_cancelled',
]);

/** The clocks of servers differ by less. */
const CLOCK_DIFFERENCE_MS = 5 * MINUTE_MS;

/**
 * The notice with the appointment's time and studio as they are now. No newer mail may correct it:
 * artists get no mail about their own changes, and clients none about a change of the studio that is
 * not mailed yet.
 * @returns the same notice if it is right, or is dropped later
 */
export async function withCurrentFacts<Notice extends AppointmentMailData>(
  transaction: Database,
  notice: Notice,
  now: Instant,
): Promise<Notice> {
  const { kind, appointment } = notice;
  const hasCurrentStudio = KINDS_WITH_CURRENT_STUDIO.has(kind);
  if (!KINDS_WITH_CURRENT_FACTS.has(kind) && !hasCurrentStudio) return notice;
  const [row] = await listAppointmentsByIds(transaction, [appointment.id]);
  if (!row || row.version < appointment.version) return notice;
  const { by, wasBooked, movedFrom, beforeMove, note, studioChange } = appointment;
  const current = toAppointmentSnapshot(row, { wasBooked, by });
  if (notice.kind === 'reminder' && !isReminderOf(current, notice, now)) return notice;
  const isBack = movedFrom === current.time?.start;
  const facts: AppointmentSnapshot = hasCurrentStudio
    ? {
        ...appointment,
        studio: current.studio,
        time: current.time ?? appointment.time,
        movedFrom: isBack ? null : movedFrom,
      }
    : {
        ...current,
        note,
        movedFrom: isBack ? null : movedFrom,
        ...(beforeMove && { beforeMove }),
        ...(studioChange && isStudioChangeOf(current, appointment) && { studioChange }),
        // The row of a request may still have the time of an offer that has lapsed.
        ...(kind === 'request_received' && {
          time: appointment.time,
          expiresAt: appointment.expiresAt,
        }),
      };
  return isDeepStrictEqual(facts, appointment) ? notice : { ...notice, appointment: facts };
}

/** Whether the last change of the studio's zone and of the start is the one that a mail tells. */
function isStudioChangeOf(
  current: Pick<AppointmentSnapshot, 'studio' | 'time'>,
  { studio, time }: Pick<AppointmentSnapshot, 'studio' | 'time'>,
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
