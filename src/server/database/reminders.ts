import { sql } from 'kysely';
import { REMINDER_HOURS_CHOICES, type ReminderChoice } from '#domain/mail.ts';
import type { Reminder } from '#domain/reminders.ts';
import { HOUR_MS, type Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';

/**
 * Begins a sweep, in which the caller queues the reminders that became due since the last sweep.
 * Locks the only row of `reminder_sweep`, so that other servers wait until the transaction ends.
 * @returns the time up to which earlier sweeps queued due reminders; `now` at the very first call
 */
export async function lockReminderSweep(transaction: Database, now: Instant): Promise<Instant> {
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
 * Waits for a sweep that runs; another one begins only after this transaction. Call it after taking the
 * calendar lock, for which a sweep never waits, and before changing the artist's username: a sweep that
 * stores a mail waits for that row. So nothing waits in a circle.
 * @returns the time up to which sweeps have queued due reminders; undefined before the very first
 */
export async function pauseReminderSweeps(transaction: Database): Promise<Instant | undefined> {
  const sweep = await transaction
    .selectFrom('reminder_sweep')
    .select('swept_until')
    .forShare()
    .executeTakeFirst();
  return sweep?.swept_until.getTime();
}

/** Lists the reminders about these appointments that are sent, or will be. */
export async function listReminders(
  database: Database,
  appointmentIds: readonly string[],
): Promise<Reminder[]> {
  const rows = await database
    .selectFrom('mails')
    .select('notice')
    .where('appointment_id', '=', sql<string>`any(${appointmentIds}::uuid[])`)
    .where('status', 'in', ['queued', 'sent'])
    .where(sql`notice->>'kind'`, '=', 'reminder')
    .execute();
  return rows.flatMap(({ notice }) => (notice.kind === 'reminder' ? [notice] : []));
}

/** Stores the time up to which this sweep queued due reminders. */
export async function updateReminderSweep(transaction: Database, until: Instant): Promise<void> {
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
  transaction: Database,
  from: Instant,
  now: Instant,
): Promise<Map<string, ReminderChoice>> {
  const hoursById = new Map<string, ReminderChoice>();
  // Ascending, because only the first number of hours for an appointment is stored.
  for (const hours of REMINDER_HOURS_CHOICES.toSorted((a, b) => a - b)) {
    const leadMs = hours * HOUR_MS;
    const rows = await transaction
      .selectFrom('appointment_times')
      .innerJoin('appointments', 'appointments.id', 'appointment_times.appointment_id')
      .innerJoin('artists', 'artists.id', 'appointments.artist_id')
      .select('appointments.id')
      // `occupies`: the time is reserved. The index of start times contains only such rows.
      .where('occupies', '=', true)
      .where(sql`lower(during)`, '>', new Date(Math.max(from + leadMs, now)))
      .where(sql`lower(during)`, '<=', new Date(now + leadMs))
      .where('appointments.status', '=', 'confirmed')
      .where('appointments.email', 'is not', null)
      .where(sql<boolean>`appointments.updated_at <= lower(during) - ${`${hours} hours`}::interval`)
      .where(sql<boolean>`${hours} = any(artists.reminder_hours)`)
      .execute();
    for (const { id } of rows) if (!hoursById.has(id)) hoursById.set(id, hours);
  }
  return hoursById;
}
