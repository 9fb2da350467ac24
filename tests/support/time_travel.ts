import { sql } from 'kysely';
import { inject } from 'vitest';
import type { Database } from '#server/database/connect.ts';

/**
 * Lets time pass for the application and the database: moves every stored instant into the past, so
 * that no clock needs to be changed. Dates, such as closed days, stay. Jobs that wait become due as
 * they would; the other times of the job queue stay, because no test waits for its maintenance.
 */
export async function passTime(database: Database, milliseconds: number): Promise<void> {
  const columns = await listColumns(database);
  const interval = sql.raw(`interval '${Math.round(milliseconds)} milliseconds'`);
  const shift = sql.raw(`${Math.round(milliseconds)}::bigint`);
  await database.transaction().execute(async (transaction) => {
    for (const [table, names] of columns) {
      const changes = names.map((name) => sql`${sql.ref(name)} = ${sql.ref(name)} - ${interval}`);
      await sql`UPDATE ${sql.table(table)} SET ${sql.join(changes)}`.execute(transaction);
    }
    // One by one, the earliest first, so that no two of them overlap on the way.
    await sql`
      DO $$
      DECLARE moved record;
      BEGIN
        FOR moved IN SELECT id FROM appointment_times ORDER BY lower(blocked) LOOP
          UPDATE appointment_times SET
            during = tstzrange(lower(during) - ${interval}, upper(during) - ${interval}),
            blocked = tstzrange(lower(blocked) - ${interval}, upper(blocked) - ${interval}),
            agreed_local = to_char(agreed_local::timestamp - ${interval}, 'YYYY-MM-DD"T"HH24:MI')
          WHERE id = moved.id;
        END LOOP;
      END $$
    `.execute(transaction);
    // The start in the request is the last item of the JSON.
    await sql`
      UPDATE appointments SET idempotency_subject =
        regexp_replace(idempotency_subject, '\d+\]$', '')
          || (substring(idempotency_subject FROM '(\d+)\]$')::bigint - ${shift}) || ']'
      WHERE idempotency_subject ~ '\d+\]$'
    `.execute(transaction);
    for (const path of NOTICE_INSTANTS) {
      const at = sql.raw(`'{appointment,${path}}'`);
      await sql`
        UPDATE mails SET notice =
          jsonb_set(notice, ${at}, to_jsonb((notice #>> ${at})::bigint - ${shift}))
        WHERE notice #>> ${at} IS NOT NULL
      `.execute(transaction);
    }
    await sql`UPDATE pgboss.job SET start_after = start_after - ${interval}`.execute(transaction);
  });
}

/** The instants in the notice of a mail about an appointment. */
const NOTICE_INSTANTS = [
  ...['time,start', 'time,end', 'movedFrom', 'expiresAt'],
  ...['beforeMove,start', 'beforeMove,end', 'beforeMove,expiresAt'],
];

/** The columns with an instant, by table. */
async function listColumns(database: Database): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ table: string; column: string }>`
    SELECT table_name AS table, column_name AS column FROM information_schema.columns
    WHERE table_schema = 'public' AND data_type = 'timestamp with time zone'
      AND table_name = any(${inject('tables')})
  `.execute(database);
  const columns = new Map<string, string[]>();
  for (const { table, column } of rows) columns.set(table, [...(columns.get(table) ?? []), column]);
  return columns;
}

/** Deletes all rows, also of the job queue. */
export async function deleteAllRows(database: Database): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    // Foreign keys form cycles, so their checks are disabled.
    await sql`SET LOCAL session_replication_role = replica`.execute(transaction);
    for (const table of inject('tables'))
      await sql`DELETE FROM ${sql.table(table)}`.execute(transaction);
    await sql`DELETE FROM pgboss.job`.execute(transaction);
  });
}
