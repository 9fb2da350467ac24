import { runStatement } from './browser_database.ts';

/** Expires the hold or the offer of an appointment without waiting half an hour. */
export async function expireAppointment(appointmentId: string): Promise<void> {
  await runStatement(
    "UPDATE appointment_times SET expires_at = now() - interval '1 second' WHERE appointment_id = $1",
    [appointmentId],
  );
}
