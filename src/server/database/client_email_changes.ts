/** The latest change of the email of each appointment: it waits for a mailed link, or was applied. */
import { sql } from 'kysely';
import type { ClientEmailChange } from '#domain/clients/client_email.ts';
import type { Database, Transaction } from './connect.ts';

/** Returns SQL for the latest change of an appointment's email, as a `ClientEmailChange`; null without one. */
export function clientEmailChangeOf(appointmentId: ReturnType<typeof sql.ref>) {
  return sql<ClientEmailChange | null>`(
    SELECT json_build_object('from', old_email, 'to', new_email, 'isApplied', applied_at IS NOT NULL,
      'askedAt', to_char(requested_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
    FROM client_email_changes WHERE appointment_id = ${appointmentId}
  )`;
}

/** Finds the email of an appointment, and its latest change in any state. */
export function findEmailAndChange(database: Database, appointmentId: string) {
  return database
    .selectFrom('appointments')
    .select(['email', clientEmailChangeOf(sql.ref('appointments.id')).as('change')])
    .where('id', '=', appointmentId)
    .executeTakeFirst();
}

/** Stores a change that waits for its link, in place of an earlier one. */
export async function saveClientEmailChange(
  transaction: Transaction,
  appointmentId: string,
  { from, to }: Pick<ClientEmailChange, 'from' | 'to'>,
): Promise<void> {
  // Not `now()`: each change must have another time, which distinguishes its link from earlier ones.
  const requested_at = sql<Date>`clock_timestamp()`;
  const change = { old_email: from, new_email: to, requested_at, applied_at: null };
  await transaction
    .insertInto('client_email_changes')
    .values({ appointment_id: appointmentId, ...change })
    .onConflict((conflict) => conflict.column('appointment_id').doUpdateSet(change))
    .execute();
}

/** Stores that the latest change was applied. */
export async function markClientEmailChangeApplied(
  transaction: Transaction,
  appointmentId: string,
): Promise<void> {
  await transaction
    .updateTable('client_email_changes')
    .set({ applied_at: sql<Date>`now()` })
    .where('appointment_id', '=', appointmentId)
    .execute();
}
