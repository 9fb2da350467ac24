import { type Insertable, sql } from 'kysely';
import { DEFAULT_POOL_SIZE } from '#server/database/connect.ts';
import type { Designs, Images } from '#server/database/tables.ts';
import { addDesign, addImage } from './database_rows.ts';
import type { TestArtist } from './new_artist.ts';
import type { TestApp } from './test_app.ts';

/** Moves the expiry of the hold or the offer to a minute ago. */
export async function expireAppointment(
  { database }: TestApp,
  appointmentId: string,
): Promise<void> {
  await database
    .updateTable('appointment_times')
    .set({ expires_at: sql`now() - interval '1 minute'` })
    .where('appointment_id', '=', appointmentId)
    .execute();
}

/** Moves the appointment: it began half an hour ago. */
export async function startAppointment(
  { database }: TestApp,
  appointmentId: string,
): Promise<void> {
  const since = sql<string>`tstzrange(now() - interval '30 minutes', now() + interval '30 minutes')`;
  await database
    .updateTable('appointment_times')
    .set({ during: since, blocked: since })
    .where('appointment_id', '=', appointmentId)
    .execute();
}

/**
 * Ends the time in which the last changes of studios, and moves whose jobs have run, can be undone; their
 * mails become due.
 */
export async function endUndoTime(app: TestApp): Promise<void> {
  const past = sql<Date>`now() - interval '1 second'`;
  await app.database.updateTable('studio_changes').set({ undo_until: past }).execute();
  await app.database
    .updateTable('mails')
    .set({ waits_until: past })
    .where('waits_until', 'is not', null)
    .where('waits_for', 'is', null)
    .where('status', '=', 'queued')
    .execute();
  await app.runMinutelyTasks();
}

/** The appointment's status, and whether its time occupies the calendar. */
export function loadAppointmentRow({ database }: TestApp, id: string) {
  return database
    .selectFrom('appointments')
    .leftJoin('appointment_times', 'appointment_times.appointment_id', 'appointments.id')
    .select(['status', 'occupies'])
    .where('appointments.id', '=', id)
    .executeTakeFirstOrThrow();
}

/** The number of rows. `occupied`: appointment times that occupy the calendar. */
export async function countRows({ database }: TestApp) {
  const { rows } = await sql<{ appointments: number; clients: number; occupied: number }>`
    SELECT (SELECT count(*)::int FROM appointments) AS appointments,
      (SELECT count(*)::int FROM clients) AS clients,
      (SELECT count(*)::int FROM appointment_times WHERE occupies) AS occupied
  `.execute(database);
  return rows[0];
}

/** The tables of what artists and their clients have, without logins. */
export const ARTIST_TABLES = [
  ...['artists', 'studios', 'schedules', 'schedule_exceptions', 'services', 'images', 'designs'],
  ...['clients', 'appointments', 'appointment_times', 'messages'],
  ...['password_recoveries', 'removed_images', 'mails'],
];

/** Every row of these tables, with the transaction that last wrote it. */
export async function loadAllRows({ database }: TestApp): Promise<string> {
  const texts = ARTIST_TABLES.map(async (table) => {
    const { rows } = await sql<{ text: string | null }>`
      SELECT string_agg(xmin::text || row_to_json(t)::text, ',' ORDER BY ctid) AS text
      FROM ${sql.table(table)} AS t
    `.execute(database);
    return `${table}: ${rows[0]?.text}`;
  });
  return (await Promise.all(texts)).join('\n');
}

/**
 * Sends the queued mails, then takes all mails since the last call: `booked to rosa@example.com`,
 * in alphabetical order. A mail that was not sent carries its status.
 */
export async function takeNewNotices(app: TestApp): Promise<string[]> {
  await app.runJobs();
  const rows = await app.database
    .deleteFrom('mails')
    .returning(['notice', 'address', 'status'])
    .execute();
  return rows
    .map(({ notice, address, status }) => {
      const mail = `${notice.kind} to ${address}`;
      return status === 'sent' ? mail : `${mail}, ${status}`;
    })
    .sort();
}

/** Adds the row of a picture, without its files. */
export async function addPictureRow(
  { database }: TestApp,
  { self }: TestArtist,
  changes: Partial<Insertable<Images>> = {},
): Promise<string> {
  return (await addImage(database, self, changes)).id;
}

/** Adds the rows of a design and its picture, without files. */
export function addDesignRow(
  { database }: TestApp,
  { self }: TestArtist,
  changes: Partial<Insertable<Designs>> = {},
): Promise<{ id: string; imageId: string }> {
  return addDesign(database, self, changes);
}

/** How many connections to this test's database wait for a lock. */
export async function countLockWaiters({ database }: Pick<TestApp, 'database'>): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    SELECT count(*)::int AS waiting FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'
  `.execute(database);
  return rows[0]?.waiting ?? 0;
}

/** Takes all connections of the app but one, so that a request that needs two at a time fails. Returns their release. */
export async function leaveOneConnection({ database }: Pick<TestApp, 'database'>) {
  const length = DEFAULT_POOL_SIZE - 1;
  const begin = () => database.startTransaction().execute();
  const held = await Promise.all(Array.from({ length }, begin));
  return async () => {
    for (const transaction of held) await transaction.rollback().execute();
  };
}
