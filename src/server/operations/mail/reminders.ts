/** Reminders of appointments. A sweep, each minute, queues those that became due since the last sweep. */
import { sql } from 'kysely';
import { type MailData, REMINDER_HOURS_CHOICES, type ReminderChoice } from '#domain/mail/mail.ts';
import { isReminderOfClockTime, missedReminder } from '#domain/mail/reminders.ts';
import type { MovedTime } from '#domain/studio/studio_change.ts';
import { HOUR_MS, type Instant } from '#domain/time/time.ts';
import { listAppointmentsByIds } from '#server/database/appointments.ts';
import { findArtistById } from '#server/database/artists.ts';
import type { Database, Transaction } from '#server/database/connect.ts';
import { change } from '../change.ts';
import type { Context, InChange } from '../context.ts';
import { notify, toAppointmentSnapshot } from './notify.ts';

/** Queues the reminders that became due since any of our servers last queued reminders. */
export async function enqueueDueReminders(context: Context, now: Instant): Promise<void> {
  await change(context, { invalidates: [] }, async (context) => {
    const { database } = context;
    const lastRun = await lockReminderSweep(database, now);
    // `lastRun` equals `now` at the very first run. It is later than `now` if another server queued
    // reminders while we waited for its lock.
    if (now <= lastRun) return;
    await enqueueReminders(context, await listDueReminders(database, lastRun, now));
    await updateReminderSweep(database, now);
  });
}

/**
 * Begins a sweep, in which the caller queues the due reminders.
 * Locks the only row of `reminder_sweep`, so that other servers wait until the transaction ends.
 * @returns the time up to which earlier sweeps queued due reminders; `now` at the very first call
 */
export async function lockReminderSweep(transaction: Transaction, now: Instant): Promise<Instant> {
  await transaction
    .insertInto('reminder_sweep')
    .values({ swept_until: new Date(now) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { swept_until } = await transaction
    .selectFrom('reminder_sweep')
    .select('swept_until')
    .forUpdate()
    .executeTakeFirstOrThrow();
  return swept_until.getTime();
}

/**
 * Waits for a sweep that runs; another one begins only after this transaction. To prevent deadlocks, call it
 * after taking the calendar lock, for which a sweep never waits, and before changing the artist's username: a
 * sweep that stores a mail waits for the artist's row.
 * @returns the time up to which sweeps have queued due reminders; undefined before the very first
 */
export async function pauseReminderSweeps(transaction: Transaction): Promise<Instant | undefined> {
  const sweep = await transaction
    .selectFrom('reminder_sweep')
    .select('swept_until')
    .forShare()
    .executeTakeFirst();
  return sweep?.swept_until.getTime();
}

/** Stores the time up to which this sweep queued due reminders. */
export async function updateReminderSweep(transaction: Transaction, until: Instant): Promise<void> {
  await transaction
    .updateTable('reminder_sweep')
    .set({ swept_until: new Date(until) })
    .execute();
}

/**
 * Lists confirmed appointments with a reminder due after `from` and not after `now`. Each artist
 * chooses the hours before the start at which reminders are due, such as 72 and 24. Appointments
 * that have started are left out. So are appointments that changed after the due time, except by a
 * change of the studio: a mail about the change has just informed the client.
 * @returns by appointment id, the hours before the start; the smallest if several reminders are due
 */
export async function listDueReminders(
  database: Database,
  from: Instant,
  now: Instant,
): Promise<Map<string, ReminderChoice>> {
  const hoursById = new Map<string, ReminderChoice>();
  // Ascending, because only the first number of hours for an appointment is stored.
  for (const hours of REMINDER_HOURS_CHOICES.toSorted((a, b) => a - b)) {
    const leadMs = hours * HOUR_MS;
    const rows = await database
      .selectFrom('appointment_times')
      .innerJoin('appointments', 'appointments.id', 'appointment_times.appointment_id')
      .innerJoin('artists', 'artists.id', 'appointments.artist_id')
      .select('appointments.id')
      // `occupies`: the time is reserved. The index of start times contains only such rows.
      .where('occupies', '=', sql.lit(true))
      .where(sql`lower(during)`, '>', new Date(Math.max(from + leadMs, now)))
      .where(sql`lower(during)`, '<=', new Date(now + leadMs))
      .where('appointments.status', '=', 'confirmed')
      .where('appointments.email', 'is not', null)
      .where(sql<boolean>`appointments.updated_at <= lower(during) - ${`${hours} hours`}::interval`)
      .where(sql<boolean>`${hours} = any(artists.reminder_hours)`)
      .execute();
    for (const { id } of rows) {
      if (!hoursById.has(id)) hoursById.set(id, hours);
    }
  }
  return hoursById;
}

/**
 * Queues the reminders that became overdue because a change of the studio moved appointments to an
 * earlier start. No mail about the change has informed their clients.
 * Waits for a sweep that runs, so that no reminder is lost or sent twice.
 * @param moved times of confirmed appointments
 */
export async function enqueueMissedReminders(
  context: InChange<Pick<Context, 'jobs'>>,
  artistId: string,
  moved: readonly MovedTime[],
  now: Instant,
): Promise<void> {
  if (moved.length === 0) return;
  const sweptUntil = await pauseReminderSweeps(context.database);
  const artist = await findArtistById(context.database, artistId);
  if (!artist || sweptUntil === undefined) return;
  // A sweep that ended while this waited has seen the times before the move, up to after `now`.
  const sweptOrNow = Math.max(sweptUntil, now);
  const missed = new Map<string, ReminderChoice>();
  for (const { appointmentId, before, after } of moved) {
    const start = { before: before.start, after: after.start };
    const hours = missedReminder(artist.reminder_hours, start, sweptUntil, sweptOrNow);
    if (hours !== null) missed.set(appointmentId, hours);
  }
  await enqueueReminders(context, missed);
}

/**
 * Queues reminders, except those of a clock time that the client was reminded of already.
 * @param hoursById by appointment id, the hours before the start
 */
async function enqueueReminders(
  context: InChange<Pick<Context, 'jobs'>>,
  hoursById: ReadonlyMap<string, ReminderChoice>,
): Promise<void> {
  const ids = [...hoursById.keys()];
  const earlier = await context.database
    .selectFrom('mails')
    .select('notice')
    .where('appointment_id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('status', 'in', ['queued', 'sent'])
    .where(sql`notice->>'kind'`, '=', 'reminder')
    .execute();
  const rows = await listAppointmentsByIds(context.database, ids);
  const notices = rows.flatMap((row): MailData[] => {
    const hours = hoursById.get(row.id);
    if (hours === undefined) return [];
    const appointment = toAppointmentSnapshot(row, { wasBooked: true });
    const isReminded = earlier.some(
      ({ notice: reminder }) =>
        reminder.kind === 'reminder' &&
        reminder.appointment.id === row.id &&
        reminder.hours === hours &&
        isReminderOfClockTime(reminder.appointment, appointment),
    );
    return isReminded ? [] : [{ kind: 'reminder', appointment, hours }];
  });
  await notify(context, { notices });
}
