/** Reminders of appointments. A sweep, each minute, queues those that became due since the last sweep. */
import { sql } from 'kysely';
import { type MailData, REMINDER_HOURS_CHOICES, type ReminderChoice } from '#domain/mail/mail.ts';
import { isReminderOfClockTime, missedReminder } from '#domain/mail/reminders.ts';
import type { MovedTime } from '#domain/studio/studio_change.ts';
import type { Instant } from '#domain/time/time.ts';
import { listAppointmentsByIds } from '#server/database/appointments.ts';
import { findArtistById } from '#server/database/artists.ts';
import type { Database, Transaction } from '#server/database/connect.ts';
import { BATCH, inBatches } from '#server/database/in_batches.ts';
import { change } from '../change.ts';
import type { Context, InChange } from '../context.ts';
import { notify, toAppointmentSnapshot } from './notify.ts';

/**
 * Queues the reminders that became due since any of our servers last queued reminders, in batches: each is a
 * sweep until just before the due time of its last reminder, as others may be due at the same time.
 */
export async function enqueueDueReminders(context: Context, now: Instant): Promise<void> {
  let last: DueReminder | undefined;
  await inBatches(async () => {
    const batch = await change(context, { invalidates: [] }, async (context) => {
      const { database } = context;
      const lastRun = await lockReminderSweep(database, now);
      // `lastRun` equals `now` at the very first run. It is later than `now` if another server queued
      // reminders while we waited for its lock.
      if (now <= lastRun) return [];
      const due = await listDueReminders(database, lastRun, now, last);
      await enqueueReminders(context, new Map(due.map(({ id, hours }) => [id, hours])));
      const isLastBatch = due.length < BATCH;
      const until = isLastBatch ? now : (due.at(-1)?.dueAt.getTime() ?? now) - 1;
      await updateReminderSweep(database, until);
      return due;
    });
    last = batch.at(-1);
    return batch.length;
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

/** A reminder of an appointment, `hours` before its start. */
interface DueReminder {
  readonly id: string;
  readonly hours: ReminderChoice;
  readonly dueAt: Date;
}

/**
 * Lists confirmed appointments with a reminder due after `from` and not after `now`: a batch, in the order in which
 * they became due, and then of their ids. Each artist
 * chooses the hours before the start at which reminders are due, such as 72 and 24. Appointments
 * that have started are left out. So are appointments that changed after the due time, except by a
 * change of the studio: a mail about the change has just informed the client.
 * @param last the last one of the batch before, if there was one
 * @returns each appointment once: the reminder with the smallest number of hours if several are due
 */
export async function listDueReminders(
  database: Database,
  from: Instant,
  now: Instant,
  last?: DueReminder,
): Promise<DueReminder[]> {
  const end = sql`${new Date(now)}::timestamptz`;
  // `OFFSET 0`: PostgreSQL would guess that many times are due, and read all appointments.
  const { rows } = await sql<DueReminder>`
    SELECT id, hours, start - lead AS "dueAt"
    FROM unnest(${REMINDER_HOURS_CHOICES}::int[]) AS hours
    CROSS JOIN LATERAL make_interval(hours => hours) AS lead
    -- The time is reserved (occupies). The index of start times contains only such rows.
    CROSS JOIN LATERAL (
      SELECT appointment_id, lower(during) AS start FROM appointment_times WHERE occupies
        AND lower(during) > greatest(${new Date(from)}::timestamptz + lead, ${end})
        AND lower(during) <= ${end} + lead OFFSET 0
    ) AS time
    CROSS JOIN LATERAL (
      SELECT appointments.id FROM appointments JOIN artists ON artists.id = artist_id
      WHERE appointments.id = appointment_id AND status = 'confirmed'
        AND appointments.email IS NOT NULL AND appointments.updated_at <= start - lead
        AND hours = (SELECT min(choice) FROM unnest(reminder_hours) AS choice
          WHERE start <= ${end} + make_interval(hours => choice)) OFFSET 0
    ) AS appointment
    WHERE ${last?.id ?? null}::uuid IS NULL
      OR (start - lead, id) > (${last?.dueAt ?? null}::timestamptz, ${last?.id ?? null}::uuid)
    ORDER BY "dueAt", id LIMIT ${sql.lit(BATCH)}
  `.execute(database);
  return rows;
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
