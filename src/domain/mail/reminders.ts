/** Which reminders are lost or repeated when an appointment moves. */
import { sameClockTime } from '../studio/studio_time.ts';
import { HOUR_MS, type Instant } from '../time/time.ts';
import type { AppointmentSnapshot, MailData, ReminderChoice } from './mail.ts';

/** The content of a mail that reminds a client of their appointment. */
export type Reminder = Extract<MailData, { kind: 'reminder' }>;

/**
 * The reminder that would be lost because its appointment moved: it was not due before, and is overdue
 * now. Of several, the one nearest to the start.
 * @returns the hours before the start; null for none
 * @param choices the hours before the start at which the artist has reminders sent
 * @param sweptUntil reminders that were due by then are sent
 */
export function missedReminder(
  choices: readonly ReminderChoice[],
  start: { readonly before: Instant; readonly after: Instant },
  sweptUntil: Instant,
  now: Instant,
): ReminderChoice | null {
  if (start.after <= now) return null;
  const missed = choices.filter(
    (hours) => start.before - hours * HOUR_MS > sweptUntil && start.after - hours * HOUR_MS <= now,
  );
  return missed.toSorted((a, b) => a - b)[0] ?? null;
}

type ReminderFacts = Pick<AppointmentSnapshot, 'time' | 'studio'>;

/**
 * Whether a reminder named the clock time that the appointment has now. In another time zone, the same
 * start is another clock time, and another start may be the same one.
 */
export function isReminderOfClockTime(
  { time, studio }: ReminderFacts,
  current: ReminderFacts,
): boolean {
  if (time === null || current.time === null) return false;
  const start = sameClockTime(time.start, studio.time_zone, current.studio.time_zone);
  return start === current.time.start;
}
