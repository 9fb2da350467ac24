import type { ReminderChoice } from '#domain/mail.ts';
import { isReminderOfClockTime, missedReminder } from '#domain/reminders.ts';
import type { MovedTime } from '#domain/studio_change.ts';
import type { Instant } from '#domain/time.ts';
import { listAppointmentsByIds } from '#server/database/appointments.ts';
import { findArtistById } from '#server/database/artists.ts';
import type { Database } from '#server/database/connect.ts';
import * as reminders from '#server/database/reminders.ts';
import { change } from './change.ts';
import type { Context } from './context.ts';
import { enqueueMails, toAppointmentSnapshot } from './notify.ts';

/** Queues the reminders that became due since any of our servers last queued reminders. */
export async function enqueueDueReminders(context: Context, now: Instant): Promise<void> {
  await change(context, { lock: 'none', invalidates: [] }, async (transaction) => {
    const lastRun = await reminders.lockReminderSweep(transaction, now);
    // `lastRun` equals `now` at the very first run. It is later than `now` if another server queued
    // reminders while we waited for its lock.
    if (now <= lastRun) return;
    const due = await reminders.listDueReminders(transaction, lastRun, now);
    await enqueueReminders(context, transaction, due);
    await reminders.updateReminderSweep(transaction, now);
  });
}

/**
 * Queues the reminders that became overdue because a change of the studio moved appointments to an
 * earlier start. No mail about the change has informed their clients.
 * Waits for a sweep that runs, so that no reminder is lost or sent twice.
 * @param moved times of confirmed appointments
 */
export async function enqueueMissedReminders(
  context: Pick<Context, 'jobs'>,
  transaction: Database,
  artistId: string,
  moved: readonly MovedTime[],
  now: Instant,
): Promise<void> {
  if (moved.length === 0) return;
  const sweptUntil = await reminders.pauseReminderSweeps(transaction);
  const artist = await findArtistById(transaction, artistId);
  if (!artist || sweptUntil === undefined) return;
  // A sweep that ended while this waited has seen the times before the move, up to after `now`.
  const sweptOrNow = Math.max(sweptUntil, now);
  const missed = new Map<string, ReminderChoice>();
  for (const { appointmentId, before, after } of moved) {
    const start = { before: before.start, after: after.start };
    const hours = missedReminder(artist.reminder_hours, start, sweptUntil, sweptOrNow);
    if (hours !== null) missed.set(appointmentId, hours);
  }
  await enqueueReminders(context, transaction, missed);
}

/**
 * Queues reminders, except those of a clock time that the client was reminded of already.
 * @param hoursById by appointment id, the hours before the start
 */
async function enqueueReminders(
  context: Pick<Context, 'jobs'>,
  transaction: Database,
  hoursById: ReadonlyMap<string, ReminderChoice>,
): Promise<void> {
  const ids = [...hoursById.keys()];
  const earlier = await reminders.listReminders(transaction, ids);
  const rows = await listAppointmentsByIds(transaction, ids);
  const mails = rows.flatMap((row) => {
    const hours = hoursById.get(row.id);
    if (hours === undefined || row.email === null) return [];
    const appointment = toAppointmentSnapshot(row, { wasBooked: true });
    const isReminded = earlier.some(
      (reminder) =>
        reminder.appointment.id === row.id &&
        reminder.hours === hours &&
        isReminderOfClockTime(reminder.appointment, appointment),
    );
    if (isReminded) return [];
    const notice = { kind: 'reminder', appointment, hours } as const;
    return [{ notice, address: row.email, artistId: row.artist_id }];
  });
  await enqueueMails(context, transaction, mails);
}
