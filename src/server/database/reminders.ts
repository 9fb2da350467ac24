import { sql } from 'kysely';
import { REMINDER_HOURS_CHOICES } from '#domain/mail.ts';
import { HOUR_MS, type Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';

/**
 * Until when reminders have been looked for. Whoever looks next waits until the transaction ends.
 * @param now from which they are looked for when they never were
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

/** Reminders have been looked for until then. */
export async function updateReminderSweep(transaction: Database, until: Instant): Promise<void> {
  await transaction
    .updateTable('reminder_sweep')
    .set({ swept_until: new Date(until) })
    .execute();
}

/**
 * Booked appointments that a reminder is due of, whose moment lies after `from` and not after
 * `now`: so many elapsed hours before the start. Left out are those that have begun, and those that
 * were booked or moved after the moment, whose clients have just been told.
 * @returns the ids, with the hours; of several that are due, the nearest to the start
 */
export async function listDueReminders(
  transaction: Database,
  from: Instant,
  now: Instant,
): Promise<Map<string, number>> {
  const due = new Map<string, number>();
  for (const hours of REMINDER_HOURS_CHOICES.toSorted((one, other) => one - other)) {
    const ahead = hours * HOUR_MS;
    const rows = await transaction
      .selectFrom('appointment_times')
      .innerJoin('appointments', 'appointments.id', 'appointment_times.appointment_id')
      .innerJoin('artists', 'artists.id', 'appointments.artist_id')
      .select('appointments.id')
      .where('occupies', '=', true)
      .where(sql`lower(during)`, '>', new Date(Math.max(from + ahead, now)))
      .where(sql`lower(during)`, '<=', new Date(now + ahead))
      .where('appointments.status', '=', 'confirmed')
      .where('appointments.email', 'is not', null)
      .where(sql<boolean>`appointments.updated_at <= lower(during) - ${`${hours} hours`}::interval`)
      .where(sql<boolean>`${hours} = any(artists.reminder_hours)`)
      .execute();
    for (const { id } of rows) if (!due.has(id)) due.set(id, hours);
  }
  return due;
}
