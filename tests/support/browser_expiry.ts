import { runStatement } from './browser_database.ts';

/** Lets the time pass that a client had to confirm an appointment: nobody waits half an hour. */
export async function expireAppointment(appointmentId: string): Promise<void> {
  await runStatement(
    "UPDATE appointment_times SET lapses_at = now() - interval '1 second' WHERE appointment_id = $1",
    [appointmentId],
  );
}
