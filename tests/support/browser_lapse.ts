import { changeRows } from './browser_database.ts';

/** Lets the time pass that a client had to confirm an appointment: nobody waits half an hour. */
export async function lapse(appointmentId: string): Promise<void> {
  await changeRows(
    "UPDATE appointment_times SET lapses_at = now() - interval '1 second' WHERE appointment_id = $1",
    [appointmentId],
  );
}
