/** The organizer that the calendar files of an appointment name. */
import { sql } from 'kysely';
import type { CalendarOwner, Organizers } from '#domain/appointments/calendar_event.ts';
import type { Database } from './connect.ts';

/**
 * Stores which organizer the first calendar file of one side names, so that later files name it too. The
 * column is null before the first file, and empty if that file is from before organizers were stored: then
 * it named the address of our mails.
 * @returns the email that the file names; undefined when the appointment is deleted
 */
export async function keepOrganizer(
  database: Database,
  appointmentId: string,
  owner: CalendarOwner,
  { current, senderEmail }: Organizers,
): Promise<string | undefined> {
  const column = `${owner}_organizer` as const;
  const organizer = sql.ref<string | null>(column);
  const stored = await database
    .updateTable('appointments')
    .set({ [column]: sql`CASE ${organizer} WHEN '' THEN ${senderEmail} ELSE ${current} END` })
    .where('id', '=', appointmentId)
    .where(sql`coalesce(${organizer}, '')`, '=', '')
    .returning(organizer.as('email'))
    .executeTakeFirst();
  const row =
    stored ??
    (await database
      .selectFrom('appointments')
      .select(organizer.as('email'))
      .where('id', '=', appointmentId)
      .executeTakeFirst());
  return row?.email ?? undefined;
}
